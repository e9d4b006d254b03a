// SPDX-License-Identifier: Apache-2.0
// Two runs of one schedule side by side: steps are the same, what they had to rebuild and to evict is not.
#pragma once

#include "host/explain/explanation.h"

namespace dtrmc::explain {

// Number of decisions from the start with the same victim for the same operator of the same step.
std::uint64_t equal_decisions(const RunLog& a, const RunLog& b);

// Number of evictions from the start, releases by the program among them, with the same storage: paper 2's count.
std::uint64_t equal_evictions(const RunLog& a, const RunLog& b);

// Fills `differences` and `reordered_steps` from both logs, up to the failing step.
void compare_steps(Explanation& explanation);

} // namespace dtrmc::explain
