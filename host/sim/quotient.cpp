// SPDX-License-Identifier: Apache-2.0
#include "host/sim/quotient.h"

#include <algorithm>
#include <cmath>

namespace dtrmc::sim {

namespace {

constexpr int kMantissa = 53;

int bit_width(UInt128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  if (high != 0) return 128 - __builtin_clzll(high);
  return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

// `quotient` has at least 54 bits; the true value is quotient + (0 or something below 1) times 2^exponent.
double round_to_double(std::uint64_t quotient, bool inexact, int exponent) {
  const int surplus = std::max(1, bit_width(quotient) - kMantissa); // 1 at least by contract: for the reader's tools
  const std::uint64_t half = std::uint64_t{1} << (surplus - 1);
  const std::uint64_t rest = quotient & (2 * half - 1);
  std::uint64_t mantissa = quotient >> surplus;
  if (rest > half || (rest == half && (inexact || (mantissa & 1) != 0))) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), exponent + surplus);
}

// Neither is 0.
double positive_quotient(std::uint64_t numerator, UInt128 denominator) {
  if (numerator == 0 || denominator == 0) __builtin_unreachable();
  constexpr std::uint64_t kExact = std::uint64_t{1} << kMantissa;
  if (numerator <= kExact && denominator <= kExact) {
    return static_cast<double>(numerator) / static_cast<double>(static_cast<std::uint64_t>(denominator));
  }
  const int numerator_width = bit_width(numerator);
  const int denominator_width = bit_width(denominator);
  if (denominator_width <= 64) {
    // Both scaled to 64 significant bits; 63 more below the numerator give a quotient of 63 or 64 bits.
    const int up = 64 - denominator_width;
    const UInt128 dividend = static_cast<UInt128>(numerator << (64 - numerator_width)) << 63;
    const UInt128 divisor = denominator << up;
    const auto quotient = static_cast<std::uint64_t>(dividend / divisor);
    return round_to_double(quotient, dividend % divisor != 0, numerator_width - 64 - 63 + up);
  }
  // Long division, a bit at a time. The numerator, below 2^64, is first aligned so that the first quotient bit
  // decides between the two possible widths; the remainder stays below the denominator, so doubling fits.
  int exponent = numerator_width - denominator_width;
  UInt128 remainder = static_cast<UInt128>(numerator) << (denominator_width - numerator_width);
  std::uint64_t quotient = 0;
  for (int bit = 0; bit < kMantissa + 2; ++bit) {
    quotient <<= 1;
    if (remainder >= denominator) {
      remainder -= denominator;
      quotient |= 1;
    }
    remainder <<= 1;
  }
  exponent -= kMantissa + 1;
  return round_to_double(quotient, remainder != 0, exponent);
}

} // namespace

double rounded_quotient(Int128 numerator, UInt128 denominator) {
  if (numerator == 0) return 0.0;
  if (numerator < 0) return -positive_quotient(static_cast<std::uint64_t>(-numerator), denominator);
  return positive_quotient(static_cast<std::uint64_t>(numerator), denominator);
}

} // namespace dtrmc::sim
