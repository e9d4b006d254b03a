// SPDX-License-Identifier: Apache-2.0
// The software simulator of Dynamic Tensor Rematerialization: replays a schedule under a budget and takes the same
// evictions, in the same order, as simrd. The yardstick of every hardware result. Semantics: host/README.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "host/arithmetic/arithmetic.h"
#include "host/record/event.h"
#include "host/record/run_record.h"
#include "host/sim/allocation.h"
#include "host/sim/candidate.h"
#include "host/sim/fingerprint.h"
#include "host/sim/heuristic.h"
#include "host/sim/leg.h"
#include "host/sim/topology.h"
#include "host/trace/schedule.h"

namespace dtrmc::sim {

inline constexpr std::uint64_t kNoLimit = UINT64_MAX;
inline constexpr std::uint64_t kMaxClock = std::uint64_t{1} << 63; // ns

struct Settings {
  Heuristic heuristic;
  Runtime runtime = Runtime::kV2Eager;
  std::uint64_t budget = kNoLimit;           // bytes
  std::uint64_t remat_limit = kNoLimit;      // ns; the run ends as thrash once rematerialisation cost is larger
  record::EventSink* events = nullptr;       // receives every event as it happens
  DecisionObserver* decisions = nullptr;     // shown every decision with its pool; makes the run about twice as long
  AllocationObserver* allocations = nullptr; // shown every materialisation and every allocation check
  std::vector<trace::StorageId> retained;    // never offered for eviction; leave with their last reference as all do
  arithmetic::Format arithmetic = arithmetic::kExact; // how scores are compared; rules of their own know exact alone
  std::uint64_t tick_ns =
      1;              // staleness is floor(clock / tick) - floor(last access / tick); lru: floor(last access / tick)
  bool hashes = true; // false: policy_sha256 and all_sha256 stay empty, a little faster
};

struct Result {
  record::RunRecord record;
  std::uint64_t pinned_peak = 0;          // bytes resident outside the pool, largest over all allocation checks
  std::uint32_t depth_at_pinned_peak = 0; // nesting at the first such check
  std::uint32_t max_nesting = 0;
  std::uint64_t candidates = 0;      // in the pool, summed over the decisions (record.policy_evictions of them)
  std::uint64_t most_candidates = 0; // at one decision
  // Evictions of both kinds per storage: how many storages (second) were evicted how often (first, ascending, from 1).
  std::vector<std::pair<std::uint32_t, std::uint32_t>> eviction_histogram;
  std::optional<Failure> failure; // of an oom
  bool simrd_defined = true;      // false: simrd itself stops with an assertion on this run
};

// The model clock left its range (2^63 ns): only reachable by huge costs rematerialised without a limit.
class ClockOverflow : public std::runtime_error {
 public:
  ClockOverflow()
      : std::runtime_error("the model clock passes 2^63 ns; set an overhead limit or check the trace's TIMEs") {}
};

// One run that can stop, be copied and go on; a copy is a snapshot. A budget enters a run only where it is compared
// with a need (memory in use + request), so one Run stands for all budgets of an interval for as long as these
// comparisons agree on it:
//
//   while (const auto need = run.advance()) {
//     Run fits = run;                 // budgets [need, highest]
//     fits.narrow(*need, run.highest());
//     run.narrow(run.lowest(), *need - 1); // budgets [lowest, need - 1]: it does not fit
//     ... keep `fits` for later ...
//   }
//
// Copies share schedule, topology and the sinks of the settings, which must outlive them; different Runs may go on in
// different threads.
class Run {
 public:
  // Settings::budget is not used: the run stands for all budgets from `lowest` to `highest` (bytes, inclusive).
  // Throws std::invalid_argument where the runtime does not know the heuristic, or a rule of its own is to be decided
  // by approximate arithmetic.
  Run(const trace::Schedule& schedule, const Topology& topology, const Settings& settings, std::uint64_t lowest,
      std::uint64_t highest);
  Run(const Run& other);
  Run(Run&& other) noexcept;
  Run& operator=(Run&& other) noexcept;
  ~Run();

  // Goes on to the end of the run (returns nothing), or to a comparison on which the budgets disagree: returns the
  // need, lowest < need <= highest. Budgets below it do not fit, the others do. Without narrow() it returns the same
  // again. Throws ClockOverflow.
  std::optional<std::uint64_t> advance();

  // Keeps the budgets [lowest, highest], a part of those so far.
  void narrow(std::uint64_t lowest, std::uint64_t highest);
  std::uint64_t lowest() const;
  std::uint64_t highest() const;

  Result finish();                // once, after advance() returned nothing
  std::size_t steps_done() const; // of the schedule
  // How much was simulated, the copied run's past included: executions and decisions by about what they cost, the same
  // on every machine. A unit is an execution.
  std::uint64_t work() const;

  // --- The same run leg by leg, for one budget at a time (with these, not with advance(), narrow() and finish()).

  // Goes on under `budget` to the next halt or the end of the run. Replaces what `leg` held. Halts lie before each step
  // that can execute an operator, and within long materialisations behind some operators: which ones depends on nothing
  // but the operator, so that runs of different budgets halt at the same places. Throws ClockOverflow.
  void run_leg(std::uint64_t budget, Leg& leg);
  // Of all that decides how the run goes on from this halt: two runs of one schedule and settings with the same
  // fingerprint do the same from there on under the same budget, as long as both stay within the limits of the clock
  // and of remat_compute. Times count from now: the clock itself is not in it.
  Fingerprint fingerprint();
  // Another run came through this state at that clock (ns), after so much rematerialisation (ns): go on as that one.
  void rebase(std::uint64_t clock, std::uint64_t remat_compute);
  std::uint64_t remat_compute() const; // ns, so far

 private:
  class Simulator;
  std::unique_ptr<Simulator> simulator_;
};

// Throws ClockOverflow, and std::invalid_argument where the runtime does not know the heuristic. `topology` must be of
// this schedule; build it once where many runs follow.
Result simulate(const trace::Schedule& schedule, const Topology& topology, const Settings& settings);
Result simulate(const trace::Schedule& schedule, const Settings& settings);

// Peak memory (bytes) of an unlimited run: the baseline of ratios (`--baseline self`: kV2Eager; simrd: kV1).
std::uint64_t unlimited_peak(const trace::Schedule& schedule, Runtime runtime);

// floor((overhead_limit - 1) x baseline compute) in double arithmetic; baseline compute is the schedule's total cost.
// `overhead_limit` is finite and at least 1.
std::uint64_t remat_limit(const trace::Schedule& schedule, double overhead_limit);

} // namespace dtrmc::sim
