// SPDX-License-Identifier: Apache-2.0
// The firmware image on the instruction-set simulator: does what the host library does, in the cycles it promises and
// the stack it has.
#include <catch2/catch.hpp>

#include "firmware/config.h"
#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/firmware/iss_engine.h"
#include "tests/firmware/made_traces.h"
#include "tests/firmware/run_golden.h"
#include "tests/firmware/unit_model.h"

using namespace dtrmc;

namespace {

test::FirmwareResult run_on(test::IssEngine& engine, const trace::Schedule& schedule, test::FirmwareSetup setup) {
  setup.engine = [&](const dtrmc_host_hal& hal) { return engine(hal); };
  return test::run_firmware(schedule, setup);
}

} // namespace

TEST_CASE("the image takes the same actions as the host library, under both scorers") {
  test::IssEngine engine(DTRMC_FIRMWARE_ELF);
  std::uint32_t deepest_stack = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const trace::Schedule schedule = seed % 3 == 0 ? test::near_ties(seed) : test::drifting(seed, 120);
    for (std::uint32_t heuristic = 0; heuristic < DTRMC_HEURISTIC_COUNT; ++heuristic) {
      for (const std::uint32_t depth : {0u, 6u, 512u}) {
        test::FirmwareSetup setup;
        setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
        setup.remat_limit = 5 * schedule.total_cost;
        setup.heuristic = heuristic;
        setup.queue_depth = 1 + static_cast<std::uint32_t>(seed) % 3;
        setup.pace = test::Pace::kLazy;
        setup.arena_bytes = 1 << 20;
        test::UnitParameters parameters;
        parameters.depth = depth;
        test::UnitModel host_unit(parameters);
        test::UnitModel target_unit(parameters);
        setup.unit = depth != 0 ? &host_unit : nullptr;
        const test::FirmwareResult host = test::run_firmware(schedule, setup);
        setup.unit = depth != 0 ? &target_unit : nullptr;
        const test::FirmwareResult target = run_on(engine, schedule, setup);
        INFO(schedule.name << " seed " << seed << ", heuristic " << heuristic << ", table depth " << depth);
        REQUIRE(host.fault == "");
        REQUIRE(target.fault == "");
        REQUIRE(target.actions == host.actions);
        REQUIRE(target.shared.decisions == host.shared.decisions);
        REQUIRE(target.shared.candidates == host.shared.candidates);
        REQUIRE(target_unit.table_writes() == host_unit.table_writes());
        REQUIRE(target.shared.redecided == host.shared.redecided);
        REQUIRE(target.shared.clock == host.shared.clock);
        REQUIRE(target.decision_marks == host.decision_marks);
        deepest_stack = std::max(deepest_stack, engine.stack_used);
      }
    }
  }
  CHECK(deepest_stack > 0);
  CHECK(deepest_stack <= DTRMC_CONFIG_STACK_BYTES);
  WARN("deepest stack seen: " << deepest_stack << " of " << DTRMC_CONFIG_STACK_BYTES << " bytes");
}

TEST_CASE("the image goes by its timer's ticks as the host library does") {
  test::IssEngine engine(DTRMC_FIRMWARE_ELF);
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 120);
    for (const std::uint32_t heuristic : {DTRMC_HEURISTIC_DTR_EQ, DTRMC_HEURISTIC_LRU}) {
      test::FirmwareSetup setup;
      setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
      setup.remat_limit = 5 * schedule.total_cost;
      setup.heuristic = heuristic;
      setup.arena_bytes = 1 << 20;
      const test::FirmwareResult model = test::run_firmware(schedule, setup);
      setup.time = DTRMC_TIME_DEVICE;
      setup.tick_ns = seed % 2 == 0 ? 1 : 17;
      // Readings on both sides of a full low word.
      std::uint64_t clock = 0;
      setup.latency = [&clock] { return clock++ % 5 == 0 ? std::uint64_t{3} << 30 : std::uint64_t{9}; };
      const test::FirmwareResult host = test::run_firmware(schedule, setup);
      clock = 0;
      const test::FirmwareResult target = run_on(engine, schedule, setup);
      REQUIRE(host.fault == "");
      REQUIRE(target.fault == "");
      REQUIRE(target.actions == host.actions);
      changed += host.actions != model.actions ? 1 : 0;
    }
  }
  CHECK(changed > 3);
}

