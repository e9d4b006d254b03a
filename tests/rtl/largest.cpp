// SPDX-License-Identifier: Apache-2.0
// The largest instance: 16 lanes, 16,384 slots, and its behavioural model beside it. Built and run by largest.sh alone,
// since it takes minutes to compile.
// usage: largest [seed]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vlargest.h"
#include "rtl/model/behavioural_unit.h"
#include "rtl/model/verilated_unit.h"
#include "tests/rtl/lockstep_unit.h"
#include "tests/rtl/pools.h"
#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::Expected;
using dtrmc::test::PoolGenerator;
using dtrmc::test::Result;
using dtrmc::test::ScoreClass;
using dtrmc::test::UnitDriver;

void require(bool good, const char* what, int line) {
  if (good) return;
  std::printf("largest.cpp:%d: not so: %s\n", line, what);
  std::exit(1);
}
#define REQUIRE(condition) require(condition, #condition, __LINE__)

void decide(UnitDriver& driver) {
  const Expected expected = driver.expected();
  const Result result = driver.search();
  REQUIRE(result.done());
  REQUIRE(result.cycles == driver.expected_cycles());
  REQUIRE(result.score_class() == expected.score_class);
  REQUIRE(expected.score_class == ScoreClass::kNone || result.slot() == expected.slot);
  REQUIRE(result.mixed() == expected.mixed);
  REQUIRE(!expected.near_required || result.near());
  REQUIRE(expected.near_allowed || !result.near());
  REQUIRE(driver.read(SCORING_UNIT_COUNT_OFFSET) == driver.candidates().size());
}

} // namespace

int main(int argc, char** argv) {
  std::mt19937_64 random(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1);
  std::string why;
  const auto parameters = dtrmc::unit::parse_parameters("LANES=16 DEPTH=16384", why);
  UnitDriver driver(std::make_unique<dtrmc::test::LockstepUnit>(
      std::make_unique<dtrmc::unit::VerilatedUnit<Vlargest>>("largest"),
      std::make_unique<dtrmc::unit::BehaviouralUnit>("largest", *parameters)));
  REQUIRE(driver.lanes() == 16);
  REQUIRE(driver.depth() == 16384);
  driver.set_terms({true, true});

  // One candidate, in the slots around every boundary.
  for (uint32_t slot = 1; slot <= driver.depth(); slot *= 2) {
    for (const uint32_t place : {slot - 1, slot % driver.depth()}) {
      driver.insert({place, 5, 1, 0, place});
      decide(driver);
      driver.remove(place);
    }
  }
  decide(driver);
  REQUIRE(driver.unit().write(UnitDriver::field(driver.depth() - 1, 0), 0).error == false);

  // The full table, with changes between decisions.
  uint32_t order = 0;
  for (uint32_t pool = 0; pool < 3; ++pool) {
    driver.soft_reset();
    order = 0;
    const PoolGenerator generator(random);
    driver.set_clock(generator.clock);
    driver.set_terms({true, true});
    const auto draw = [&](uint32_t slot) {
      Candidate candidate = generator.draw(random);
      candidate.slot = slot;
      candidate.order = order++;
      return candidate;
    };
    for (uint32_t slot = 0; slot < driver.depth(); ++slot) driver.insert(draw(slot));
    REQUIRE(driver.expected_cycles() > 1024);
    for (uint32_t decision = 0; decision < 12; ++decision) {
      decide(driver);
      if (!driver.candidates().empty()) driver.remove(driver.result().slot()); // the victim goes
      for (uint32_t change = 0; change < 40; ++change) {
        const auto slot = static_cast<uint32_t>(random() % driver.depth());
        if (!driver.holds(slot)) {
          driver.insert(draw(slot));
        } else if (random() % 3 == 0) {
          driver.remove(slot);
        } else {
          driver.update_cost(slot, generator.draw(random).cost);
        }
      }
    }
  }
  std::puts("largest: right");
  return 0;
}
