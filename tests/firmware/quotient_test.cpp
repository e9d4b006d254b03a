// SPDX-License-Identifier: Apache-2.0
// The firmware's exact comparison against two references that share nothing with it: the machine's own division where
// it is correctly rounded, and the simulator's division beyond that.
#include <catch2/catch.hpp>
#include <random>

#include "firmware/quotient.h"
#include "host/sim/quotient.h"

namespace {

int sign_of_difference(double a, double b) { return a < b ? -1 : a > b ? 1 : 0; }

// Numbers whose length is uniform, not their value: all scales meet.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t up_to_bits(std::uint32_t bits) {
    const std::uint32_t length = 1 + static_cast<std::uint32_t>(engine_() % bits);
    return engine_() >> (64 - length) | std::uint64_t{1} << (length - 1);
  }
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

 private:
  std::mt19937_64 engine_;
};

int reference(const fw_quotient& a, const fw_quotient& b) {
  const auto rounded = [](const fw_quotient& q) {
    return dtrmc::sim::rounded_quotient(q.cost, static_cast<dtrmc::sim::UInt128>(q.size) * q.time);
  };
  return sign_of_difference(rounded(a), rounded(b));
}

} // namespace

TEST_CASE("bit lengths") {
  CHECK(fw_bit_length32(0) == 0);
  CHECK(fw_bit_length64(0) == 0);
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint64_t power = std::uint64_t{1} << i;
    CHECK(fw_bit_length64(power) == i + 1);
    CHECK(fw_bit_length64(power - 1) == i);
    CHECK(fw_bit_length64(power | 1) == (i == 0 ? 1 : i + 1));
    if (i < 32) CHECK(fw_bit_length32(static_cast<std::uint32_t>(power)) == i + 1);
  }
}

TEST_CASE("where both operands are doubles, the comparison equals that of the machine's quotients") {
  Numbers numbers(1);
  int ties = 0;
  for (int i = 0; i < 400000; ++i) {
    fw_quotient a{static_cast<std::int64_t>(numbers.up_to_bits(53)), numbers.up_to_bits(26), numbers.up_to_bits(27)};
    fw_quotient b{static_cast<std::int64_t>(numbers.up_to_bits(53)), numbers.up_to_bits(26), numbers.up_to_bits(27)};
    if (i % 2 == 0) { // nearly the same quotient
      const std::uint64_t factor = 1 + numbers.below(8);
      a.cost >>= 4;
      b = {static_cast<std::int64_t>(a.cost * static_cast<std::int64_t>(factor)), a.size, a.time};
      b.size = numbers.below(3) == 0 ? a.size * factor : a.size;
      b.time = a.time;
      b.cost += static_cast<std::int64_t>(numbers.below(3)) - 1;
      if (b.cost == 0 || a.cost == 0 || b.size >= std::uint64_t{1} << 26) continue;
    }
    const double left = static_cast<double>(a.cost) / static_cast<double>(a.size * a.time);
    const double right = static_cast<double>(b.cost) / static_cast<double>(b.size * b.time);
    const int expected = sign_of_difference(left, right);
    if (expected == 0) ++ties;
    REQUIRE(fw_quotient_compare(&a, &b) == expected);
    REQUIRE(fw_quotient_compare(&b, &a) == -expected);
  }
  CHECK(ties > 1000);
}

TEST_CASE("different quotients that round to one double are equal, neighbours of it are not") {
  Numbers numbers(2);
  int collisions = 0;
  int close = 0;
  for (int i = 0; i < 400000; ++i) {
    // b = a scaled by (1 + tiny): equal products but for a few units in the last places of 100-bit products.
    fw_quotient a{static_cast<std::int64_t>(std::uint64_t{1} << 60 | numbers.up_to_bits(60)),
                  std::uint64_t{1} << 50 | numbers.up_to_bits(50), numbers.up_to_bits(62)};
    fw_quotient b = a;
    b.cost += static_cast<std::int64_t>(numbers.below(2048)) - 1024;
    b.size += numbers.below(2);
    if (numbers.below(2) == 0) a.cost = -a.cost, b.cost = -b.cost;
    const int expected = reference(a, b);
    const bool same_value = static_cast<dtrmc::sim::Int128>(a.cost) * static_cast<std::int64_t>(b.size) ==
                            static_cast<dtrmc::sim::Int128>(b.cost) * static_cast<std::int64_t>(a.size);
    if (expected == 0 && !same_value) ++collisions;
    if (expected != 0) ++close;
    REQUIRE(fw_quotient_compare(&a, &b) == expected);
  }
  CHECK(collisions > 10000);
  CHECK(close > 10000);
}

TEST_CASE("any operands: all widths, both signs, the ends of the ranges") {
  Numbers numbers(3);
  const std::uint64_t ends[] = {
      1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, (std::uint64_t{1} << 62) - 1, std::uint64_t{1} << 62};
  std::vector<fw_quotient> all;
  for (const std::uint64_t cost : ends) {
    for (const std::uint64_t size : ends) {
      for (const std::uint64_t time : ends) {
        all.push_back({static_cast<std::int64_t>(cost), size, time});
        all.push_back({-static_cast<std::int64_t>(cost), size, time});
      }
    }
  }
  for (const fw_quotient& a : all) {
    const fw_quotient& b = all[numbers.below(all.size())];
    const fw_quotient& c = all[numbers.below(all.size())];
    REQUIRE(fw_quotient_compare(&a, &b) == reference(a, b));
    REQUIRE(fw_quotient_compare(&a, &c) == reference(a, c));
    REQUIRE(fw_quotient_compare(&a, &a) == 0);
  }
  for (int i = 0; i < 300000; ++i) {
    const auto draw = [&] {
      const auto cost = static_cast<std::int64_t>(numbers.up_to_bits(63));
      return fw_quotient{numbers.below(2) == 0 ? cost : -cost, numbers.up_to_bits(63), numbers.up_to_bits(63)};
    };
    const fw_quotient a = draw();
    const fw_quotient b = draw();
    REQUIRE(fw_quotient_compare(&a, &b) == reference(a, b));
  }
  const fw_quotient lowest{INT64_MIN, 1, 1};
  const fw_quotient next{INT64_MIN + 1, 1, 1}; // rounds to the same double
  const fw_quotient above{INT64_MIN + 4096, 1, 1};
  CHECK(fw_quotient_compare(&lowest, &next) == 0);
  CHECK(fw_quotient_compare(&lowest, &above) == -1);
}
