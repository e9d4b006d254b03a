// SPDX-License-Identifier: Apache-2.0
// Every bit of every value: random words of every width and their neighbours of powers of two, words of 64 bits that do
// not fit, the end of the insertion order, cached winners that last for every span of time, long counters. What toggles
// nowhere else toggles here (tests/rtl/coverage). Access by access against the behavioural model, and against the
// reference where arithmetic is exact.
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>

#include "tests/rtl/lockstep_unit.h"
#include "tests/rtl/pools.h"
#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::Expected;
using dtrmc::test::LockstepUnit;
using dtrmc::test::PoolGenerator;
using dtrmc::test::Result;
using dtrmc::test::Terms;
using dtrmc::test::UnitDriver;
using dtrmc::unit::UnitInfo;

constexpr Terms kBoth{true, true};

bool below_power(uint64_t value, unsigned bits) { return bits >= 64 || value >> bits == 0; }

class Extremes {
 public:
  Extremes(const std::string& name, uint64_t seed) : driver_(std::make_unique<LockstepUnit>(name)), random_(seed) {}

  UnitDriver& driver() { return driver_; }
  const UnitInfo& info() { return driver_.unit().info(); }
  uint64_t below(uint64_t limit) { return random_() % limit; }
  uint64_t any() { return random_(); }

  // Of `width` bits: any, a power of two, one with a bit missing, any of fewer bits.
  uint64_t bits(unsigned width) {
    const uint64_t all = ~uint64_t{0} >> (64 - width);
    switch (below(4)) {
      case 0:
        return random_() & all;
      case 1:
        return uint64_t{1} << below(width);
      case 2:
        return all ^ (uint64_t{1} << below(width));
      default:
        return PoolGenerator::log_uniform(random_, width);
    }
  }

  Candidate draw(uint32_t slot) {
    Candidate candidate;
    candidate.slot = slot;
    const unsigned cost_bits = info().cost_bits;
    const auto magnitude = static_cast<int64_t>(below(16) == 0 ? uint64_t{1} << (cost_bits - 1) : bits(cost_bits - 1));
    candidate.cost = below(2) == 0 && magnitude >> (cost_bits - 1) == 0 ? magnitude : -magnitude;
    candidate.size = bits(info().size_bits);
    candidate.last = bits(info().time_bits);
    // Distinct: the low bits are the slot.
    uint32_t low = 1;
    while (low < info().depth) low *= 2;
    candidate.order = static_cast<uint32_t>((bits(info().order_bits) & ~uint64_t{low - 1}) | slot);
    return candidate;
  }

  uint64_t clock() { return bits(info().time_bits); }

  Result search(Terms terms, uint64_t clock) {
    driver_.set_terms(terms);
    driver_.set_clock(clock);
    bool sat = terms.staleness && !below_power(clock, info().time_bits);
    for (const Candidate& candidate : driver_.candidates()) {
      const int64_t beyond = candidate.cost >> (info().cost_bits - 1);
      sat = sat || (beyond != 0 && beyond != -1) || (terms.size && !below_power(candidate.size, info().size_bits)) ||
            (terms.staleness && !below_power(candidate.last, info().time_bits)) ||
            !below_power(candidate.order, info().order_bits);
    }
    const Result result = driver_.search();
    INFO(info().name << ", " << driver_.candidates().size() << " candidates, clock " << clock);
    REQUIRE(result.done());
    REQUIRE(result.sat() == sat);
    REQUIRE(result.empty() == driver_.candidates().empty());
    if (sat || result.empty() || info().arithmetic != "exact") return result; // the rest is the model's to say
    const Expected expected = driver_.expected();
    REQUIRE(result.score_class() == expected.score_class);
    REQUIRE(result.slot() == expected.slot);
    REQUIRE(result.mixed() == expected.mixed);
    if (expected.near_required) REQUIRE(result.near());
    if (!expected.near_allowed) REQUIRE_FALSE(result.near());
    return result;
  }

 private:
  UnitDriver driver_;
  std::mt19937_64 random_;
};

} // namespace

