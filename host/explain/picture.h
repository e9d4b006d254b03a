// SPDX-License-Identifier: Apache-2.0
// Both runs as an SVG: memory and nesting from the first differing decision to the failure, and within the failing
// operator. The text depends on the explanation alone.
#pragma once

#include <string>

#include "host/explain/explanation.h"

namespace dtrmc::explain {

std::string to_svg(const trace::Schedule& schedule, const Explanation& explanation);

} // namespace dtrmc::explain
