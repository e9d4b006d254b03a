// SPDX-License-Identifier: Apache-2.0
// Registers, errors, timing of accesses, what waits and what does not while a search runs.
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::Result;
using dtrmc::test::ScoreClass;
using dtrmc::test::UnitDriver;
using Access = dtrmc::unit::RtlUnit::Access;

void fill(UnitDriver& driver, uint32_t count) {
  for (uint32_t slot = 0; slot < count; ++slot) {
    driver.insert({slot, 1000 + static_cast<int64_t>(slot), 1, 0, slot});
  }
}

} // namespace

TEST_CASE("constant registers describe the instance", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4", "exact-l4-d16");
  UnitDriver driver(name);
  const auto& info = driver.unit().info();
  CHECK(info.name == name);
  CHECK(info.arithmetic == "exact");
  CHECK(info.search == "scan");
  CHECK(info.lanes == (name == "exact-l1" ? 1 : 4));
  CHECK(info.depth == (name == "exact-l4-d16" ? 16 : 512));
  CHECK(info.cost_bits == 48);
  CHECK(info.size_bits == 40);
  CHECK(info.time_bits == 48);
  CHECK(info.order_bits == 32);
  CHECK(driver.read(SCORING_UNIT_ID_OFFSET) == 0x44545253u);
  CHECK(driver.read(SCORING_UNIT_PARAMS_OFFSET) == (info.depth << 16 | info.lanes));
  CHECK(driver.read(SCORING_UNIT_WIDTHS_OFFSET) == 0x20302830u);
}

TEST_CASE("an idle unit answers every access in two cycles", "[rtl]") {
  UnitDriver driver("exact-l4");
  CHECK(driver.write(SCORING_UNIT_MODE_OFFSET, 3) == 2);
  CHECK(driver.write(SCORING_UNIT_CLOCK_LO_OFFSET, 1) == 2);
  CHECK(driver.write(UnitDriver::field(511, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 1) == 2);
  CHECK(driver.write(UnitDriver::field(511, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0) == 2);
  CHECK(driver.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_CLEAR_DONE_MASK) == 2);
  CHECK(driver.unit().read(SCORING_UNIT_RESULT_OFFSET).cycles == 2);
  CHECK(driver.unit().read(0x100).cycles == 2); // an error as well
  CHECK(driver.unit().write(0x100, 0).cycles == 2);
  CHECK(driver.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK) == 2);
}

TEST_CASE("writable registers keep what is written, byte by byte", "[rtl]") {
  UnitDriver driver("exact-l4");
  for (const uint32_t offset :
       {SCORING_UNIT_CLOCK_LO_OFFSET, SCORING_UNIT_CLOCK_HI_OFFSET, SCORING_UNIT_NEXT_ORDER_OFFSET}) {
    driver.write(offset, 0x11223344);
    CHECK(driver.read(offset) == 0x11223344);
    CHECK_FALSE(driver.unit().write(offset, 0xAABBCCDD, 0b0101).error);
    CHECK(driver.read(offset) == 0x11BB33DD);
    CHECK_FALSE(driver.unit().write(offset, 0xFFFFFFFF, 0).error);
    CHECK(driver.read(offset) == 0x11BB33DD);
  }
  driver.write(SCORING_UNIT_MODE_OFFSET, 0xFFFFFFFF);
  CHECK(driver.read(SCORING_UNIT_MODE_OFFSET) == 3);
  driver.unit().write(SCORING_UNIT_MODE_OFFSET, 0, 0b1110);
  CHECK(driver.read(SCORING_UNIT_MODE_OFFSET) == 3);
  driver.write(SCORING_UNIT_IRQ_ENABLE_OFFSET, 0xFFFFFFFF);
  CHECK(driver.read(SCORING_UNIT_IRQ_ENABLE_OFFSET) == 1);
  driver.soft_reset();
  for (const uint32_t offset : {SCORING_UNIT_CLOCK_LO_OFFSET, SCORING_UNIT_CLOCK_HI_OFFSET, SCORING_UNIT_MODE_OFFSET,
                                SCORING_UNIT_IRQ_ENABLE_OFFSET, SCORING_UNIT_NEXT_ORDER_OFFSET}) {
    CHECK(driver.read(offset) == 0);
  }
}

