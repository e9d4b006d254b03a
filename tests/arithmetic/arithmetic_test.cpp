// SPDX-License-Identifier: Apache-2.0
// The approximate arithmetics against plain mathematics in floating point, and their names.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "host/arithmetic/arithmetic.h"

using dtrmc::arithmetic::Format;
using dtrmc::arithmetic::name;
using dtrmc::arithmetic::parse;

namespace {

// Every leading bit position, as much below it as there is: 1 to 2^64 - 1.
std::uint64_t draw(std::mt19937_64& random) {
  const unsigned bits = 1 + static_cast<unsigned>(random() % 64);
  return (random() >> (64 - bits)) | (std::uint64_t{1} << (bits - 1));
}

double log2_model(const Format& format, std::uint64_t value) {
  return std::ldexp(static_cast<double>(score_log2(&format, value)), -static_cast<int>(format.fraction));
}

// `value`, below 2^64, with `bits` + 1 significant bits: the current rounding mode is to nearest, ties to even.
double rounded(long double value, unsigned bits) {
  int exponent = 0;
  const long double mantissa = std::frexp(value, &exponent); // 1/2 to 1
  const int shift = static_cast<int>(bits) + 1;
  return static_cast<double>(std::ldexp(std::nearbyint(std::ldexp(mantissa, shift)), exponent - shift));
}

} // namespace

TEST_CASE("names") {
  for (const char* text :
       {"exact", "log2", "log2:8:256", "log2:22:2", "mitchell", "mitchell:1", "fp24", "fp9", "fp30"}) {
    CHECK(name(parse(text)) == text);
  }
  CHECK(name(parse("log2:16:64")) == "log2");
  CHECK(name(parse("log2:16")) == "log2");
  CHECK(name(parse("log2:4")) == "log2:4:16");
  CHECK(name(parse("mitchell:16")) == "mitchell");
  for (const char* text :
       {"", "Exact", "log", "log2:", "log2:0", "log2:23", "log2:8:3", "log2:8:512", "log2:3:16", "log2:8:64:1",
        "mitchell:x", "mitchell:1:2", "fp", "fp8", "fp31", "fp24:1", "exact:1", "fp 24", "log2:16:-4"}) {
    INFO(text);
    CHECK_THROWS_AS(parse(text), std::invalid_argument);
  }
}

TEST_CASE("the table's logarithms are as near as chords and bits allow") {
  std::mt19937_64 random(1);
  for (const auto& [text, bound] : std::vector<std::pair<const char*, double>>{
           // Largest distance of a chord: segment^2 / 8 x 1.4427; each of three roundings: one unit of the last place.
           {"log2", 1.4427 / 8 / 64 / 64 + 3.0 / 65536},
           {"log2:22:256", 1.4427 / 8 / 65536 + 3.0 / 4194304},
           {"log2:8:256", 3.0 / 256},
           {"log2:12:2", 1.4427 / 8 / 4 + 3.0 / 4096}}) {
    const Format format = parse(text);
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
      const std::uint64_t value = draw(random);
      worst = std::max(worst, std::fabs(log2_model(format, value) -
                                        static_cast<double>(std::log2(static_cast<long double>(value)))));
    }
    INFO(text << ": " << worst << " of " << bound);
    CHECK(worst <= bound);
    CHECK(worst > bound / 8); // the bound says something
  }
}

TEST_CASE("Mitchell's logarithm is the leading bit's position and the bits behind it") {
  std::mt19937_64 random(2);
  const Format format = parse("mitchell");
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t value = draw(random);
    int exponent = 0;
    const long double mantissa = 2 * std::frexp(static_cast<long double>(value), &exponent);
    const auto expected =
        static_cast<double>(static_cast<long double>(exponent - 1) + std::floor(std::ldexp(mantissa - 1, 16)) / 65536);
    REQUIRE(log2_model(format, value) == expected);
  }
}

TEST_CASE("logarithms never fall and are exact at powers of two") {
  for (const char* text : {"log2", "log2:8:256", "log2:22:2", "mitchell", "mitchell:3"}) {
    const Format format = parse(text);
    for (std::uint64_t value = 1; value < 100000; ++value) {
      REQUIRE(score_log2(&format, value) <= score_log2(&format, value + 1));
    }
    for (unsigned bit = 0; bit < 64; ++bit) {
      CHECK(score_log2(&format, std::uint64_t{1} << bit) == bit << format.fraction);
    }
  }
}

TEST_CASE("floats are rounded to nearest, ties to even, and compared exactly") {
  std::mt19937_64 random(3);
  for (const char* text : {"fp24", "fp9", "fp12", "fp30"}) {
    const Format format = parse(text);
    std::array<std::uint64_t, 3> before = {1, 1, 1};
    score_key key_before = score_key_of(&format, 1, 0, 1, 1);
    std::uint64_t equal = 0;
    for (int i = 0; i < 100000; ++i) {
      std::array<std::uint64_t, 3> values{};
      // Short mantissas hit ties.
      for (std::uint64_t& value : values) {
        value = random() % 2 == 0 ? draw(random) : (draw(random) & ~(~std::uint64_t{0} >> random() % 8));
        if (value == 0) value = 3;
      }
      if (random() % 3 == 0) values = {before[0] ^ (random() & 1), before[1], before[2]};
      if (values[0] == 0) values[0] = 1;
      const score_key key = score_key_of(&format, values[0], 0, values[1], values[2]);
      const double cost = rounded(static_cast<long double>(values[0]), format.fraction);
      const double denominator =
          rounded(static_cast<long double>(rounded(static_cast<long double>(values[1]), format.fraction)) *
                      rounded(static_cast<long double>(values[2]), format.fraction),
                  format.fraction);
      REQUIRE(std::ldexp(static_cast<double>(key.numerator) / key.denominator, key.exponent) == cost / denominator);
      // Cross products of mantissas of up to 23 bits fit a long double.
      const auto quotient = [](const score_key& k) {
        return std::pair<long double, long double>(k.numerator, k.denominator);
      };
      const auto [a, b] = quotient(key);
      const auto [c, d] = quotient(key_before);
      const long double left = std::ldexp(a * d, key.exponent);
      const long double right = std::ldexp(c * b, key_before.exponent);
      const int expected = left < right ? -1 : left > right ? 1 : 0;
      REQUIRE(score_compare(&key, &key_before) == expected);
      REQUIRE(score_compare(&key_before, &key) == -expected);
      equal += expected == 0;
      before = values;
      key_before = key;
    }
    CHECK(equal > 100);
  }
}

TEST_CASE("negative scores are below positive ones, and turn the order around") {
  for (const char* text : {"log2", "mitchell", "fp24"}) {
    const Format format = parse(text);
    const score_key small = score_key_of(&format, 1000, 0, 7, 9);
    const score_key large = score_key_of(&format, 2000, 0, 7, 9);
    const score_key less = score_key_of(&format, 2000, 1, 7, 9);
    const score_key least = score_key_of(&format, 4000, 1, 7, 9);
    CHECK(score_compare(&small, &large) == -1);
    CHECK(score_compare(&less, &small) == -1);
    CHECK(score_compare(&small, &less) == 1);
    CHECK(score_compare(&least, &less) == -1);
    CHECK(score_compare(&less, &least) == 1);
    CHECK(score_compare(&least, &least) == 0);
  }
}
