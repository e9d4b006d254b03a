// SPDX-License-Identifier: Apache-2.0
// The cached search, which remembers: sequences of decisions (cache_sequence.h), and what a search costs. The units
// ending in -checked also compare every search with a scan of their own (scoring_unit_cache_check) and stop the program
// where they differ.
#include <catch2/catch.hpp>
#include <string>

#include "tests/rtl/cache_sequence.h"

namespace {

using dtrmc::test::CacheSequence;
using dtrmc::test::Expected;
using dtrmc::test::Result;
using dtrmc::test::UnitDriver;

void check(const std::string& name, uint64_t decisions, uint64_t seed, bool narrow = false) {
  CacheSequence sequence(dtrmc::unit::make_unit(name), seed, narrow);
  sequence.run(decisions);
  CHECK(sequence.backwards > decisions / 100);
  CHECK(sequence.aborted > decisions / 1000);
  CHECK(sequence.saturated > decisions / 1000);
  CHECK(sequence.updated > decisions / 20);
  if (narrow) return;
  CHECK(sequence.near > decisions / 100);
  CHECK(sequence.mixed > decisions / 100);
  CHECK(sequence.rounded_differs > decisions / 500);
  CHECK(sequence.cycles < sequence.scan_cycles);
}

} // namespace

TEST_CASE("sequences of decisions: exact-l4-cache", "[rtl]") { check("exact-l4-cache", DTRMC_DECISIONS / 2, 31); }
TEST_CASE("sequences of decisions: cache-l4-checked", "[rtl]") { check("cache-l4-checked", DTRMC_DECISIONS / 8, 32); }
TEST_CASE("sequences of decisions: cache-l8-d448", "[rtl]") { check("cache-l8-d448", DTRMC_DECISIONS / 8, 33); }
TEST_CASE("sequences of decisions: cache-l2-d64", "[rtl]") { check("cache-l2-d64", DTRMC_DECISIONS / 8, 35); }
TEST_CASE("sequences of decisions: cache-narrow-l2", "[rtl]") {
  check("cache-narrow-l2", DTRMC_DECISIONS / 4, 34, true);
}

TEST_CASE("a cached search costs what has changed", "[rtl]") {
  UnitDriver driver("exact-l4-cache");
  driver.set_terms({true, true});
  driver.set_clock(1000000);
  for (uint32_t slot = 0; slot < 512; ++slot) driver.insert({slot, 1000 + slot, 1, 100, slot});
  const uint32_t first = driver.search().cycles;
  CHECK(first > 128); // everything is read
  // Equal stalenesses: nothing expires, whatever the clock.
  driver.set_clock(uint64_t{1} << 40);
  const uint32_t nothing = driver.search().cycles;
  CHECK(nothing < 40);
  // A candidate that is not the winner of its block: the winner, and its row.
  driver.update_cost(300, 5000);
  const uint32_t touched = driver.search().cycles;
  CHECK(touched <= nothing + 4);
  // The winner of a block: the block.
  driver.remove(304);
  const uint32_t winner = driver.search().cycles;
  CHECK(winner <= nothing + 6);
  CHECK(winner > nothing);
  // Another kind of search, or an earlier one: everything.
  driver.set_terms({true, false});
  CHECK(driver.search().cycles == first);
  driver.set_terms({true, true});
  CHECK(driver.search().cycles == first);
  driver.set_clock((uint64_t{1} << 40) - 1);
  CHECK(driver.search().cycles == first);
}

TEST_CASE("a search right after another one waits until all is kept", "[rtl]") {
  UnitDriver driver("exact-l4-cache");
  driver.set_terms({true, true});
  for (uint32_t slot = 0; slot < 512; ++slot) driver.insert({slot, 1000 + (slot * 37) % 512, 1, slot, slot});
  for (uint64_t clock = 1000; clock < 1200; clock += 7) {
    driver.set_clock(clock);
    const Expected expected = driver.expected();
    driver.start();
    while ((driver.read(SCORING_UNIT_RESULT_OFFSET) & SCORING_UNIT_RESULT_BUSY_MASK) != 0) {
    }
    const Result first = driver.result();
    driver.start();               // at once: the unit is still writing what it has learned
    driver.remove(expected.slot); // and this is for the search after it
    driver.finish();
    const Result second = driver.result();
    CHECK(first.slot() == expected.slot);
    CHECK(second.slot() == expected.slot);
    CHECK(second.cycles <= first.cycles);
  }
}
