// SPDX-License-Identifier: Apache-2.0
// The reference itself: where the hardware's double division is exact it must agree with it.
#include <catch2/catch.hpp>
#include <random>

#include "tests/rtl/reference.h"

TEST_CASE("the reference's rounded quotient is the processor's where both operands are doubles", "[rtl]") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    const auto numerator = static_cast<int64_t>(random() >> (16 + random() % 48)) * (i % 2 == 0 ? 1 : -1);
    const uint64_t denominator = 1 + (random() >> (12 + random() % 52));
    REQUIRE(dtrmc::test::rounded_quotient(numerator, denominator) ==
            static_cast<double>(numerator) / static_cast<double>(denominator));
    // A power of two in the denominator is exact: 2^35 more makes products beyond 64 bits.
    const dtrmc::test::Uint128 wide = static_cast<dtrmc::test::Uint128>(denominator) << 35;
    REQUIRE(dtrmc::test::rounded_quotient(numerator, wide) * 34359738368.0 ==
            static_cast<double>(numerator) / static_cast<double>(denominator));
  }
}
