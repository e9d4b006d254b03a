// SPDX-License-Identifier: Apache-2.0
// Cross products of two scores: 192 bits hold one of any widths that the unit can have.
#pragma once

#include <cstdint>

namespace dtrmc::unit {

__extension__ typedef unsigned __int128 Uint128;

struct Product {
  uint64_t high = 0;
  Uint128 low = 0;
};

inline Product cross_product(uint64_t magnitude, uint64_t size, uint64_t staleness) {
  const Uint128 denominator = Uint128{size} * staleness;
  const Uint128 upper = Uint128{magnitude} * static_cast<uint64_t>(denominator >> 64);
  Product product;
  product.low = Uint128{magnitude} * static_cast<uint64_t>(denominator);
  const Uint128 sum = product.low + (upper << 64);
  product.high = static_cast<uint64_t>(upper >> 64) + (sum < product.low ? 1 : 0);
  product.low = sum;
  return product;
}

inline bool below(const Product& a, const Product& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

inline Product minus(const Product& a, const Product& b) {
  return {a.high - b.high - (a.low < b.low ? 1 : 0), a.low - b.low};
}

inline Product shifted_right(const Product& a, unsigned bits) { // 1 .. 63
  return {a.high >> bits, (a.low >> bits) | Uint128{a.high} << (128 - bits)};
}

} // namespace dtrmc::unit
