// SPDX-License-Identifier: Apache-2.0
// The rule case by case, small enough to be checked by hand, on every lane count that is built.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::Result;
using dtrmc::test::ScoreClass;
using dtrmc::test::UnitDriver;

constexpr uint64_t kClock = 1000;

// Candidates into slots 0, 1, ...; orders 10, 11, ... in that sequence.
struct Row {
  int64_t cost;
  uint64_t size;
  uint64_t staleness;
};

void fill(UnitDriver& driver, const std::vector<Row>& rows) {
  driver.soft_reset();
  driver.set_terms({true, true});
  driver.set_clock(kClock);
  uint32_t slot = 0;
  for (const Row& row : rows) {
    driver.insert({slot, row.cost, row.size, kClock - row.staleness, slot + 10});
    ++slot;
  }
}

uint32_t winner(UnitDriver& driver, const std::vector<Row>& rows) {
  fill(driver, rows);
  const Result result = driver.search();
  REQUIRE(result.done());
  return result.slot();
}

} // namespace

TEST_CASE("the order rule, case by case", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l2", "exact-l4", "exact-l8", "exact-l4-d16", "exact-l4-cache");
  UnitDriver driver(name);
  const bool scans = driver.unit().info().search == "scan"; // others have no formula
  INFO(name);

  SECTION("the smallest quotient wins, not the smallest cost or the largest denominator") {
    CHECK(winner(driver, {{10, 1, 1}, {30, 10, 1}, {90, 10, 2}}) == 1);
    CHECK(winner(driver, {{30, 10, 1}, {10, 1, 1}, {59, 10, 2}}) == 2);
  }
  SECTION("equal quotients: the highest order, whatever their terms") {
    CHECK(winner(driver, {{2, 3, 5}, {4, 6, 5}, {6, 3, 15}, {7, 3, 5}}) == 2);
    CHECK(winner(driver, {{5, 5, 5}, {5, 5, 5}, {5, 5, 5}, {5, 5, 5}, {5, 5, 5}}) == 4);
    CHECK_FALSE(driver.result().near()); // equal is not near
  }
  SECTION("negative: the most negative quotient, ties to the highest order") {
    CHECK(winner(driver, {{-1, 1, 1}, {-3, 1, 1}, {-2, 1, 1}, {5, 1, 1}}) == 1);
    CHECK(winner(driver, {{-6, 2, 1}, {-3, 1, 1}, {1, 100, 100}}) == 1);
    CHECK(winner(driver, {{1, 1, 1}, {-1, 100, 900}}) == 1);
  }
  SECTION("zero beats every positive, the lowest order first") {
    CHECK(winner(driver, {{1, 1, 1}, {0, 1, 1}, {0, 7, 7}, {1, 900, 900}}) == 1);
    const Result result = driver.result();
    CHECK(result.score_class() == ScoreClass::kZero);
    CHECK_FALSE(result.mixed());
  }
  SECTION("zero and negative: zero is reported, and the flag that says software must decide") {
    CHECK(winner(driver, {{-1, 1, 1}, {0, 1, 1}}) == 1);
    CHECK(driver.result().mixed());
    CHECK(winner(driver, {{-1, 0, 1}, {0, 1, 1}}) == 1); // the negative one is infinite
    CHECK_FALSE(driver.result().mixed());
    CHECK(winner(driver, {{-1, 1, 1}, {0, 0, 1}}) == 0); // the zero one is infinite
    CHECK_FALSE(driver.result().mixed());
  }
  SECTION("infinite: size 0, or clock <= last access; loses to every finite one") {
    CHECK(winner(driver, {{-5, 0, 5}, {7, 1, 1}, {0, 5, 0}}) == 1);
    CHECK(winner(driver, {{1, 0, 5}, {1, 5, 0}, {0, 0, 0}}) == 2); // 0 / 0 is infinite, the highest order wins
    CHECK(driver.result().score_class() == ScoreClass::kInfinite);
    fill(driver, {{1, 1, 1}});
    driver.update_last(0, kClock + 1);
    CHECK(driver.search().score_class() == ScoreClass::kInfinite);
    driver.update_last(0, kClock);
    CHECK(driver.search().score_class() == ScoreClass::kInfinite);
    driver.update_last(0, kClock - 1);
    CHECK(driver.search().score_class() == ScoreClass::kFinite);
  }
  SECTION("terms: with neither, h is the cost itself (LRU: the last access)") {
    fill(driver, {{500, 0, 0}, {400, 0, 0}, {300, 0, 0}, {301, 0, 0}});
    driver.set_terms({false, false});
    CHECK(driver.search().slot() == 2);
    driver.set_terms({true, false});
    CHECK(driver.search().score_class() == ScoreClass::kInfinite);
    fill(driver, {{1, 10, 0}, {1, 30, 0}, {1, 20, 0}, {1, 30, 0}}); // largest first, the later of two
    driver.set_terms({true, false});
    CHECK(driver.search().slot() == 3);
    fill(driver, {{10, 0, 5}, {10, 0, 8}, {10, 0, 7}});
    driver.set_terms({false, true});
    CHECK(driver.search().slot() == 1);
  }
  SECTION("empty table, also after all were removed") {
    fill(driver, {});
    Result result = driver.search();
    CHECK(result.empty());
    CHECK(result.score_class() == ScoreClass::kNone);
    if (scans) CHECK(result.cycles == 4);
    fill(driver, {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}});
    for (uint32_t slot = 0; slot < 3; ++slot) driver.remove(slot);
    CHECK(driver.search().empty());
    CHECK(driver.read(SCORING_UNIT_COUNT_OFFSET) == 0);
  }
  SECTION("the full table, the winner in every slot, and the cycles") {
    driver.soft_reset();
    for (uint32_t slot = 0; slot < driver.depth(); ++slot) driver.insert({slot, 1000, 1, 0, slot});
    for (uint32_t slot = 0; slot<driver.depth(); slot += driver.depth()> 16 ? 7 : 1) {
      driver.update_cost(slot, 999);
      const Result result = driver.search();
      REQUIRE(result.slot() == slot);
      if (scans) REQUIRE(result.cycles == driver.expected_cycles());
      driver.update_cost(slot, 1000);
    }
  }
  SECTION("one candidate in every slot: found, and only the rows up to it cost time") {
    driver.soft_reset();
    for (uint32_t slot = 0; slot < driver.depth(); ++slot) {
      driver.insert({slot, 7, 1, 0, slot});
      const Result result = driver.search();
      REQUIRE(result.slot() == slot);
      REQUIRE_FALSE(result.empty());
      if (scans) REQUIRE(result.cycles == driver.expected_cycles());
      driver.remove(slot);
    }
  }
}

