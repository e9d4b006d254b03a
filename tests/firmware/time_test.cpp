// SPDX-License-Identifier: Apache-2.0
// Firmware on device time: what the timer shows decides, whatever the scorer, the table's width or the gaps.
#include <catch2/catch.hpp>

#include <random>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/firmware/made_traces.h"
#include "tests/firmware/run_golden.h"
#include "tests/firmware/unit_model.h"

using namespace dtrmc;

namespace {

constexpr std::uint32_t kStale[] = {DTRMC_HEURISTIC_DTR_EQ, DTRMC_HEURISTIC_DTR_LOCAL, DTRMC_HEURISTIC_DTR,
                                    DTRMC_HEURISTIC_LRU};

test::FirmwareSetup setup_for(const trace::Schedule& schedule, std::uint32_t heuristic, std::uint64_t percent) {
  test::FirmwareSetup setup;
  setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * percent / 100;
  setup.remat_limit = 5 * schedule.total_cost;
  setup.heuristic = heuristic;
  return setup;
}

test::FirmwareResult run(const trace::Schedule& schedule, const test::FirmwareSetup& setup) {
  const test::FirmwareResult result = test::run_firmware(schedule, setup);
  REQUIRE(result.fault == "");
  REQUIRE(!result.starved);
  return result;
}

// Latencies of a slow controller: some ns as a rule, now and then a gap far beyond any narrow timestamp. The same
// sequence for every run with one seed, and the firmware looks at its clock at the same points under every scorer.
std::function<std::uint64_t()> latencies(std::uint64_t seed, std::uint64_t gap) {
  auto generator = std::make_shared<std::mt19937_64>(seed);
  return [generator, gap] {
    const std::uint64_t draw = (*generator)();
    return draw % 16 == 0 ? (draw >> 8) % gap : (draw >> 8) % 8;
  };
}

} // namespace

TEST_CASE("an infinitely fast controller's device clock is the model clock") {
  std::uint64_t runs = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    for (const test::GoldenRow& row : random.runs) {
      const auto heuristic = test::firmware_heuristic(row.heuristic);
      if (!heuristic || sim::parse_runtime(row.runtime == "RuntimeV1" ? "v2" : row.runtime) != sim::Runtime::kV2Eager) {
        continue;
      }
      test::FirmwareSetup setup;
      setup.budget = row.budget;
      if (row.overhead_limit) setup.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
      setup.heuristic = *heuristic;
      setup.time = DTRMC_TIME_DEVICE;
      setup.arena_bytes = std::size_t{1} << 18;
      test::UnitModel unit(test::UnitParameters{});
      for (const bool with_unit : {false, true}) {
        setup.unit = with_unit ? &unit : nullptr;
        INFO(test::describe(row));
        const test::FirmwareResult result = run(schedule, setup);
        REQUIRE(test::differences(result.record, row.expected, false) == "");
        REQUIRE(result.shared.clock == row.expected.clock);
        ++runs;
      }
    }
  });
  CHECK(runs == 2 * 1070);
}

TEST_CASE("whole ticks are the same of the model clock and of an infinitely fast controller's") {
  std::uint64_t differs = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 80);
    for (const std::uint32_t heuristic : kStale) {
      test::FirmwareSetup setup = setup_for(schedule, heuristic, 70);
      const auto fine = run(schedule, setup).events;
      for (const std::uint32_t tick : {2u, 7u, 1000u, 1000000000u}) {
        setup.tick_ns = tick;
        setup.time = DTRMC_TIME_MODEL;
        const auto model = run(schedule, setup).events;
        setup.time = DTRMC_TIME_DEVICE;
        REQUIRE(run(schedule, setup).events == model);
        differs += model != fine ? 1 : 0;
      }
      setup.tick_ns = 1;
      setup.time = DTRMC_TIME_MODEL;
    }
  }
  CHECK(differs > 20); // coarse ticks are not fine ones
}

TEST_CASE("the controller's latency changes decisions, but only where staleness counts") {
  std::uint64_t changed = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 80);
    for (std::uint32_t heuristic = 0; heuristic < DTRMC_HEURISTIC_COUNT; ++heuristic) {
      test::FirmwareSetup setup = setup_for(schedule, heuristic, 70);
      const auto model = run(schedule, setup).events;
      setup.time = DTRMC_TIME_DEVICE;
      setup.latency = latencies(seed, 4000);
      const auto device = run(schedule, setup).events;
      const bool stale = heuristic != DTRMC_HEURISTIC_SIZE && heuristic != DTRMC_HEURISTIC_MSPS;
      if (!stale) REQUIRE(device == model);
      changed += device != model ? 1 : 0;
    }
  }
  CHECK(changed > 20);
}

TEST_CASE("timestamps of any width wrap without a trace, however long the gaps") {
  std::uint64_t outside = 0, decisions = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 80);
    for (const std::uint32_t heuristic : kStale) {
      for (const std::uint64_t gap : {std::uint64_t{100}, std::uint64_t{1} << 20, std::uint64_t{1} << 50}) {
        test::FirmwareSetup setup = setup_for(schedule, heuristic, 70);
        setup.time = DTRMC_TIME_DEVICE;
        setup.tick_ns = 1 + static_cast<std::uint32_t>(seed % 3) * 50;
        setup.latency = latencies(seed, gap);
        const auto expected = run(schedule, setup).events; // 64-bit timestamps, no table
        for (const std::uint32_t bits : {1u, 2u, 5u, 12u, 24u, 48u, 63u}) {
          INFO("seed " << seed << ", heuristic " << heuristic << ", gaps to " << gap << ", " << bits << " bits");
          test::UnitParameters parameters;
          parameters.time_bits = bits;
          test::UnitModel unit(parameters);
          setup.unit = &unit;
          setup.latency = latencies(seed, gap);
          const test::FirmwareResult result = run(schedule, setup);
          REQUIRE(result.events == expected);
          if (heuristic == DTRMC_HEURISTIC_LRU) continue; // its times are costs
          outside += result.shared.overflow_scans;
          decisions += result.shared.decisions;
        }
      }
    }
  }
  CHECK(outside > decisions / 20); // entries too old for the table were met
  CHECK(outside < decisions);      // and most decisions did without them
}

TEST_CASE("after a wrap the table is used again") {
  // Every gap of 2^20 exhausts 12 bits; between them the unit decides alone.
  std::uint64_t searches = 0, decisions = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 120);
    test::FirmwareSetup setup = setup_for(schedule, DTRMC_HEURISTIC_DTR_LOCAL, 70);
    setup.time = DTRMC_TIME_DEVICE;
    setup.latency = latencies(seed, std::uint64_t{1} << 20);
    test::UnitParameters parameters;
    parameters.time_bits = 12;
    test::UnitModel unit(parameters);
    setup.unit = &unit;
    const test::FirmwareResult result = run(schedule, setup);
    searches += unit.searches();
    decisions += result.shared.decisions;
  }
  CHECK(searches > decisions / 2);
}

TEST_CASE("a configuration without a tick or with an unknown time is refused") {
  const trace::Schedule schedule = test::drifting(1, 20);
  test::FirmwareSetup setup = setup_for(schedule, DTRMC_HEURISTIC_LRU, 100);
  setup.tick_ns = 0;
  CHECK(test::run_firmware(schedule, setup).failure == DTRMC_FAIL_BAD_CONFIG);
  setup.tick_ns = 1;
  setup.time = 2;
  CHECK(test::run_firmware(schedule, setup).failure == DTRMC_FAIL_BAD_CONFIG);
}
