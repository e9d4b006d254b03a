// SPDX-License-Identifier: Apache-2.0
// The behavioural model against the RTL, access by access: random sequences with errors, strobes, resets during a
// search, writes that wait, values that do not fit, equal orders, clocks that run on and back; and what a cached search
// meets (cache_sequence.h). DTRMC_LOCKSTEP_ACCESSES in all, shared by the units.
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <string>

#include "rtl/generated/scoring_unit_regs.h"
#include "tests/rtl/cache_sequence.h"
#include "tests/rtl/lockstep_unit.h"
#include "tests/rtl/pools.h"

namespace {

using dtrmc::test::CacheSequence;
using dtrmc::test::Candidate;
using dtrmc::test::LockstepUnit;
using dtrmc::test::PoolGenerator;
using dtrmc::test::PoolKind;
using Access = dtrmc::unit::RtlUnit::Access;

// What the sequences have reached, so that a generator gone stale cannot pass.
struct Seen {
  uint64_t searches = 0, waited = 0, errors = 0, aborted = 0, near = 0, mixed = 0, sat = 0, empty = 0, strobed = 0,
           deep = 0, queued = 0, noting = 0;
};

class Session {
 public:
  Session(const std::string& name, uint64_t seed) : unit_(name), random_(seed) {}

  const Seen& run(uint64_t accesses) {
    while (unit_.accesses() < accesses) step();
    return seen_;
  }

 private:
  uint64_t below(uint64_t limit) { return random_() % limit; }

  Access write(uint32_t offset, uint32_t data, uint8_t strobes = 0xF) {
    const bool busy = unit_.busy();
    const Access access = unit_.write(offset, data, strobes);
    seen_.waited += access.cycles > 2;
    seen_.queued += access.busy > 0 && unit_.busy() && !access.error;
    seen_.errors += access.error;
    seen_.strobed += strobes != 0xF && !access.error;
    seen_.aborted += busy && access.cycles == 2 && !unit_.busy();
    return access;
  }

  uint32_t field(uint32_t slot, uint32_t offset) const {
    return SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE + offset;
  }

  void write_pair(uint32_t slot, uint32_t offset, uint64_t value) {
    write(field(slot, offset), static_cast<uint32_t>(value));
    write(field(slot, offset) + 4, static_cast<uint32_t>(value >> 32));
  }

  void insert(uint32_t slot) {
    const Candidate candidate = generator_.draw(random_);
    write_pair(slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, static_cast<uint64_t>(candidate.cost));
    write_pair(slot, SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, candidate.size);
    if (below(8) == 0) { // anywhere; now and then an order twice: against the rules, but the model must not differ
      write(SCORING_UNIT_NEXT_ORDER_OFFSET, static_cast<uint32_t>(below(2) == 0 ? below(4) : random_()));
    }
    write(field(slot, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), static_cast<uint32_t>(candidate.last));
    if (below(2) == 0) {
      write(field(slot, SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET), static_cast<uint32_t>(candidate.last >> 32));
    }
  }

  void change_terms() {
    // At the pool's clock, or before it: on from the last time or back. Quotients collide at one clock.
    uint64_t clock = generator_.clock + below(3);
    if (generator_.kind != PoolKind::kColliding && below(2) == 0) {
      clock -= std::min(clock, PoolGenerator::log_uniform(random_, 48));
    }
    write(SCORING_UNIT_CLOCK_LO_OFFSET, static_cast<uint32_t>(clock));
    write(SCORING_UNIT_CLOCK_HI_OFFSET, static_cast<uint32_t>(clock >> 32));
    write(SCORING_UNIT_MODE_OFFSET, static_cast<uint32_t>(below(3) == 0 ? below(4) : 3));
  }

  void new_pool() {
    write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK);
    do { // quotients that collide in every second pool
      generator_ = PoolGenerator(random_);
    } while (generator_.kind != PoolKind::kColliding && below(3) != 0);
    const uint32_t depth = unit_.info().depth;
    const bool full = below(40) == 0;
    span_ = full ? depth : std::min<uint32_t>(depth, 1 + static_cast<uint32_t>(below(40)));
    first_ = below(2) == 0 ? 0 : static_cast<uint32_t>(below(depth - span_ + 1));
    for (uint32_t i = 0; i < span_; ++i) {
      if (full || below(5) != 0) insert(first_ + i);
    }
    change_terms();
    write(SCORING_UNIT_IRQ_ENABLE_OFFSET, static_cast<uint32_t>(below(2)));
  }

