// SPDX-License-Identifier: Apache-2.0
#include "host/compare/ranking.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace dtrmc::compare {

using sim::Candidate;
using sim::Int128;
using sim::UInt128;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Costs are below 2^64 and denominators below 2^126, so cross products need 190 bits.
struct Wide {
  std::array<std::uint64_t, 4> limb{}; // least significant first

  static Wide product(UInt128 a, std::uint64_t b) {
    const UInt128 low = static_cast<UInt128>(static_cast<std::uint64_t>(a)) * b;
    const UInt128 high = static_cast<UInt128>(static_cast<std::uint64_t>(a >> 64)) * b + (low >> 64);
    return {
        {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high), static_cast<std::uint64_t>(high >> 64), 0}};
  }
  bool operator<(const Wide& o) const {
    for (int i = 3; i >= 0; --i) {
      if (limb[static_cast<std::size_t>(i)] != o.limb[static_cast<std::size_t>(i)]) {
        return limb[static_cast<std::size_t>(i)] < o.limb[static_cast<std::size_t>(i)];
      }
    }
    return false;
  }
  Wide operator+(const Wide& o) const {
    Wide sum;
    UInt128 carry = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      carry += static_cast<UInt128>(limb[i]) + o.limb[i];
      sum.limb[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return sum;
  }
  Wide operator-(const Wide& o) const { // o <= *this
    Wide difference;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const UInt128 take = static_cast<UInt128>(o.limb[i]) + borrow;
      borrow = limb[i] < take ? 1 : 0;
      difference.limb[i] = static_cast<std::uint64_t>(limb[i] - take);
    }
    return difference;
  }
  // Leading 64 bits, as value x 2^exponent; enough for a double.
  double leading(int& exponent) const {
    for (std::size_t i = 4; i-- > 0;) {
      if (limb[i] == 0) continue;
      const int zeros = __builtin_clzll(limb[i]);
      std::uint64_t top = limb[i] << zeros;
      if (zeros != 0 && i != 0) top |= limb[i - 1] >> (64 - zeros);
      exponent = static_cast<int>(64 * i) - zeros;
      return static_cast<double>(top);
    }
    exponent = 0;
    return 0;
  }
};

std::uint64_t magnitude(Int128 value) { return static_cast<std::uint64_t>(value < 0 ? -value : value); }

std::string decimal(Int128 value) { return fmt::format("{}{}", value < 0 ? "-" : "", magnitude(value)); }

} // namespace

double score(const Candidate& candidate) {
  const UInt128 denominator = candidate.denominator();
  return denominator == 0 ? kInfinity : sim::rounded_quotient(candidate.cost, denominator);
}

std::string exact_score(const Candidate& c) {
  std::string cost = decimal(c.cost);
  if (c.size && c.staleness) return fmt::format("{}/({}*{})", cost, *c.size, *c.staleness);
  if (c.size) return fmt::format("{}/{}", cost, *c.size);
  if (c.staleness) return fmt::format("{}/{}", cost, *c.staleness);
  return cost;
}

std::optional<std::size_t> choose(const std::vector<Candidate>& pool, std::optional<std::size_t> without) {
  // A quick estimate passes over what is clearly larger; its relative error is below 2^-50.
  constexpr double kSlack = 1.0 / (std::uint64_t{1} << 48);
  std::optional<std::size_t> chosen;
  Int128 best_exact = 0; // scores without a denominator are compared as integers
  double best = kInfinity;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (i == without) continue;
    const Candidate& c = pool[i];
    if (!c.is_quotient()) {
      if (!chosen || c.cost <= best_exact) {
        chosen = i;
        best_exact = c.cost;
      }
      if (c.cost == 0) break;
      continue;
    }
    if (c.denominator() != 0 && c.cost != 0) {
      const double estimate = static_cast<double>(c.cost) / static_cast<double>(c.denominator());
      if (estimate - best > std::fabs(estimate) * kSlack) continue;
    }
    const double h = score(c);
    if (h <= best) {
      chosen = i;
      best = h;
    }
    if (h == 0.0) break;
  }
  return chosen;
}

double margin(const Candidate& winner, const Candidate& other) {
  const UInt128 winner_denominator = winner.denominator();
  const UInt128 other_denominator = other.denominator();
  if (winner_denominator == 0) return other_denominator == 0 ? 0 : -kInfinity;
  if (other_denominator == 0) return kInfinity;
  if (winner.cost == 0) return other.cost == 0 ? 0 : other.cost > 0 ? kInfinity : -kInfinity;
  // (b / B - a / A) / (|a| / A) = (b A - a B) / (|a| B)
  const Wide left = Wide::product(winner_denominator, magnitude(other.cost));
  const Wide right = Wide::product(other_denominator, magnitude(winner.cost));
  const bool left_negative = other.cost < 0;
  const bool right_negative = winner.cost < 0;
  Wide numerator;
  bool negative = false;
  if (left_negative != right_negative) {
    numerator = left + right;
    negative = left_negative;
  } else {
    const bool smaller = left < right;
    numerator = smaller ? right - left : left - right;
    negative = smaller != left_negative;
  }
  int numerator_exponent = 0;
  int denominator_exponent = 0;
  const double top = numerator.leading(numerator_exponent);
  if (top == 0) return 0;
  const double bottom = right.leading(denominator_exponent);
  const double ratio = std::ldexp(top / bottom, numerator_exponent - denominator_exponent);
  return negative ? -ratio : ratio;
}

} // namespace dtrmc::compare
