// SPDX-License-Identifier: Apache-2.0
// Score division against Python's int / int, whose result is the correctly rounded one.
#include "host/sim/quotient.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

using dtrmc::sim::Int128;
using dtrmc::sim::rounded_quotient;
using dtrmc::sim::UInt128;

namespace {

UInt128 parse(const std::string& digits) {
  UInt128 value = 0;
  for (const char c : digits) value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

} // namespace

TEST_CASE("small quotients are the machine's own") {
  CHECK(rounded_quotient(0, 7) == 0.0);
  CHECK(rounded_quotient(1, 3) == 1.0 / 3.0);
  CHECK(rounded_quotient(-22, 7) == -22.0 / 7.0);
}

TEST_CASE("a numerator beyond 2^53 is not rounded before the division") {
  // 2^53 + 1 rounds to 2^53 as a double; over 3 the two quotients differ.
  const Int128 odd = (Int128{1} << 53) + 1;
  CHECK(rounded_quotient(odd, 3) == 3002399751580331.0);
  CHECK(rounded_quotient(odd, 1) == 9007199254740992.0); // tie to even
  CHECK(rounded_quotient((Int128{1} << 53) + 3, 1) == 9007199254740996.0);
}

TEST_CASE("a denominator beyond 64 bits is exact") {
  const UInt128 wide = (UInt128{1} << 124) - 1;
  CHECK(rounded_quotient(1, UInt128{1} << 124) == 0x1p-124);
  CHECK(rounded_quotient(1, wide) == 0x1p-124);
  CHECK(rounded_quotient((Int128{1} << 64) - 1, UInt128{1} << 64) == 1.0);
  CHECK(rounded_quotient((Int128{1} << 64) - 1, (UInt128{1} << 64) - 1) == 1.0);
}

TEST_CASE("random and adversarial divisions equal Python's, bit for bit") {
  // numerator, denominator, float.hex() of the quotient; made by tests/data/quotients.py
  std::ifstream file("tests/data/quotients.txt");
  REQUIRE(file);
  std::string line;
  std::size_t count = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string numerator;
    std::string denominator;
    std::string hex;
    fields >> numerator >> denominator >> hex;
    const bool negative = numerator[0] == '-';
    const auto magnitude = static_cast<Int128>(parse(numerator.substr(negative ? 1 : 0)));
    INFO(line);
    CHECK(rounded_quotient(negative ? -magnitude : magnitude, parse(denominator)) == std::strtod(hex.c_str(), nullptr));
    ++count;
  }
  CHECK(count == 4000);
}
