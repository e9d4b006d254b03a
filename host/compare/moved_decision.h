// SPDX-License-Identifier: Apache-2.0
// Why two runs chose different victims from one pool: the terms and scores of both victims, as either side saw them.
// For runs that may differ, since staleness counts another clock or the arithmetic is approximate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/sim/candidate.h"
#include "host/trace/schedule.h"

namespace dtrmc::compare {

// One storage on both sides.
struct MovedCandidate {
  trace::StorageId storage = 0;
  sim::Candidate simulator;
  sim::Candidate platform;
};

struct MovedDecision {
  std::uint64_t index = 0; // of the decision, from 0
  std::size_t candidates = 0;
  // Lengths of a tick of staleness, ns.
  std::uint64_t simulator_tick = 1;
  std::uint64_t platform_tick = 1;
  MovedCandidate platform_victim;
  MovedCandidate simulator_victim;
};

// The decision whose pool the simulator saw as `simulator` and the controller as `platform`. Nothing where a pool lacks
// one of the victims: then the runs parted before, and not by a score.
std::optional<MovedDecision> moved_decision(std::uint64_t index, const std::vector<sim::Candidate>& simulator,
                                            trace::StorageId simulator_victim,
                                            const std::vector<sim::Candidate>& platform,
                                            trace::StorageId platform_victim);

// (platform - simulator) / simulator of the staleness in ns; nothing where the score has none or the simulator's is 0.
std::optional<double> staleness_moved(const MovedDecision& decision, const MovedCandidate& candidate);

// The decision in words, lines without line ends.
std::vector<std::string> to_lines(const trace::Schedule& schedule, const MovedDecision& decision);

// The last of them: which term moved, and how that turned the decision.
std::string why(const trace::Schedule& schedule, const MovedDecision& decision);

} // namespace dtrmc::compare