TEST_CASE("byte strobes reach the candidate's fields", "[rtl]") {
  UnitDriver driver("exact-l4");
  driver.insert({0, 0x0102, 1, 0, 0});
  driver.insert({1, 0x0100, 1, 0, 1});
  CHECK(driver.search().slot() == 1);
  driver.unit().write(UnitDriver::field(0, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 0xFFFFFF00, 0b0001); // now 0x0100
  driver.unit().write(UnitDriver::field(1, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 0xFFFF02FF, 0b0010); // now 0x0200
  CHECK(driver.search().slot() == 0);
  driver.unit().write(UnitDriver::field(0, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0, 0b0000); // stays
  CHECK(driver.search().slot() == 0);
  driver.unit().write(UnitDriver::field(0, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0, 0b0100); // goes
  CHECK(driver.search().slot() == 1);
  driver.unit().write(UnitDriver::field(0, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0, 0b0000); // does not come back
  CHECK(driver.search().slot() == 1);
  CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 2);
}

TEST_CASE("a whole low word sets the high word, single bytes leave it", "[rtl]") {
  UnitDriver driver("exact-l4");
  driver.set_terms({true, true});
  driver.set_clock(uint64_t{5} << 32 | 1000);
  driver.insert({0, 100, 1, uint64_t{5} << 32, 0}); // 100 / 1000
  const auto winner_against = [&](int64_t cost) {
    driver.insert({1, cost, 1, uint64_t{5} << 32, 1}); // what slot 0 is compared with
    return driver.search().slot();
  };
  const auto store = [&](uint32_t offset, uint32_t data, uint8_t strobes) {
    CHECK_FALSE(driver.unit().write(UnitDriver::field(0, offset), data, strobes).error);
  };
  SECTION("cost: the sign") {
    store(SCORING_UNIT_CANDIDATE_COST_HI_OFFSET, 1, 0xF); // 2^32 + 100
    CHECK(winner_against((int64_t{1} << 32) + 101) == 0);
    CHECK(winner_against((int64_t{1} << 32) + 99) == 1);
    store(SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, 0xFFFFFF65, 0b0111); // 2^32 + 0x00FFFF65
    CHECK(winner_against((int64_t{1} << 32) + 0xFFFF66) == 0);
    CHECK(winner_against((int64_t{1} << 32) + 0xFFFF64) == 1);
    store(SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, 0xFFFFFF65, 0xF); // -155
    CHECK(winner_against(-154) == 0);
    CHECK(winner_against(-156) == 1);
    store(SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, 0x7FFFFFFF, 0xF);
    CHECK(winner_against(int64_t{1} << 31) == 0);
    CHECK(winner_against((int64_t{1} << 31) - 2) == 1);
  }
  SECTION("size: 0") {
    store(SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET, 1, 0xF); // 2^32 + 1: 100 / it is next to nothing
    CHECK(winner_against(1) == 0);
    store(SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, 0xFFFFFF02, 0b0001);
    CHECK(winner_against(1) == 0);
    store(SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, 50, 0xF); // 100 / 50 = 2
    CHECK(winner_against(3) == 0);
    CHECK(winner_against(1) == 1);
  }
  SECTION("last access: that of the clock") {
    store(SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, 900, 0xF); // 100 / 100
    CHECK(winner_against(999) == 1);
    CHECK(winner_against(1001) == 0);
    store(SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET, 4, 0xF); // 2^32 earlier
    CHECK(winner_against(1) == 0);
    store(SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, 0, 0b0011);
    CHECK(winner_against(1) == 0);
    store(SCORING_UNIT_CANDIDATE_INSERT_OFFSET, 900, 0b1111);
    CHECK(winner_against(999) == 1);
    CHECK(winner_against(1001) == 0);
    store(SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET, 4, 0xF);
    store(SCORING_UNIT_CANDIDATE_INSERT_OFFSET, 900, 0b0011); // inserts, too
    CHECK(winner_against(1) == 0);
  }
}

TEST_CASE("insertions are numbered, and a removed slot keeps cost and size", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4");
  UnitDriver driver(name);
  fill(driver, 4);
  CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 4);
  for (uint32_t slot = 0; slot < 4; ++slot) driver.update_cost(slot, 7);
  CHECK(driver.search().slot() == 3);
  driver.remove(1);
  CHECK(driver.read(SCORING_UNIT_COUNT_OFFSET) == 3);
  driver.reinsert(1, 4, 0);
  CHECK(driver.search().slot() == 1);
  driver.reinsert(2, 5, 0); // without having been removed: it moves to the end
  CHECK(driver.search().slot() == 2);
  CHECK(driver.read(SCORING_UNIT_COUNT_OFFSET) == 4);
  CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 6);
  driver.write(SCORING_UNIT_NEXT_ORDER_OFFSET, 0xFFFFFFFF);
  driver.write(UnitDriver::field(0, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0);
  CHECK(driver.search().slot() == 0);
  CHECK_FALSE(driver.result().sat());
  driver.write(UnitDriver::field(3, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0); // order 2^32 is not taken for 0
  CHECK(driver.search().sat());
  driver.write(SCORING_UNIT_NEXT_ORDER_OFFSET, 6);
  CHECK(driver.search().sat());
  driver.write(UnitDriver::field(3, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 0);
  CHECK_FALSE(driver.search().sat());
}

TEST_CASE("errors: undefined offsets, wrong direction, slots beyond the depth; nothing changes", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4", "exact-l4-d16");
  UnitDriver driver(name);
  fill(driver, 5);
  driver.set_clock(77);
  const uint32_t after_last = SCORING_UNIT_QUEUE_OFFSET + 4;
  for (const uint32_t offset : {after_last, 0x100u, 0x7FFFCu, SCORING_UNIT_CONTROL_OFFSET,
                                SCORING_UNIT_CANDIDATE_OFFSET, UnitDriver::field(3, 0x1C), 0xFFFFCu}) {
    const Access access = driver.unit().read(offset);
    CHECK(access.error);
    CHECK(access.data == 0);
  }
  for (const uint32_t offset :
       {SCORING_UNIT_ID_OFFSET, SCORING_UNIT_PARAMS_OFFSET, SCORING_UNIT_WIDTHS_OFFSET, SCORING_UNIT_RESULT_OFFSET,
        SCORING_UNIT_CYCLES_OFFSET, SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET, SCORING_UNIT_TOTAL_CYCLES_HI_OFFSET,
        SCORING_UNIT_COUNT_OFFSET, SCORING_UNIT_FORMAT_OFFSET, SCORING_UNIT_QUEUE_OFFSET, after_last, 0x100u,
        0x7FFFCu}) {
    CHECK(driver.unit().write(offset, 0xFFFFFFFF).error);
  }
  for (uint32_t field = 0; field < 0x20; field += 4) {
    CHECK(driver.unit().write(UnitDriver::field(driver.depth(), field), 1).error);
    CHECK(driver.unit().write(UnitDriver::field(16383, field), 1).error);
  }
  CHECK(driver.read(SCORING_UNIT_COUNT_OFFSET) == 5);
  CHECK(driver.read(SCORING_UNIT_CLOCK_LO_OFFSET) == 77);
  CHECK(driver.search().slot() == 0);
}

TEST_CASE("the interrupt is DONE and its enable", "[rtl]") {
  UnitDriver driver("exact-l1");
  fill(driver, 3);
  driver.search();
  CHECK_FALSE(driver.unit().irq());
  driver.write(SCORING_UNIT_IRQ_ENABLE_OFFSET, 1);
  CHECK(driver.unit().irq());
  driver.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_CLEAR_DONE_MASK);
  CHECK_FALSE(driver.unit().irq());
  const Result cleared = driver.result();
  CHECK_FALSE(cleared.done());
  CHECK(cleared.score_class() == ScoreClass::kFinite); // the rest stays
  driver.start();
  CHECK_FALSE(driver.unit().irq());
  while (driver.unit().busy()) {
    CHECK_FALSE(driver.unit().irq());
    driver.unit().clock();
  }
  CHECK(driver.unit().irq());
  driver.start(); // clears DONE without CLEAR_DONE
  CHECK_FALSE(driver.unit().irq());
  driver.finish();
  driver.write(SCORING_UNIT_IRQ_ENABLE_OFFSET, 0);
  CHECK_FALSE(driver.unit().irq());
}

TEST_CASE("while a search runs: reads are served at once, RESULT says BUSY and nothing else", "[rtl]") {
  UnitDriver driver("exact-l4");
  fill(driver, 100);
  driver.search();
  driver.start();
  while (driver.unit().busy()) {
    const uint32_t word = driver.read(SCORING_UNIT_RESULT_OFFSET);
    if (!driver.unit().busy()) break; // the search may have ended during the read
    CHECK(word == (SCORING_UNIT_RESULT_BUSY_MASK | SCORING_UNIT_RESULT_CLASS_NONE << SCORING_UNIT_RESULT_CLASS_SHIFT));
  }
  CHECK(driver.result().slot() == 0);
  CHECK(driver.result().cycles == driver.expected_cycles());
}

TEST_CASE("while a search runs: writes are queued, do not touch it, and take effect after it", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4");
  // At every distance from the start.
  for (uint32_t delay = 0; delay < 40; ++delay) {
    UnitDriver driver(name);
    fill(driver, 20);
    const uint32_t search = driver.expected_cycles();
    driver.start();
    driver.unit().clock(delay);
    // START took effect in the first of its two cycles: one cycle of the search has passed with its response.
    CHECK(driver.unit().busy() == (search > delay + 1));
    const uint32_t kind = delay % 5;
    uint32_t cycles = 0;
    if (kind == 0) {
      cycles = driver.write(UnitDriver::field(19, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 1);
    } else if (kind == 1) {
      cycles = driver.write(SCORING_UNIT_CLOCK_LO_OFFSET, 99);
    } else if (kind == 2) {
      cycles = driver.write(SCORING_UNIT_MODE_OFFSET, 1);
    } else if (kind == 3) {
      cycles = driver.write(UnitDriver::field(0, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0);
    } else {
      cycles = driver.write(SCORING_UNIT_NEXT_ORDER_OFFSET, 77);
    }
    CHECK(cycles == 2);
    driver.finish();
    CHECK(driver.read(SCORING_UNIT_QUEUE_OFFSET) == 16u << SCORING_UNIT_QUEUE_DEPTH_SHIFT);
    const Result first = driver.result();
    CHECK(first.done());
    CHECK(first.slot() == 0);
    CHECK(first.cycles == search);
    if (kind == 0) CHECK(driver.search().slot() == 19);
    if (kind == 1) CHECK(driver.read(SCORING_UNIT_CLOCK_LO_OFFSET) == 99);
    if (kind == 2) CHECK(driver.read(SCORING_UNIT_MODE_OFFSET) == 1);
    if (kind == 3) CHECK(driver.search().slot() == 1);
    if (kind == 4) CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 77);
  }
}

TEST_CASE("a full queue holds writes off until the search has ended; none is lost, their order stays", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4");
  UnitDriver driver(name);
  fill(driver, 400);
  const uint32_t search = driver.expected_cycles();
  const uint32_t depth = driver.read(SCORING_UNIT_QUEUE_OFFSET) >> SCORING_UNIT_QUEUE_DEPTH_SHIFT;
  CHECK(depth == 16);
  driver.start();
  uint32_t taken = 2; // cycles of START's write, the first of which lies before the search
  for (uint32_t i = 0; i < depth; ++i) {
    const uint32_t cycles = driver.write(UnitDriver::field(7, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 900 - i);
    CHECK(cycles == 2);
    taken += cycles;
    CHECK(driver.read(SCORING_UNIT_QUEUE_OFFSET) == (depth << SCORING_UNIT_QUEUE_DEPTH_SHIFT | (i + 1)));
    taken += 2;
  }
  CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 400);
  taken += 2;
  // One more waits on the bus: for the rest of the search, for one word to leave the queue, and its own two cycles.
  const uint32_t cycles = driver.write(SCORING_UNIT_NEXT_ORDER_OFFSET, 5000);
  CHECK(cycles == search + 1 - taken + 1 + 2);
  CHECK(driver.unit().busy()); // the queue is not empty yet
  CHECK(driver.result().cycles == search);
  CHECK(driver.result().slot() == 0);
  driver.finish();
  CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 5000);
  driver.update_cost(0, 900 - static_cast<int64_t>(depth) + 2); // between the last two costs that slot 7 was given
  CHECK(driver.search().slot() == 7);
  driver.update_cost(0, 900 - static_cast<int64_t>(depth));
  CHECK(driver.search().slot() == 0);
}

TEST_CASE("while a search runs: START waits for its end and for the queue; IRQ_ENABLE does not wait", "[rtl]") {
  UnitDriver driver("exact-l4");
  fill(driver, 64);
  const uint32_t search = driver.expected_cycles();
  driver.start();
  CHECK(driver.write(SCORING_UNIT_IRQ_ENABLE_OFFSET, 1) == 2);
  CHECK(driver.unit().write(SCORING_UNIT_ID_OFFSET, 1).cycles == 2); // errors neither
  CHECK(driver.unit().busy());
  driver.update_cost(20, 999);
  driver.update_cost(21, 999);
  CHECK(driver.write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK) == search + 1 - 10 + 2 + 2);
  CHECK(driver.unit().busy());
  driver.finish();
  CHECK(driver.result().slot() == 21); // the second search has seen what was queued
  CHECK(driver.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == 2 * search);
  CHECK(driver.unit().irq());
}

TEST_CASE("SOFT_RESET drops what is queued", "[rtl]") {
  UnitDriver driver("exact-l4");
  for (uint32_t delay = 0; delay < 70; ++delay) {
    fill(driver, 64);
    driver.start();
    driver.write(UnitDriver::field(3, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 1);
    driver.write(SCORING_UNIT_CLOCK_LO_OFFSET, 5);
    driver.write(UnitDriver::field(9, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 1);
    driver.write(UnitDriver::field(9, SCORING_UNIT_CANDIDATE_INSERT_OFFSET), 1);
    driver.unit().clock(delay); // up to every moment of the search and of the queue's way out
    driver.soft_reset();
    CHECK_FALSE(driver.unit().busy());
    CHECK(driver.read(SCORING_UNIT_CLOCK_LO_OFFSET) == 0);
    CHECK(driver.read(SCORING_UNIT_COUNT_OFFSET) == 0);
    CHECK(driver.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 0);
    CHECK((driver.read(SCORING_UNIT_QUEUE_OFFSET) & SCORING_UNIT_QUEUE_LEVEL_MASK) == 0);
    CHECK(driver.search().empty());
  }
}

TEST_CASE("SOFT_RESET at every moment of a search leaves a unit as new", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4");
  for (uint32_t delay = 0; delay < 45; ++delay) {
    UnitDriver driver(name);
    fill(driver, 24);
    driver.write(SCORING_UNIT_IRQ_ENABLE_OFFSET, 1);
    driver.set_clock(uint64_t{1} << 50);
    driver.set_terms({true, true});
    driver.start();
    driver.unit().clock(delay);
    CHECK(driver.write(SCORING_UNIT_CONTROL_OFFSET,
                       SCORING_UNIT_CONTROL_SOFT_RESET_MASK | SCORING_UNIT_CONTROL_START_MASK) == 2);
    driver.soft_reset(); // the driver's own picture, and a second one
    CHECK_FALSE(driver.unit().busy());
    CHECK_FALSE(driver.unit().irq());
    UnitDriver fresh(name);
    for (uint32_t offset = 0; offset <= SCORING_UNIT_QUEUE_OFFSET; offset += 4) {
      if (offset == SCORING_UNIT_CONTROL_OFFSET) continue;
      INFO("offset " << offset << ", delay " << delay);
      CHECK(driver.read(offset) == fresh.read(offset));
    }
    // Nothing of the aborted search comes out of the pipeline later.
    fill(driver, 2);
    driver.update_cost(0, 5000);
    const Result result = driver.search();
    CHECK(result.slot() == 1);
    CHECK(result.cycles == driver.expected_cycles());
    CHECK_FALSE(result.sat());
    CHECK_FALSE(result.near());
  }
}

TEST_CASE("a search right after SOFT_RESET meets nothing of the aborted one", "[rtl]") {
  const std::string name = GENERATE("exact-l1", "exact-l4");
  for (uint32_t delay = 0; delay < 45; ++delay) {
    UnitDriver driver(name);
    fill(driver, 24);
    driver.start();
    driver.unit().clock(delay);
    driver.soft_reset();
    const Result result = driver.search();
    INFO(name << ", delay " << delay);
    CHECK(result.word == (SCORING_UNIT_RESULT_DONE_MASK | SCORING_UNIT_RESULT_EMPTY_MASK |
                          SCORING_UNIT_RESULT_CLASS_NONE << SCORING_UNIT_RESULT_CLASS_SHIFT));
    CHECK(result.cycles == 4);
  }
}

TEST_CASE("hardware reset acts as SOFT_RESET", "[rtl]") {
  UnitDriver driver("exact-l4");
  fill(driver, 30);
  driver.start();
  driver.unit().reset();
  CHECK_FALSE(driver.unit().busy());
  CHECK(driver.read(SCORING_UNIT_COUNT_OFFSET) == 0);
  CHECK(driver.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == 0);
  driver.start();
  driver.finish();
  CHECK(driver.result().empty());
}

TEST_CASE("idle clocks change nothing, and instances do not share anything", "[rtl]") {
  UnitDriver plain("exact-l4");
  UnitDriver clocked("exact-l4");
  UnitDriver other("exact-l1");
  std::mt19937_64 random(7);
  for (uint32_t step = 0; step < 3000; ++step) {
    const auto slot = static_cast<uint32_t>(random() % 40);
    const Candidate candidate{slot, static_cast<int64_t>(random() % 9) - 2, random() % 4, random() % 8, step};
    const uint64_t choice = random() % 5;
    for (UnitDriver* driver : {&plain, &clocked, &other}) {
      if (driver == &clocked) driver->unit().clock(step % 7);
      if (choice == 0) driver->remove(slot);
      if (choice == 1 || choice == 2) driver->insert(candidate);
      if (choice == 3) driver->set_clock(step % 9);
      if (choice == 4) {
        if (driver == &clocked) driver->unit().clock(step % 5);
        driver->search();
        if (driver == &clocked) driver->unit().clock(step % 3);
      }
    }
    REQUIRE(plain.result().word == clocked.result().word);
    REQUIRE(plain.result().cycles == clocked.result().cycles);
    REQUIRE(plain.result().slot() == other.result().slot());
  }
  CHECK(plain.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == clocked.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET));
}
