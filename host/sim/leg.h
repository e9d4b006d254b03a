// SPDX-License-Identifier: Apache-2.0
// A run in parts: what it does from one of its states to another under one budget, told relative to where it begins, so
// that it holds wherever a run comes through the same state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/record/run_record.h"
#include "host/trace/schedule.h"

namespace dtrmc::sim {

// The state at the request that could not be met.
struct Failure {
  std::uint64_t request = 0; // bytes
  std::uint64_t over_by = 0; // bytes by which memory in use + request pass the budget (of an interval: its lowest)
  std::uint64_t pinned = 0;  // bytes resident outside the pool: all there is
  std::uint32_t depth = 0;   // nesting of materialisations, 1 = outermost
  trace::OperatorId op = 0;
};

struct Eviction {
  trace::StorageId storage = 0;
  bool policy = false;     // chosen by the heuristic; else it left with its last reference
  std::uint64_t clock = 0; // ns since the leg began
};

struct Leg {
  // The leg is the same for all budgets with highest_fit <= budget < lowest_short: memory in use + request, bytes, over
  // its allocation checks.
  std::uint64_t highest_fit = 0;
  std::uint64_t lowest_short = UINT64_MAX;

  bool last = false;                           // the run ends with it
  record::Status status = record::Status::kOk; // other than ok: an end before the schedule's
  std::optional<Failure> failure;              // of an oom
  std::uint64_t clock = 0;                     // ns that passed
  std::uint64_t model_compute = 0;             // ns
  std::uint64_t remat_compute = 0;             // ns
  std::uint64_t max_memory = 0;                // bytes, after the executions of this leg
  std::uint64_t pinned_peak = 0;               // bytes, over the checks of this leg
  std::uint32_t depth_at_pinned_peak = 0;      // at the first such check
  std::uint32_t max_nesting = 0;
  std::uint64_t heuristic_evals = 0;
  std::uint64_t candidates = 0;
  std::uint64_t most_candidates = 0;
  bool simrd_defined = true; // at its end, for the run so far
  std::vector<Eviction> evictions;
};

} // namespace dtrmc::sim
