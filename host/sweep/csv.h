// SPDX-License-Identifier: Apache-2.0
// One line of CSV: cells with commas, quotes or blanks at their ends stand in quotes. Cells hold no line ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dtrmc::sweep {

std::string csv_line(const std::vector<std::string>& cells);                   // without line end
std::optional<std::vector<std::string>> parse_csv_line(std::string_view line); // none: quotes that do not close

} // namespace dtrmc::sweep
