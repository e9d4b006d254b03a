// SPDX-License-Identifier: Apache-2.0
// Why one budget fails where another one works, or completes at a much higher cost: both runs are logged allocation by
// allocation, compared, and then repeated with single storages kept from eviction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/explain/decision_probe.h"
#include "host/explain/run_log.h"
#include "host/explain/step_costs.h"
#include "host/sim/simulator.h"

namespace dtrmc::explain {

struct Question {
  sim::Settings settings;   // heuristic, runtime, limit, retained; the rest is ignored
  std::uint64_t works = 0;  // budget, bytes
  std::uint64_t fails = 0;  // ends oom or thrash; or completes, kDearer times as dear at least
  std::size_t suspects = 6; // at most so many storages are retained in turn
  unsigned jobs = 1;        // runs at a time
};

// Two runs that complete are worth an explanation from here on: the papers' threshold of a regime switch.
inline constexpr double kDearer = 1.25;

enum class Kind {
  kFailure, // the second run does not complete
  kCost,    // it does, but is dearer
};

// There is nothing to explain: one line for the user.
class NoQuestion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Side {
  std::uint64_t budget = 0;
  sim::Result result;
  RunLog log;
};

// A decision with the allocation that forced it.
struct DecisionView {
  std::uint64_t index = 0; // from 0, in the order of the run
  Decision decision;
  Materialisation by;
  trace::OperatorId op = 0;
  trace::OperatorId step_op = 0; // of the step that it is part of
  std::size_t equal_before = 0;  // evictions for the same allocation before this one
  std::optional<Scores> scores;
};

// One allocation that both runs make, after the evictions for it that both share: one is short, or the two disagree.
struct Difference {
  std::uint32_t works = 0; // materialisations
  std::uint32_t fails = 0;
  std::size_t common = 0;                   // equal victims for it before
  std::optional<std::size_t> equal_in_step; // victims of its step before, where both runs have the same
  std::uint64_t works_shortfall = 0;        // bytes then; 0: it fits
  std::uint64_t fails_shortfall = 0;
  std::optional<std::uint64_t> works_decision; // what it evicts next
  std::optional<std::uint64_t> fails_decision;

  bool one_sided() const { return (works_shortfall == 0) != (fails_shortfall == 0); }
};

// One level on the way down to the failing request.
struct Level {
  std::uint32_t materialisation = 0;
  std::uint64_t done_below = 0;      // materialisations of other inputs, finished before, with all below them
  std::uint64_t evictions_below = 0; // that those forced
};

enum class Why {
  kInput,
  kChain,
  kFirstVictim, // of the first differing decision; the other run does not evict it from there to the failing step
  kFirstMoved,  // likewise, but the other run evicts it too: for another allocation, or later for the same one
  kLost,
  kMissing
};
const char* to_string(Why why);

struct Suspect {
  trace::StorageId storage = 0;
  Why why = Why::kInput;
  MissingInput missing;                      // of kMissing
  std::optional<DecisionView> evicted;       // its last eviction by the heuristic before it is missed
  std::optional<DecisionView> works_evicted; // likewise in the other run
  // Of kFirstMoved: the first eviction from the first differing decision on, in either run.
  std::optional<DecisionView> first_evicted;
  std::optional<DecisionView> works_first_evicted;
  std::optional<std::size_t> origin; // into differences: the last one before that with the works run alone short
};

struct Trial {
  std::string name; // control, retain; provoke: the cheap run, kept from an eviction that it alone made
  std::optional<trace::StorageId> retained;
  std::string note;
  std::uint64_t budget = 0;
  sim::Result result;
  bool same_as_run = false; // evictions identical to the plain run at this budget
};

struct Explanation {
  Kind kind = Kind::kFailure;
  bool by_rule = false; // the heuristic is a rule: scores are dtr's, which it may not compare
  Side works;
  Side fails;
  std::uint64_t equal_decisions = 0;
  std::uint64_t equal_evictions = 0;       // with those at the last release
  std::optional<DecisionView> works_first; // first differing decision; absent: no further decision in that run
  std::optional<DecisionView> fails_first;
  std::vector<Difference> differences; // before and in the failing step, in order
  std::uint64_t reordered_steps = 0;   // steps whose sequences of allocations differ; compared up to there
  std::vector<StepCost> step_costs;    // of kCost
  // The step that fails; of kCost the step that costs most more than in the other run, and in it the deepest nesting.
  std::size_t failing_step = 0;
  std::uint32_t failing_materialisation = 0;
  trace::OperatorId failing_operator = 0;       // of the step
  std::uint64_t failing_begun = 0;              // materialisations of inputs begun in the step, and of those ...
  std::uint64_t failing_rematerialisations = 0; // ... the ones that were met and executed
  std::uint64_t failing_evictions = 0;          // by the heuristic, within the step
  std::vector<Level> chain;                     // from the step's operator down
  std::vector<trace::StorageId> only_works;     // resident before the failing step in one run alone, largest first
  std::vector<trace::StorageId> only_fails;
  std::vector<Suspect> suspects;
  std::vector<Trial> trials;
};

using Report = std::function<void(const std::string& done, std::size_t number, std::size_t of)>;

// Throws NoQuestion, sim::ClockOverflow, std::invalid_argument (heuristic and runtime).
Explanation explain(const trace::Schedule& schedule, const sim::Topology& topology, const Question& question,
                    const Report& report = {});

} // namespace dtrmc::explain
