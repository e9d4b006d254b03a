// SPDX-License-Identifier: Apache-2.0
// Two runs of one schedule side by side: steps are the same, what they had to rebuild and to evict is not.
#pragma once

#include "host/explain/explanation.h"

namespace dtrmc::explain {

// Number of decisions from the start with the same victim for the same operator.
std::uint64_t equal_decisions(const RunLog& a, const RunLog& b);

// Fills `differences` and `reordered_steps` from both logs, up to the failing step.
void compare_steps(Explanation& explanation);

} // namespace dtrmc::explain