  void finish() {
    while (unit_.busy()) {
      unit_.clock(below(2) == 0 ? unit_.steady_cycles() : 1 + below(9));
      if (unit_.busy() && below(8) == 0) look_at_result();
    }
    look_at_result();
  }

  void look_at_result() {
    const bool busy = unit_.busy();
    const uint32_t result = unit_.read(SCORING_UNIT_RESULT_OFFSET).data;
    seen_.noting += busy && (result & SCORING_UNIT_RESULT_BUSY_MASK) == 0; // or writes wait
    seen_.near += (result & SCORING_UNIT_RESULT_NEAR_MASK) != 0;
    seen_.mixed += (result & SCORING_UNIT_RESULT_MIXED_MASK) != 0;
    seen_.sat += (result & SCORING_UNIT_RESULT_SAT_MASK) != 0;
    seen_.empty += (result & SCORING_UNIT_RESULT_EMPTY_MASK) != 0;
    const uint32_t cycles = unit_.read(SCORING_UNIT_CYCLES_OFFSET).data;
    seen_.deep += cycles > 40;
  }

  void anything() { // an access that means nothing, anywhere in the window
    const auto offset = static_cast<uint32_t>(below(3) == 0 ? below(0x80) : below(SCORING_UNIT_WINDOW_BYTES));
    if (below(2) == 0) {
      seen_.errors += unit_.read(offset).error;
      return;
    }
    write(offset, static_cast<uint32_t>(random_()), static_cast<uint8_t>(below(16)));
  }

  void step() {
    const uint32_t slot = first_ + static_cast<uint32_t>(below(span_));
    switch (below(16)) {
      case 0:
        if (below(4) == 0) new_pool();
        break;
      case 1:
        insert(slot);
        break;
      case 2:
        if (below(2) == 0) write(field(slot, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0);
        break;
      case 3:
        write_pair(slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, static_cast<uint64_t>(generator_.draw(random_).cost));
        break;
      case 4:
        write_pair(slot, SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, generator_.draw(random_).last);
        break;
      case 5:
        change_terms();
        break;
      case 6: // part of a field, also in a unit that is busy
        write(field(slot, 4 * static_cast<uint32_t>(below(8))), static_cast<uint32_t>(below(4)),
              static_cast<uint8_t>(below(16)));
        break;
      case 7:
        anything();
        break;
      case 8:
        unit_.read(4 * static_cast<uint32_t>(below(18)));
        break;
      case 9:
        unit_.clock(1 + below(30));
        break;
      case 10: // any combination, also while busy
        write(SCORING_UNIT_CONTROL_OFFSET, static_cast<uint32_t>(below(below(20) == 0 ? 8 : 6) & ~uint64_t{2}),
              below(4) == 0 ? static_cast<uint8_t>(below(16)) : 0xF);
        break;
      case 11:
        if (below(30) == 0) {
          seen_.aborted += unit_.busy();
          unit_.reset();
        }
        if (below(30) == 0) write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK);
        break;
      default:
        write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK);
        ++seen_.searches;
        if (below(3) != 0) finish();
    }
  }

  LockstepUnit unit_;
  std::mt19937_64 random_;
  PoolGenerator generator_{random_};
  uint32_t first_ = 0;
  uint32_t span_ = 1;
  Seen seen_;
};

// A build that counts coverage has only some of the units.
bool absent([[maybe_unused]] const std::string& name) {
#ifdef DTRMC_COUNT_COVERAGE
  try {
    dtrmc::unit::why_no_behavioural_unit(name);
  } catch (const std::invalid_argument&) {
    return true;
  }
#endif
  return false;
}

} // namespace

TEST_CASE("the behavioural model does what the RTL does at every access", "[rtl]") {
  uint64_t seed = 100;
  for (const char* name : {"exact-l1", "exact-l2", "exact-l4", "exact-l8", "exact-l4-d16", "narrow-l2", "faulty-ties",
                           "log2-l4", "log2-steps-l2", "log2-fine-l1", "mitchell-l4", "mitchell-narrow-l2", "fp24-l4",
                           "fp30-l8", "fp9-l1", "exact-l4-cache", "cache-l2-d64", "cache-l8-d448", "cache-narrow-l2"}) {
    ++seed;
    if (absent(name)) continue;
    Session session(name, seed);
    const uint64_t accesses = DTRMC_LOCKSTEP_ACCESSES / 19;
    const Seen seen = session.run(accesses);
    INFO(name);
    CHECK(seen.searches > accesses / 100);
    CHECK(seen.queued > accesses / 100);
    CHECK(seen.waited > accesses / 100);
    CHECK(seen.errors > accesses / 200);
    CHECK(seen.aborted > accesses / 5000);
    const dtrmc::unit::UnitInfo info = dtrmc::unit::make_unit(name)->info();
    if (info.arithmetic == "exact" && info.time_bits > 24) CHECK(seen.near > accesses / 5000); // small values never are
    // With two lanes a block is noted before the accumulator's last minima have met.
    if (info.search == "cache" && info.lanes > 2) CHECK(seen.noting > accesses / 500);
    CHECK(seen.mixed > accesses / 2000);
    CHECK(seen.sat > accesses / 2000);
    CHECK(seen.empty > accesses / 10000);
    CHECK(seen.strobed > accesses / 200);
    if (info.depth > 100 && info.search == "scan") CHECK(seen.deep > accesses / 5000);
  }
}

