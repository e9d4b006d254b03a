// SPDX-License-Identifier: Apache-2.0
#include "host/sweep/grid.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <stdexcept>

namespace dtrmc::sweep {

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() != 1 && parts.size() != 3) throw std::invalid_argument("give one value, or FROM:TO:STEP");
  return parts;
}

constexpr int kDigits = 15; // behind the point; 10^15 and all ratios up to 1 in these units are exact doubles
constexpr std::uint64_t kOne = 1'000'000'000'000'000;

// A plain decimal up to 1 in units of 10^-15.
std::uint64_t parse_decimal(const std::string& text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string whole = text.substr(0, point);
  std::string fraction = point < text.size() ? text.substr(point + 1) : "";
  const auto digits = [](const std::string& s) { return s.find_first_not_of("0123456789") == std::string::npos; };
  if ((whole.empty() && fraction.empty()) || !digits(whole) || !digits(fraction)) {
    throw std::invalid_argument("'" + text + "' is not a decimal number such as 0.05");
  }
  if (whole.size() > 3 || fraction.size() > kDigits) {
    throw std::invalid_argument("'" + text + "' has more digits than a ratio can have (15 behind the point)");
  }
  fraction.resize(kDigits, '0');
  return (whole.empty() ? 0 : std::stoull(whole)) * kOne + std::stoull(fraction);
}

template <typename Value>
std::vector<std::uint64_t> range(const std::vector<std::string>& parts, Value value) {
  const std::uint64_t from = value(parts[0]);
  if (parts.size() == 1) return {from};
  const std::uint64_t to = value(parts[1]);
  const std::uint64_t step = value(parts[2]);
  if (step == 0) throw std::invalid_argument("the step is 0");
  if (from > to) throw std::invalid_argument("FROM lies above TO");
  if ((to - from) / step >= kMostPoints) throw std::invalid_argument("more than 10 million points");
  std::vector<std::uint64_t> out;
  for (std::uint64_t at = from; at <= to; at += step) out.push_back(at);
  return out;
}

// FNV-1a: only to give each name its own sequence.
std::uint64_t hash(const std::string& name) {
  std::uint64_t h = 14695981039346656037u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

} // namespace

std::vector<double> parse_ratios(const std::string& text) {
  std::vector<double> out;
  for (const std::uint64_t units : range(split(text), parse_decimal)) {
    if (units == 0 || units > kOne) throw std::invalid_argument("a ratio lies above 0 and at most at 1");
    out.push_back(static_cast<double>(units) / static_cast<double>(kOne));
  }
  return out;
}

std::vector<std::uint64_t> parse_budgets(const std::string& text,
                                         const std::function<std::uint64_t(const std::string&)>& parse) {
  return range(split(text), parse);
}

std::vector<std::uint64_t> draw_samples(std::uint64_t lowest, std::uint64_t highest, std::uint64_t count,
                                        std::uint64_t seed, const std::string& name) {
  if (highest < lowest + 2) return {};
  const std::uint64_t inside = highest - lowest - 1;
  std::set<std::uint64_t> drawn;
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                      static_cast<std::uint32_t>(hash(name)), static_cast<std::uint32_t>(hash(name) >> 32)};
  std::mt19937_64 generator(mixed);
  // Not uniform_int_distribution: the standard leaves its sequence open.
  const std::uint64_t fair = UINT64_MAX - UINT64_MAX % inside;
  while (drawn.size() < std::min(count, inside)) {
    const std::uint64_t value = generator();
    if (value < fair) drawn.insert(lowest + 1 + value % inside);
  }
  return {drawn.begin(), drawn.end()};
}

std::uint64_t budget_of(std::uint64_t peak, double ratio) {
  return static_cast<std::uint64_t>(std::floor(static_cast<double>(peak) * ratio));
}

} // namespace dtrmc::sweep
