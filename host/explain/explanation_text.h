// SPDX-License-Identifier: Apache-2.0
// An explanation for people: what differed first, what was carried forward, the chain down to the failing request, and
// what would have helped.
#pragma once

#include <string>

#include "host/explain/explanation.h"

namespace dtrmc::explain {

std::string to_text(const trace::Schedule& schedule, const Explanation& explanation);

} // namespace dtrmc::explain
