// SPDX-License-Identifier: Apache-2.0
// The exact map of outcomes over budgets. A run stands for all budgets that decide its comparisons alike, so finitely
// many runs cover the whole line; what neighbours have in common is run once (walker.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "host/sim/simulator.h"
#include "host/sim/topology.h"
#include "host/trace/schedule.h"

namespace dtrmc::atlas {

// All budgets from lo to hi take the same run, event for event.
struct Interval {
  std::uint64_t lo = 0; // bytes, inclusive
  std::uint64_t hi = 0; // bytes, inclusive
  sim::Result result;   // its failure's over_by is that of `lo`
};

enum class Method {
  kAuto,       // for each part of the line the one of these that took less work near it
  kRerun,      // runs share their beginning only (rerun.h): simple, and faster where runs are short
  kReconverge, // they share what they have in common wherever it is (walker.h): faster where runs thrash
};

struct Limits {
  unsigned threads = 1;
  // Copied runs in memory, at most. 1 at least, for each thread.
  std::size_t snapshots = 256;
  Method method = Method::kAuto;
};

// What copying a run takes, in units of sim::Run::work().
inline std::uint64_t copy_work(const trace::Schedule& schedule) { return schedule.storages.size() / 8 + 1; }

// How many snapshots stay below about a GiB for this trace.
std::size_t default_snapshots(const trace::Schedule& schedule, const sim::Settings& settings);

// Calls visit for every interval of [from, to], ascending and without gaps; the first begins at `from` and the last
// ends at `to`, whatever the runs there would allow beyond. What is visited does not depend on `limits`. Visits happen
// one at a time, but in any thread. An exception (of visit too, and sim::ClockOverflow) ends the exploration.
// Settings::budget and its observers are not used. Throws std::invalid_argument as sim::Run
// does, and for a heuristic that reads the budget.
void explore(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
             std::uint64_t from, std::uint64_t to, const Limits& limits,
             const std::function<void(const Interval&)>& visit);

} // namespace dtrmc::atlas
