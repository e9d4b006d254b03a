// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/exact_arithmetic.h"

namespace dtrmc::unit {

namespace {

__extension__ typedef unsigned __int128 Uint128;

// 192 bits, which hold a cross product of any widths that the unit can have.
struct Product {
  uint64_t high = 0;
  Uint128 low = 0;
};

Product cross_product(uint64_t magnitude, uint64_t size, uint64_t staleness) {
  const Uint128 denominator = Uint128{size} * staleness;
  const Uint128 upper = Uint128{magnitude} * static_cast<uint64_t>(denominator >> 64);
  Product product;
  product.low = Uint128{magnitude} * static_cast<uint64_t>(denominator);
  const Uint128 sum = product.low + (upper << 64);
  product.high = static_cast<uint64_t>(upper >> 64) + (sum < product.low ? 1 : 0);
  product.low = sum;
  return product;
}

bool below(const Product& a, const Product& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

Product minus(const Product& a, const Product& b) { return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low}; }

Product shifted_right(const Product& a, unsigned bits) { // 1 .. 63
  return {a.high >> bits, (a.low >> bits) | Uint128{a.high} << (128 - bits)};
}

} // namespace

bool ExactArithmetic::first_wins_exactly(const Entry& a, const Entry& b, bool& near) const {
  const Product left = cross_product(a.magnitude, b.size, b.staleness);
  const Product right = cross_product(b.magnitude, a.size, a.staleness);
  const bool a_below = below(left, right);
  if (!a_below && !below(right, left)) return (a.order < b.order) == invert_ties_;
  const Product& larger = a_below ? right : left;
  const Product& smaller = a_below ? left : right;
  if (!below(shifted_right(larger, pkg::NEAR_SHIFT), minus(larger, smaller))) near = true;
  return a_below != a.negative;
}

} // namespace dtrmc::unit