TEST_CASE("every bit of cost, size, last access, order and clock", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4-cache", "log2-fine-l1", "mitchell-narrow-l2", "fp24-l4");
  Extremes unit(name, 61);
  UnitDriver& driver = unit.driver();
  const auto slot = [&] { return static_cast<uint32_t>(unit.below(driver.depth())); };
  for (uint32_t pool = 0; pool < 60; ++pool) {
    driver.soft_reset();
    driver.set_clock(unit.clock());
    for (uint32_t left = pool % 20 == 0 ? 3 * driver.depth() : 16; left > 0; --left) driver.insert(unit.draw(slot()));
    for (uint32_t changes = 0; changes < 4; ++changes) {
      unit.search(unit.below(4) == 0 ? Terms{unit.below(2) == 0, unit.below(2) == 0} : kBoth, unit.clock());
      const uint32_t changed = slot();
      if (driver.holds(changed)) driver.remove(changed);
      driver.insert(unit.draw(slot()));
    }
  }
}

TEST_CASE("every bit of a word that does not fit", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4-cache", "mitchell-narrow-l2", "fp24-l4");
  Extremes unit(name, 62);
  UnitDriver& driver = unit.driver();
  for (uint32_t i = 0; i < 4; ++i) driver.insert(unit.draw(i));
  for (unsigned bit = 0; bit < 64; ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    const auto slot = static_cast<uint32_t>(unit.below(driver.depth()));
    const bool held = driver.holds(slot);
    const Candidate fits = held ? driver.at(slot) : unit.draw(slot);
    for (const uint64_t value : {power, ~power, unit.any()}) {
      for (unsigned field = 0; field < 4; ++field) {
        Candidate wide = fits;
        if (field == 0) wide.cost = static_cast<int64_t>(value);
        if (field == 1) wide.size = value;
        if (field == 2) wide.last = value;
        driver.insert(wide);
        unit.search(Terms{field != 2, field != 1}, field == 3 ? value : unit.clock());
      }
    }
    driver.insert(fits);
    unit.search(kBoth, unit.clock());
    if (!held) driver.remove(slot);
  }
}

TEST_CASE("the insertion order ends at 2^32 and says so", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4-cache", "log2-fine-l1", "fp24-l4");
  Extremes unit(name, 63);
  UnitDriver& driver = unit.driver();
  for (unsigned bit = 1; bit <= 32; ++bit) {
    const auto last_of = static_cast<uint32_t>((uint64_t{1} << bit) - 1); // the next one carries as far as `bit`
    driver.insert({0, 4, 1, 0, last_of});
    unit.search(kBoth, 1000);
    CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == static_cast<uint32_t>(last_of + 1));
    driver.remove(0);
  }
  // Beyond it, entries say so one by one, until software numbers anew.
  for (uint32_t slot = 0; slot < driver.depth(); ++slot) driver.insert({slot, 4, 1, 0, slot});
  CHECK_FALSE(unit.search(kBoth, 1000).sat());
  driver.insert({0, 4, 1, 0, 0xFFFFFFFF});
  for (uint32_t slot = 1; slot < driver.depth(); ++slot) {
    driver.write(UnitDriver::field(slot, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0);
  }
  CHECK(driver.search().sat());
  for (uint32_t slot = 1; slot < driver.depth(); ++slot) {
    CHECK(driver.search().sat());
    driver.insert({slot, 4, 1, 0, slot});
  }
  CHECK(unit.search(kBoth, 1000).slot() == 0);
}

// Of equal quotients one product of mantissas is twice the other here, the exponents make up for it.
TEST_CASE("floats whose products are apart by a factor of two, and equal", "[rtl]") {
  Extremes unit("fp24-l4", 66);
  UnitDriver& driver = unit.driver();
  const Terms size{true, false};
  for (const uint32_t other : {1u, 4u}) { // in the tree, in the accumulator
    for (const bool older : {false, true}) {
      driver.soft_reset();
      driver.insert({0, 3, 1, 0, older ? 1u : 2u});
      driver.insert({other, 9, 3, 0, older ? 2u : 1u});
      CHECK(unit.search(size, 0).slot() == (older ? other : 0));
      CHECK(unit.search(size, 0).slot() == driver.expected().slot);
      driver.insert({0, -9, 3, 0, older ? 1u : 2u});
      driver.insert({other, -3, 1, 0, older ? 2u : 1u});
      CHECK(unit.search(size, 0).slot() == driver.expected().slot);
    }
  }
}