TEST_CASE("the cycle counts of the documentation", "[rtl]") {
  const auto full = [](const std::string& name) {
    UnitDriver driver(name);
    for (uint32_t slot = 0; slot < driver.depth(); ++slot) driver.insert({slot, 5, 1, 0, slot});
    return driver.search().cycles;
  };
  CHECK(full("exact-l1") == 512 + 18);
  CHECK(full("exact-l2") == 256 + 18 + 4);
  CHECK(full("exact-l4") == 128 + 18 + 8);
  CHECK(full("exact-l8") == 64 + 18 + 12);
  CHECK(full("exact-l4-d16") == 4 + 18 + 8);
}

TEST_CASE("NEAR on both sides of its bound", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l2", "exact-l4", "exact-l8");
  UnitDriver driver(name);
  INFO(name);
  driver.set_terms({true, false});
  // Two candidates; the cross products are cost_0 size_1 and cost_1 size_0.
  const auto search = [&](int64_t cost_0, uint64_t size_0, int64_t cost_1, uint64_t size_1) {
    driver.insert({0, cost_0, size_0, 0, 0});
    driver.insert({1, cost_1, size_1, 0, 1});
    return driver.search();
  };
  const int64_t p = 13500313; // p q = 2^51 - 1
  const uint64_t q = 166796119;
  REQUIRE(static_cast<uint64_t>(p) * q == (uint64_t{1} << 51) - 1);
  const int64_t r = 9956166; // r s = 2^51 - 2
  const uint64_t s = 226171381;
  REQUIRE(static_cast<uint64_t>(r) * s == (uint64_t{1} << 51) - 2);

  const Result at_bound = search(1 << 25, q, p, 1 << 26); // 2^51 and 2^51 - 1: 1 <= 2^51 >> 51
  CHECK(at_bound.slot() == 1);
  CHECK(at_bound.near());
  const Result below_bound = search(p, s, r, q); // 2^51 - 1 and 2^51 - 2: 1 > 0
  CHECK(below_bound.slot() == 1);
  CHECK_FALSE(below_bound.near());
  const Result negative = search(-(1 << 25), q, -p, 1 << 26);
  CHECK(negative.slot() == 0);
  CHECK(negative.near());
  CHECK_FALSE(search(-(1 << 25), q, p, 1 << 26).near());          // opposite signs are never near
  CHECK_FALSE(search(1 << 25, 1 << 26, 1 << 24, 1 << 25).near()); // equal quotients neither

  // Near, but neither is the winner: sticky over all comparisons, so a flag is allowed; without them there is none.
  search(1 << 25, q, p, 1 << 26);
  driver.insert({2, 1, 1 << 30, 0, 2});
  CHECK(driver.search().slot() == 2);
  driver.remove(0);
  CHECK_FALSE(driver.search().near());
}

