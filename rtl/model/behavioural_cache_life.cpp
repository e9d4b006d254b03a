// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/behavioural_cache_life.h"

#include "rtl/model/cross_product.h"

namespace dtrmc::unit {

namespace {

// Of scoring_unit_cache_life.sv.
constexpr int kMargin = 2;
constexpr int kBand = 47 * 16;
constexpr int kSlack = pkg::CODE_SLACK;

// scoring_unit_cache_log: position of the leading one and the four bits after it.
int code_of(uint64_t value) { // not 0
  const int exponent = 63 - __builtin_clzll(value);
  const uint64_t normal = value << (63 - exponent);
  return exponent << 4 | static_cast<int>(normal >> 59 & 15);
}

int code_of(const Product& value) { // not 0
  constexpr int kWord = 64 << 4;
  const auto middle = static_cast<uint64_t>(value.low >> 64);
  const auto low = static_cast<uint64_t>(value.low);
  // The leading word, with what belongs below it for the four bits.
  const auto joined = [](uint64_t upper, uint64_t lower, int words) {
    const int used = 64 - __builtin_clzll(upper); // 1 .. 64
    if (used >= 5) return code_of(upper) + words * kWord;
    return code_of(upper << 60 | lower >> 4) + (words - 1) * kWord + (4 << 4);
  };
  if (value.high != 0) return joined(value.high, middle, 2);
  if (middle != 0) return joined(middle, low, 1);
  return code_of(low);
}

} // namespace

Life life_of_comparison(const LaneEntry& a, const LaneEntry& b, uint32_t time_bits) {
  if (a.score_class != pkg::CLASS_FINITE || b.score_class != pkg::CLASS_FINITE || a.negative != b.negative) {
    return kForEver;
  }
  const Product a_product = cross_product(a.magnitude, b.size, b.staleness);
  const Product b_product = cross_product(b.magnitude, a.size, a.staleness);
  const bool a_below = below(a_product, b_product); // |h| of a is smaller
  if (!a_below && !below(b_product, a_product)) return a.staleness == b.staleness ? kForEver : 0;

  const LaneEntry& small = a_below ? a : b;
  const LaneEntry& large = a_below ? b : a;
  const int difference = code_of(a_below ? minus(b_product, a_product) : minus(a_product, b_product));
  const int small_large = code_of(small.magnitude) + code_of(large.size);
  const int large_small = code_of(large.magnitude) + code_of(small.size);
  const int small_staleness = code_of(small.staleness);
  if (difference + kBand <= large_small + small_staleness + 3 * kSlack) return 0;
  if (small.staleness <= large.staleness || large_small > small_large + 2 * kSlack) return kForEver;
  const int code =
      difference + small_staleness - small_large - code_of(small.staleness - large.staleness) - (3 * kSlack + kMargin);
  if (code < 0) return 0;
  return code >= 16 * static_cast<int>(time_bits) ? kForEver : static_cast<Life>(code) + 1;
}

Life life_of_time(uint64_t left) { return left == 0 ? 0 : static_cast<Life>(code_of(left)) + 1; }

bool end_of_life(Life life, uint64_t clock, uint32_t time_bits, uint64_t& until) {
  const Life code = life - 1;
  const uint32_t exponent = code >> 4;
  if (life == kForEver || exponent >= time_bits) return false;
  // From below: 2^(f / 16) >= 1 + f / 16 x 11 / 16.
  const Uint128 fraction = 128 + ((code & 15) * 11 >> 1);
  const Uint128 end = clock + (fraction << exponent >> 7);
  until = static_cast<uint64_t>(end);
  return end >> time_bits == 0;
}

} // namespace dtrmc::unit
