// SPDX-License-Identifier: Apache-2.0
// The scores at a few decisions of a run: the run is repeated up to the last of them, with all candidates shown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "host/sim/simulator.h"
#include "host/sim/state.h"

namespace dtrmc::explain {

struct Scored {
  trace::StorageId storage = 0;
  double score = 0; // as the heuristic compares it
};

struct Scores {
  std::uint64_t candidates = 0;
  Scored victim;
  std::optional<Scored> runner_up;
  std::optional<Scored> rival; // the storage asked for, where it was a candidate
};

// Decisions (counted from 0) to look at, each with a storage whose score is of interest too (or sim::kNoStorage).
using Wanted = std::map<std::uint64_t, trace::StorageId>;

// `settings` as in the run itself; its observers are not called.
std::map<std::uint64_t, Scores> probe(const trace::Schedule& schedule, const sim::Topology& topology,
                                      sim::Settings settings, const Wanted& wanted);

} // namespace dtrmc::explain