TEST_CASE("NEAR far beyond 64 bits", "[rtl]") {
  UnitDriver driver("exact-l4");
  const uint64_t clock = (uint64_t{1} << 48) - 1;
  const uint64_t s = (uint64_t{1} << 39) - 1;
  driver.set_terms({true, true});
  driver.set_clock(clock);
  // s (2 s + 4) = 2 s^2 + 4 s, less by 2 than (s + 1) (2 s + 2): 2^-79 of itself.
  driver.insert({0, 123456789, s, clock - (2 * s + 4), 1});
  driver.insert({1, 123456789, s + 1, clock - (2 * s + 2), 0});
  CHECK(driver.search().slot() == 1); // doubles would take slot 0, the later order
  CHECK(driver.result().near());
  CHECK(driver.expected().rounded_slot == 0);
  driver.insert({0, 123456789, s - 1, clock - (2 * s + 4), 1}); // now 2^-39
  CHECK(driver.search().slot() == 1);
  CHECK_FALSE(driver.result().near());
}

TEST_CASE("SAT: a value that does not fit is flagged where it is used, until it is overwritten", "[rtl]") {
  UnitDriver driver("exact-l4");
  driver.set_terms({true, true});
  driver.set_clock(kClock);
  const auto reset_entry = [&] { driver.insert({6, 5, 5, 5, 5}); };
  reset_entry();
  CHECK_FALSE(driver.search().sat());

  SECTION("cost") {
    for (const int64_t fits : {(int64_t{1} << 47) - 1, -(int64_t{1} << 47)}) {
      driver.update_cost(6, fits);
      CHECK_FALSE(driver.search().sat());
    }
    for (const int64_t too_wide : {int64_t{1} << 47, -(int64_t{1} << 47) - 1, INT64_MAX, INT64_MIN}) {
      driver.update_cost(6, too_wide);
      CHECK(driver.search().sat());
      driver.set_terms({false, false});
      CHECK(driver.search().sat()); // the cost is always used
      driver.set_terms({true, true});
      driver.update_cost(6, 5);
      CHECK_FALSE(driver.search().sat());
    }
  }
  SECTION("size, where it is a term") {
    driver.write(UnitDriver::field(6, SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET), 0x100);
    CHECK(driver.search().sat());
    driver.set_terms({false, true});
    CHECK_FALSE(driver.search().sat());
    driver.set_terms({true, true});
    driver.write(UnitDriver::field(6, SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET), 0xFF);
    CHECK_FALSE(driver.search().sat());
  }
  SECTION("last access, where it is a term") {
    driver.write(UnitDriver::field(6, SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET), 0x10000);
    CHECK(driver.search().sat());
    driver.set_terms({true, false});
    CHECK_FALSE(driver.search().sat());
    driver.set_terms({true, true});
    driver.write(UnitDriver::field(6, SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET), 0xFFFF);
    CHECK_FALSE(driver.search().sat());
  }
  SECTION("clock, where it is a term") {
    driver.set_clock(uint64_t{1} << 48);
    CHECK(driver.search().sat());
    driver.set_terms({true, false});
    CHECK_FALSE(driver.search().sat());
    driver.set_terms({true, true});
    driver.set_clock((uint64_t{1} << 48) - 1);
    CHECK_FALSE(driver.search().sat());
  }
  SECTION("an entry that was removed no longer counts") {
    driver.update_cost(6, INT64_MAX);
    driver.insert({7, 1, 1, 1, 7});
    CHECK(driver.search().sat());
    driver.remove(6);
    CHECK_FALSE(driver.search().sat());
  }
}