// Costs fall with the slot, and are all written while a search runs. A soft reset anywhere in what follows drops those
// that still wait, but not the one that is just on its way into the memory; the victim tells which was the last.
TEST_CASE("a soft reset while queued writes reach the table", "[rtl]") {
  constexpr uint32_t kSlots = 8; // two writes a slot fill the queue
  const auto field = [](uint32_t slot, uint32_t offset) {
    return SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE + offset;
  };
  LockstepUnit unit("exact-l1");
  std::set<uint32_t> victims;
  for (uint32_t delay = 0; delay < 60; ++delay) {
    INFO("soft reset after " << delay << " cycles");
    for (uint32_t slot = 0; slot < kSlots; ++slot) {
      unit.write(field(slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 1000 + slot, 0xF);
      unit.write(field(slot, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0, 0xF);
    }
    unit.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK, 0xF);
    for (uint32_t slot = 0; slot < kSlots; ++slot) {
      unit.write(field(slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 500 - slot, 0xF);
      unit.write(field(slot, SCORING_UNIT_CANDIDATE_COST_HI_OFFSET), 0, 0xF);
    }
    unit.clock(delay);
    unit.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK, 0xF);
    for (uint32_t slot = 0; slot < kSlots; ++slot)
      unit.write(field(slot, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0, 0xF);
    unit.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK, 0xF);
    while (unit.busy()) unit.clock(1);
    victims.insert(unit.read(SCORING_UNIT_RESULT_OFFSET).data & SCORING_UNIT_RESULT_SLOT_MASK);
  }
  CHECK(victims.size() > 4); // resets have met the queue at several places
}

// Orders are distinct here, so units with a scan of their own are among them.
TEST_CASE("the behavioural model of a cached search remembers what the RTL does", "[rtl]") {
  uint64_t seed = 200;
  for (const char* name : {"exact-l4-cache", "cache-l4-checked", "cache-l2-d64", "cache-l8-d448", "cache-narrow-l2",
                           "cache-l4-d4096-checked"}) {
    INFO(name);
    ++seed;
    if (absent(name)) continue;
    const bool narrow = name == std::string("cache-narrow-l2");
    CacheSequence sequence(std::make_unique<LockstepUnit>(name), seed, narrow);
    const uint64_t decisions = DTRMC_LOCKSTEP_ACCESSES / (name == std::string("cache-l4-d4096-checked") ? 3000 : 300);
    sequence.run(decisions);
    CHECK(sequence.updated > decisions / 20);
    CHECK(sequence.backwards > decisions / 100);
    if (decisions < 1000) continue; // what is rare
    if (!narrow) CHECK(sequence.near > decisions / 100);
    CHECK(sequence.aborted > decisions / 1000);
    CHECK(sequence.saturated > decisions / 1000);
  }
}

TEST_CASE("a difference between model and RTL is noticed", "[rtl]") {
  LockstepUnit unit(dtrmc::unit::make_unit("faulty-ties"), dtrmc::unit::make_behavioural_unit("exact-l4"));
  for (uint32_t slot = 0; slot < 3; ++slot) {
    const uint32_t base = SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE;
    unit.write(base + SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, 4, 0xF);
    unit.write(base + SCORING_UNIT_CANDIDATE_INSERT_OFFSET, 0, 0xF);
  }
  unit.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK, 0xF);
  unit.clock(100);
  CHECK_THROWS_WITH(unit.read(SCORING_UNIT_RESULT_OFFSET), Catch::Contains("in the RTL"));
}

TEST_CASE("units without a model say so", "[rtl]") {
  CHECK(dtrmc::unit::why_no_behavioural_unit("exact-l4").empty());
  CHECK_THROWS_AS(dtrmc::unit::make_behavioural_unit("exact-l3"), std::invalid_argument);
}
