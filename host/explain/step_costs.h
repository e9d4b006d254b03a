// SPDX-License-Identifier: Apache-2.0
// What two runs that both complete spend on rematerialisation, step by step: where one becomes dearer than the other,
// and which missing inputs that was for.
#pragma once

#include <cstdint>
#include <vector>

#include "host/explain/run_log.h"

namespace dtrmc::explain {

// A step in which at least one of the runs rematerialises.
struct StepCost {
  std::size_t step = 0;
  trace::OperatorId op = 0; // of the step
  std::uint64_t works = 0;  // ns of rematerialisation within it
  std::uint64_t fails = 0;
};

// In the order of the steps.
std::vector<StepCost> step_costs(const trace::Schedule& schedule, const RunLog& works, const RunLog& fails);

// A storage that operators find missing in one run, and not in the other run's same step.
struct MissingInput {
  trace::StorageId storage = 0;
  std::uint64_t cost = 0;     // ns: rebuilding it, with all that this needs in turn, over the whole run
  std::uint64_t times = 0;    // steps
  std::size_t first_step = 0; // of those
};

// Missing in `fails` alone; the dearest first, equal ones by storage.
std::vector<MissingInput> missing_inputs(const trace::Schedule& schedule, const RunLog& works, const RunLog& fails);

} // namespace dtrmc::explain
