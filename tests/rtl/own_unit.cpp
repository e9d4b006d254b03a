// SPDX-License-Identifier: Apache-2.0
// The example of a unit of one's own (examples/units/sample_sqrt): it is known by its name, keeps the register map,
// looks at about sqrt(N) candidates, and picks the best of those.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "tests/rtl/unit_driver.h"

using dtrmc::test::Result;
using dtrmc::test::ScoreClass;
using dtrmc::test::UnitDriver;

namespace {

// x^32 + x^22 + x^2 + x + 1, 16 steps a draw.
uint32_t next_draw(uint32_t state) {
  for (int step = 0; step < 16; ++step) {
    state = state << 1 | ((state >> 31 ^ state >> 21 ^ state >> 1 ^ state) & 1);
  }
  return state;
}

} // namespace

TEST_CASE("sample-sqrt is the best of about sqrt(N) draws, cycle by cycle", "[rtl]") {
  UnitDriver driver("sample-sqrt");
  std::mt19937_64 random(21);
  uint64_t differs = 0;
  uint64_t searches = 0;
  for (uint32_t pool = 0; pool < 60; ++pool) {
    driver.soft_reset();
    uint32_t draw = 1;
    uint32_t reach = 0;
    const uint32_t size = 1 + static_cast<uint32_t>(random() % 200);
    const auto clock = uint64_t{1} << 40;
    driver.set_clock(clock);
    driver.set_terms({true, true});
    std::vector<std::pair<double, uint32_t>> scores; // all different, far apart as doubles go
    std::set<uint32_t> taken;
    for (uint32_t i = 0; i < size; ++i) {
      const auto slot = static_cast<uint32_t>(random() % 300);
      if (!taken.insert(slot).second) continue;
      while (reach < slot) reach = reach << 1 | 1;
      const auto cost = static_cast<int64_t>(1 + random() % 1000000007);
      const uint64_t bytes = 1 + random() % 1000003;
      const uint64_t last = random() % clock;
      driver.insert({slot, cost, bytes, last, static_cast<uint32_t>(scores.size())});
      scores.emplace_back(static_cast<double>(cost) / static_cast<double>(bytes) / static_cast<double>(clock - last),
                          slot);
    }
    for (uint32_t round = 0; round < 3; ++round, ++searches) {
      // The same draws here.
      std::pair<double, uint32_t> best{1e300, 0};
      uint32_t hits = 0;
      uint32_t cycles = 0;
      while (hits * hits < scores.size()) {
        const uint32_t slot = draw & reach;
        for (const auto& score : scores) {
          if (score.second != slot) continue;
          ++hits;
          best = std::min(best, score);
        }
        draw = next_draw(draw);
        ++cycles;
      }
      const Result result = driver.search();
      REQUIRE(result.score_class() == ScoreClass::kFinite);
      REQUIRE(result.slot() == best.second);
      REQUIRE(result.cycles == cycles);
      differs += std::min_element(scores.begin(), scores.end())->second != result.slot();
    }
  }
  CHECK(differs > searches / 4); // it is another rule than the exact one
}

TEST_CASE("sample-sqrt: empty table, zero, infinity, interrupt", "[rtl]") {
  UnitDriver driver("sample-sqrt");
  CHECK(driver.search().empty());
  driver.insert({5, 7, 0, 0, 0});
  driver.set_terms({true, false});
  CHECK(driver.search().score_class() == ScoreClass::kInfinite);
  driver.insert({5, 0, 9, 0, 1});
  const Result zero = driver.search();
  CHECK(zero.score_class() == ScoreClass::kZero);
  CHECK(zero.slot() == 5);
  driver.remove(5);
  CHECK(driver.search().empty());
}
