// SPDX-License-Identifier: Apache-2.0
#include "host/cli/quantity.h"

#include <catch2/catch.hpp>

#include "host/cli/usage_error.h"

using namespace dtrmc::cli;

TEST_CASE("byte forms: plain, decimal and binary units, exact fractions") {
  const auto bytes = [](const char* text) { return parse_bytes(text, "--budget"); };
  CHECK(bytes("0") == 0);
  CHECK(bytes("2012235830") == 2012235830);
  CHECK(bytes("2.5G") == 2500000000);
  CHECK(bytes("900M") == 900000000);
  CHECK(bytes("900MB") == 900000000);
  CHECK(bytes("64MiB") == 67108864);
  CHECK(bytes("1.5KiB") == 1536);
  CHECK(bytes("1kB") == 1000);
  CHECK(bytes("2T") == 2000000000000);
  CHECK(bytes("0.1G") == 100000000);
  CHECK(bytes("1.0000000019G") == 1000000001);
  CHECK(bytes("4611686018427387904") == 4611686018427387904U);
  for (const char* bad : {"", "-5", "G", "1.5", "1.G", "1e9", "5 G", "5X", "0x10", "1GG", "nan",
                          "100000000000000000000000", "4611686018427387905", "9999999999T"}) {
    INFO(bad);
    CHECK_THROWS_AS(bytes(bad), UsageError);
  }
}

TEST_CASE("numbers are finite decimals") {
  CHECK(parse_number("0.3", "--ratio") == 0.3);
  CHECK(parse_number("1e-3", "--ratio") == 0.001);
  for (const char* bad : {"", "nan", "inf", "0x1p3", "1e999", "0.3x", " 0.3", "text", "-", "1e"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_number(bad, "--ratio"), UsageError);
  }
}