TEST_CASE("a timer that goes on between the two words of a reading is read right") {
  // lru goes by the order of the readings alone, so any clock that only grows gives the same evictions; a high word
  // that does not belong to its low word would make it jump by 2^32.
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 150);
    test::FirmwareSetup setup;
    setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
    setup.remat_limit = 5 * schedule.total_cost;
    setup.heuristic = DTRMC_HEURISTIC_LRU;
    setup.arena_bytes = 1 << 20;
    setup.time = DTRMC_TIME_DEVICE;
    setup.latency = [] { return std::uint64_t{1}; };
    const test::FirmwareResult host = test::run_firmware(schedule, setup);
    REQUIRE(host.fault == "");
    REQUIRE(host.shared.decisions > 10);
    test::IssEngine engine(DTRMC_FIRMWARE_ELF);
    engine.tick_step = (std::uint64_t{1} << 30) + 12345; // the low word is full at every fourth read
    const test::FirmwareResult target = run_on(engine, schedule, setup);
    REQUIRE(target.fault == "");
    REQUIRE(target.actions == host.actions);
  }
}

TEST_CASE("a small RAM ends as metadata_full on the image too") {
  const trace::Schedule schedule = test::drifting(2, 120);
  test::FirmwareSetup setup;
  setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 8 / 10;
  for (const std::size_t bytes : {0u, 64u, 1000u, 5000u, 10000u}) {
    test::IssEngine engine(DTRMC_FIRMWARE_ELF);
    setup.arena_bytes = bytes;
    const test::FirmwareResult result = run_on(engine, schedule, setup);
    CHECK(result.fault == "");
    CHECK(result.failure == DTRMC_FAIL_METADATA_FULL);
  }
}

// The spec's baseline: random signed 44-bit costs, 36-bit sizes, 48-bit staleness, 512 candidates, ibex-small: at most
// 130 cycles a candidate.
TEST_CASE("the search meets its cycle budget") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const trace::Schedule schedule = test::wide_pool(seed, 512, 30);
    std::uint64_t budget = 0;
    for (int i = 0; i < 512; ++i) budget += schedule.storages[static_cast<std::size_t>(i)].size;
    test::IssEngine engine(DTRMC_FIRMWARE_ELF);
    test::FirmwareSetup setup;
    setup.budget = budget;
    setup.heuristic = DTRMC_HEURISTIC_DTR_LOCAL;
    const test::FirmwareResult result = run_on(engine, schedule, setup);
    REQUIRE(result.fault == "");
    REQUIRE(result.shared.candidates >= 400 * result.shared.decisions);
    REQUIRE(result.shared.decisions >= 30);
    const double cycles = static_cast<double>(engine.activity_cycles[DTRMC_ACTIVITY_SEARCH]) /
                          static_cast<double>(result.shared.candidates);
    CHECK(cycles < 130);
    WARN("search: " << cycles << " cycles a candidate, score upkeep "
                    << engine.activity_cycles[DTRMC_ACTIVITY_SCORE] / result.shared.decisions << " a decision");
  }
}

TEST_CASE("the test image evicts the first entry, which is not what the heuristic says") {
  const trace::Schedule schedule = test::wide_pool(1, 64, 10);
  test::FirmwareSetup setup;
  setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
  setup.heuristic = DTRMC_HEURISTIC_DTR_LOCAL;
  test::IssEngine good(DTRMC_FIRMWARE_ELF);
  test::IssEngine bad(DTRMC_FIRST_ENTRY_ELF);
  const test::FirmwareResult expected = test::run_firmware(schedule, setup);
  CHECK(run_on(good, schedule, setup).actions == expected.actions);
  const test::FirmwareResult first = run_on(bad, schedule, setup);
  CHECK(first.fault == "");
  CHECK(first.actions != expected.actions);
}
