// SPDX-License-Identifier: Apache-2.0
// An interval as a line of an atlas file, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/atlas/explore.h"

namespace dtrmc::atlas {

// One JSON object without line end. `overhead` = clock / baseline_compute of a run that completes, else null; budgets
// and sizes in bytes, times in ns. `need`: memory in use + request, the first budget at which the failing request would
// fit.
std::string to_json_line(const Interval& interval, std::uint64_t baseline_compute);

// Throws std::invalid_argument with the reason.
Interval parse_json_line(std::string_view line);

} // namespace dtrmc::atlas