// A block's winner is the staler of two candidates whose scores cross after about 2^k units of time; the rest of the
// block stays behind. So it is kept for every span, expires in time, and is looked at alone once something beside it
// has changed.
TEST_CASE("cached winners that last for every span of time", "[rtl]") {
  Extremes unit("exact-l4-cache", 64);
  UnitDriver& driver = unit.driver();
  uint64_t cycles = 0;
  uint64_t scan_cycles = 0;
  for (uint32_t round = 0; round < 12; ++round) {
    driver.soft_reset();
    uint64_t clock = (uint64_t{1} << 46) + (unit.any() >> 18);
    driver.set_clock(clock);
    const uint32_t blocks = driver.depth() / 16;
    uint32_t order = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint64_t span = 2 + (uint64_t{1} << unit.below(46)) + unit.below(1000);
      const auto scale = static_cast<int64_t>(uint64_t{1} << unit.below(46));
      const uint64_t size = 1 | unit.any() >> (24 + unit.below(40));
      const uint32_t first = 16 * block;
      driver.insert({first + static_cast<uint32_t>(unit.below(8)), 2 * scale, size, clock - span, order++});
      driver.insert({first + 8 + static_cast<uint32_t>(unit.below(4)), scale, size, clock - 1, order++});
      driver.insert({first + 12 + static_cast<uint32_t>(unit.below(4)), 3 * scale, size, clock - 1, order++});
    }
    unit.search(kBoth, clock);
    for (unsigned step = 0; step < 46; ++step) {
      clock += uint64_t{1} << step;
      if (unit.below(2) == 0) {
        const uint32_t block = static_cast<uint32_t>(unit.below(blocks));
        for (uint32_t slot = 16 * block + 12; slot < 16 * block + 16; ++slot) {
          if (driver.holds(slot)) driver.update_cost(slot, driver.at(slot).cost + 1);
        }
      }
      cycles += unit.search(kBoth, clock).cycles;
      scan_cycles += driver.expected_cycles();
    }
  }
  CHECK(cycles < scan_cycles / 2); // else nothing was kept
}

// What a cached search remembers of a row: that it holds zeros, that it holds negative scores. One candidate a block as
// well, so that as many blocks as can are under way at once.
TEST_CASE("every row of a cached search holds a zero, a negative score, nothing", "[rtl]") {
  Extremes unit("exact-l4-cache", 65);
  UnitDriver& driver = unit.driver();
  for (uint32_t slot = 0; slot < driver.depth(); slot += 16) driver.insert({slot, 1000 - slot, 1, 0, slot});
  unit.search(kBoth, 1000);
  for (const int64_t odd : {0, -1, 0}) {
    for (uint32_t slot = 0; slot < driver.depth(); slot += 4) driver.insert({slot + 1, 5, 1, 0, slot + 1});
    for (uint32_t slot = 0; slot < driver.depth(); slot += 4) driver.insert({slot + 2, odd, 1, 0, slot + 2});
    CHECK(unit.search(kBoth, 1000).slot() == (odd == 0 ? 2 : driver.depth() - 2));
    for (uint32_t slot = 0; slot < driver.depth(); slot += 8) driver.remove(slot + 2);
    CHECK(unit.search(kBoth, 1000).slot() == (odd == 0 ? 6 : driver.depth() - 2));
  }
}

TEST_CASE("cycles add up over many searches", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4-cache");
  UnitDriver driver(name);
  for (uint32_t slot = 0; slot < driver.depth(); ++slot) driver.insert({slot, 1000, 1, 0, slot});
  uint64_t total = 0;
  const unsigned bits = driver.lanes() > 1 ? 17 : 20; // as far as some seconds go
  while (total >> bits == 0) {
    if (driver.lanes() > 1) driver.set_clock(1000 + total % 7); // back and on, so that everything is read again
    driver.set_terms({total % 3 != 0, true});
    total += driver.search().cycles;
    REQUIRE(driver.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == total);
    REQUIRE(driver.read(SCORING_UNIT_TOTAL_CYCLES_HI_OFFSET) == 0);
  }
  driver.soft_reset();
  CHECK(driver.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == 0);
}
