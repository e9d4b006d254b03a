// SPDX-License-Identifier: Apache-2.0
#include "host/cli/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "host/cli/usage_error.h"
#include "host/trace/schedule.h"
#include "host/trace/trace_error.h"

namespace dtrmc::cli {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::uint64_t kKilo = 1000;
constexpr std::uint64_t kKibi = 1024;

std::uint64_t unit_factor(std::string_view unit) {
  constexpr std::string_view kPrefixes = "KMGT";
  if (unit.empty() || unit == "B") return 1;
  const char first = unit[0] == 'k' ? 'K' : unit[0];
  const std::size_t power = kPrefixes.find(first);
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = unit.substr(1);
  const std::uint64_t base = rest.empty() || rest == "B" ? kKilo : rest == "iB" || rest == "i" ? kKibi : 0;
  std::uint64_t factor = base;
  for (std::size_t i = 0; i < power; ++i) factor *= base;
  return factor;
}

} // namespace

std::uint64_t parse_bytes(const std::string& text, const char* option) {
  const auto fail = [&](const char* reason) {
    throw UsageError(fmt::format("{} {}: {}; give bytes such as 2012235830, 2.5G, 900M or 64MiB", option,
                                 trace::in_quotes(text), reason));
  };
  if (!text.empty() && text[0] == '-') fail("a size cannot be negative");
  std::size_t at = 0;
  while (at < text.size() && digit(text[at])) ++at;
  const std::string_view whole = std::string_view(text).substr(0, at);
  std::string_view fraction;
  if (at < text.size() && text[at] == '.') {
    const std::size_t begin = ++at;
    while (at < text.size() && digit(text[at])) ++at;
    fraction = std::string_view(text).substr(begin, at - begin);
    if (fraction.empty()) fail("not a size");
  }
  const std::uint64_t factor = unit_factor(std::string_view(text).substr(at));
  if (whole.empty() || factor == 0) fail("not a size");
  if (factor == 1 && !fraction.empty()) fail("a fraction needs a unit");

  __extension__ typedef unsigned __int128 Wide;
  Wide value = 0;
  for (const char c : whole) {
    value = value * 10 + static_cast<Wide>(c - '0');
    if (value * factor > trace::kMaxQuantity) fail("above 2^62 bytes");
  }
  value *= factor;
  // Below 2^53 all told, and digits beyond the 18th of a fraction are less than a byte even of a TiB.
  Wide numerator = 0;
  Wide denominator = 1;
  for (const char c : fraction.substr(0, 18)) {
    numerator = numerator * 10 + static_cast<Wide>(c - '0');
    denominator *= 10;
  }
  value += numerator * factor / denominator;
  if (value > trace::kMaxQuantity) fail("above 2^62 bytes");
  return static_cast<std::uint64_t>(value);
}

double parse_number(const std::string& text, const char* option) {
  const auto fail = [&] {
    throw UsageError(
        fmt::format("{} {}: not a finite decimal number; give one such as 0.3", option, trace::in_quotes(text)));
  };
  // strtod alone would also take blanks, hexadecimal, "inf" and "nan".
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) fail();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !std::isfinite(value)) fail();
  return value;
}

std::uint64_t parse_count(const std::string& text, const char* option, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const bool digits = !text.empty() && text.size() <= 19 &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits) value = std::stoull(text);
  if (!digits || value < low || value > high) {
    throw UsageError(
        fmt::format("{} {}: must be a whole number from {} to {}", option, trace::in_quotes(text), low, high));
  }
  return value;
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::array<std::pair<double, const char*>, 4> kUnits = {
      {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}};
  for (const auto& [factor, unit] : kUnits) {
    const double value = static_cast<double>(bytes) / factor;
    if (value >= 1) return fmt::format("{} ({:.3f} {})", bytes, value, unit);
  }
  return fmt::format("{}", bytes);
}

std::string human_time(std::uint64_t ns) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}}};
  for (const auto& [factor, unit] : kUnits) {
    const double value = static_cast<double>(ns) / factor;
    if (value >= 1) return fmt::format("{} ns ({:.3f} {})", ns, value, unit);
  }
  return fmt::format("{} ns", ns);
}

} // namespace dtrmc::cli
