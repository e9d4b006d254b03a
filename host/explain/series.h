// SPDX-License-Identifier: Apache-2.0
// Memory, pinned bytes and nesting of a run over its operators, one sample per allocation.
#pragma once

#include <cstdint>
#include <vector>

#include "host/explain/run_log.h"

namespace dtrmc::explain {

struct Sample {
  double at = 0;            // operator number; allocations of one operator's step lie evenly between it and the next
  trace::OperatorId op = 0; // of the step
  std::size_t step = 0;
  std::uint64_t use = 0;    // bytes, with the request once it is met
  std::uint64_t pinned = 0; // bytes
  std::uint32_t nesting = 0;
};

std::vector<Sample> samples(const trace::Schedule& schedule, const RunLog& log);

// One step of a run: the largest of its samples.
struct StepPeak {
  std::size_t step = 0;
  trace::OperatorId op = 0;
  std::uint64_t use = 0;
  std::uint64_t pinned = 0;
  std::uint32_t nesting = 0;
  std::uint64_t allocations = 0;
};
std::vector<StepPeak> step_peaks(const std::vector<Sample>& samples);

} // namespace dtrmc::explain
