// SPDX-License-Identifier: Apache-2.0
// plot.py, run by the first Python that has matplotlib.
#pragma once

#include <string>
#include <vector>

namespace dtrmc::plot {

const char* script();

// Exit code of the script; nothing is written where it is not 0. kNoPython, kNoMatplotlib: the script did not begin.
inline constexpr int kNoPython = 127;
inline constexpr int kNoMatplotlib = 3;

// `pythons` are tried in order.
int run_script(const std::vector<std::string>& pythons, const std::vector<std::string>& arguments);

} // namespace dtrmc::plot
