// SPDX-License-Identifier: Apache-2.0
// The budgets of a sweep, from how people write them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dtrmc::sweep {

// Ratios "0.3", "0.05:0.60:0.01" (ends inclusive). Each is the double nearest to its decimal form: 0.05 + 3 x 0.01 is
// the 0.08 that one would write. Each lies above 0 and at most at 1. Throws std::invalid_argument with the reason.
std::vector<double> parse_ratios(const std::string& text);

// Bytes "2G", "1G:2G:16MiB" (ends inclusive); `parse` reads one quantity. Throws std::invalid_argument, and what
// `parse` throws.
std::vector<std::uint64_t> parse_budgets(const std::string& text,
                                         const std::function<std::uint64_t(const std::string&)>& parse);

// Budgets in bytes, ascending, each with the ratio that it was given as.
using Budgets = std::map<std::uint64_t, std::optional<double>>;

// `count` distinct budgets strictly inside (lowest, highest), fewer where there are not so many: uniform draws of a
// generator that depends on `seed` and `name` alone, the same on every machine.
std::vector<std::uint64_t> draw_samples(std::uint64_t lowest, std::uint64_t highest, std::uint64_t count,
                                        std::uint64_t seed, const std::string& name);

// floor(peak x ratio) in double arithmetic, as simrd does.
std::uint64_t budget_of(std::uint64_t peak, double ratio);

inline constexpr std::size_t kMostPoints = 10'000'000; // of one range

} // namespace dtrmc::sweep
