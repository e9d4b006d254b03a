// SPDX-License-Identifier: Apache-2.0
// Units by name, and the deliberately wrong one.
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

#include "tests/rtl/unit_driver.h"

using dtrmc::test::Result;
using dtrmc::test::UnitDriver;

namespace {
const std::vector<std::string> kUnits{"exact-l1", "exact-l2", "exact-l4",    "exact-l4-cache", "exact-l8",
                                      "fp24-l4",  "log2-l4",  "mitchell-l4", "sample-sqrt"};
}

TEST_CASE("users see the units that are meant for them", "[rtl]") { CHECK(dtrmc::unit::unit_names() == kUnits); }

TEST_CASE("an unknown unit is an error that names the known ones", "[rtl]") {
  std::string known;
  for (const std::string& unit : kUnits) known += (known.empty() ? "" : ", ") + unit;
  try {
    dtrmc::unit::make_unit("exact-l3");
    FAIL("no exception");
  } catch (const std::invalid_argument& error) {
    CHECK(error.what() == "unknown scoring unit 'exact-l3' (known: " + known + ")");
  }
}

TEST_CASE("faulty-ties gives ties to the lowest order and is right otherwise", "[rtl]") {
  UnitDriver faulty("faulty-ties");
  UnitDriver right("exact-l4");
  for (UnitDriver* driver : {&faulty, &right}) {
    for (uint32_t slot = 0; slot < 9; ++slot) driver->insert({slot, 4, 1, 0, slot});
  }
  CHECK(faulty.search().slot() == 0);
  CHECK(right.search().slot() == 8);
  for (UnitDriver* driver : {&faulty, &right}) driver->update_cost(5, 3);
  CHECK(faulty.search().slot() == 5);
  CHECK(right.search().slot() == 5);
  for (UnitDriver* driver : {&faulty, &right}) driver->set_terms({false, true}); // clock 0: all infinite
  CHECK(faulty.search().slot() == 0);
  CHECK(right.search().slot() == 8);
}