TEST_CASE("SAT follows the widths of the instance", "[rtl]") {
  UnitDriver driver("narrow-l2");
  const auto& info = driver.unit().info();
  REQUIRE((info.cost_bits == 33 && info.size_bits == 20 && info.time_bits == 24 && info.order_bits == 16));
  driver.set_terms({true, true});
  driver.set_clock((1u << 24) - 1);
  const int64_t cost = (int64_t{1} << 32) - 1;
  driver.insert({23, cost, (1u << 20) - 1, 0, 0xFFFF});
  driver.insert({22, -cost - 1, (1u << 20) - 1, 0, 0});
  CHECK(driver.search().slot() == 22);
  CHECK_FALSE(driver.result().sat());
  for (const Candidate& wide :
       {Candidate{23, cost + 1, 1, 0, 1}, Candidate{23, -cost - 2, 1, 0, 1}, Candidate{23, 1, 1u << 20, 0, 1},
        Candidate{23, 1, 1, 1u << 24, 1}, Candidate{23, 1, 1, 0, 0x10000}}) {
    driver.insert(wide);
    CHECK(driver.search().sat());
  }
  driver.insert({23, 1, 1, 0, 1});
  CHECK_FALSE(driver.search().sat());
  driver.set_clock(1u << 24);
  CHECK(driver.search().sat());
}

TEST_CASE("the example of rtl/doc/programming-guide.md", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4", "exact-l4-cache", "log2-l4", "mitchell-l4", "fp24-l4");
  INFO(name);
  UnitDriver driver(name);
  dtrmc::unit::RtlUnit& unit = driver.unit();
  CHECK(unit.read(0x00000).data == 0x44545253);
  unit.write(0x00010, 0x2);
  unit.write(0x0000C, 0x3);
  unit.write(0x00014, 0x1);
  unit.write(0x80000, 100);
  unit.write(0x80008, 10);
  unit.write(0x80018, 5);
  unit.write(0x80020, 100);
  unit.write(0x80028, 20);
  unit.write(0x80038, 5);
  unit.write(0x00018, 15);
  unit.write(0x00010, 0x1);
  while (!unit.irq()) unit.clock(1);
  CHECK(unit.read(0x00020).data == 0x40010001);
  unit.write(0x00010, 0x4);
  CHECK_FALSE(unit.irq());
  unit.write(0x8003C, 0);
  unit.write(0x00010, 0x1);
  while (!unit.irq()) unit.clock(1);
  CHECK(unit.read(0x00020).data == 0x40010000);
}
