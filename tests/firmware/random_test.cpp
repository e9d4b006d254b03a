// SPDX-License-Identifier: Apache-2.0
// Firmware as host library against simrd on the random traces: the corners (zero scores, ties, negative classes,
// duplicate arguments, views, zero sizes) under each scorer, queue depth and table size.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/firmware/run_golden.h"
#include "tests/firmware/unit_model.h"

using namespace dtrmc;

namespace {

struct Variant {
  const char* name;
  std::uint32_t queue_depth;
  test::Pace pace;
  std::optional<test::UnitParameters> unit;
  std::uint32_t first_order = 0;
};

struct Totals {
  std::uint64_t runs = 0, decisions = 0, redecided = 0, overflow_scans = 0, table_writes = 0;
};

Totals play(const Variant& variant) {
  Totals totals;
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
      setup.queue_depth = variant.queue_depth;
      setup.pace = variant.pace;
      setup.first_order = variant.first_order;
      setup.arena_bytes = std::size_t{1} << 18;
      std::optional<test::UnitModel> unit;
      if (variant.unit) {
        unit.emplace(*variant.unit);
        setup.unit = &*unit;
      }
      const test::FirmwareResult result = test::run_firmware(schedule, setup);
      INFO(variant.name << ": " << test::describe(row));
      REQUIRE(result.fault == "");
      REQUIRE(!result.starved);
      REQUIRE(test::differences(result.record, row.expected, false) == "");
      REQUIRE(result.ended == (row.expected.status == record::Status::kOk));
      REQUIRE(result.shared.clock == row.expected.clock);
      REQUIRE(result.shared.model_compute == row.expected.model_compute);
      REQUIRE(result.shared.remat_compute == row.expected.remat_compute);
      REQUIRE(result.shared.decisions == row.expected.policy_evictions);
      REQUIRE(result.decision_marks == row.expected.policy_evictions);
      totals.runs += 1;
      totals.decisions += result.shared.decisions;
      totals.redecided += result.shared.redecided;
      totals.overflow_scans += result.shared.overflow_scans;
      if (unit) totals.table_writes += unit->table_writes();
    }
  });
  CHECK(totals.runs == 1070);
  return totals;
}

} // namespace

TEST_CASE("the firmware's own search meets every run") {
  const Totals totals = play({"firmware", 1, test::Pace::kEager, std::nullopt});
  CHECK(totals.redecided == 0);
}

TEST_CASE("working ahead of a slow accelerator changes nothing") {
  for (const std::uint32_t depth : {1u, 2u, 7u, DTRMC_MAILBOX_ACTION_SLOTS}) {
    play({"firmware, lazy accelerator", depth, test::Pace::kLazy, std::nullopt});
  }
}

TEST_CASE("the scoring unit's search meets every run") {
  const Totals totals = play({"unit", 1, test::Pace::kEager, test::UnitParameters()});
  CHECK(totals.overflow_scans == 0);
  CHECK(totals.table_writes > totals.decisions);
}

TEST_CASE("pools larger than the table are decided exactly") {
  for (const std::uint32_t depth : {1u, 2u, 4u, 16u}) {
    test::UnitParameters parameters;
    parameters.depth = depth;
    const Totals totals = play({"small table", 3, test::Pace::kLazy, parameters});
    if (depth <= 4) CHECK(totals.overflow_scans > 0);
  }
}

TEST_CASE("values beyond the table's widths are decided exactly") {
  test::UnitParameters parameters;
  parameters.cost_bits = 5;
  CHECK(play({"narrow cost", 1, test::Pace::kEager, parameters}).overflow_scans > 0);
  parameters.cost_bits = 48;
  parameters.size_bits = 4;
  CHECK(play({"narrow size", 1, test::Pace::kEager, parameters}).overflow_scans > 0);
  parameters.size_bits = 40;
  parameters.time_bits = 6;
  // The table's times wrap; what is too old for it is searched in firmware.
  CHECK(play({"narrow time", 1, test::Pace::kEager, parameters}).overflow_scans > 0);
}

TEST_CASE("insertion orders wrap without a trace") {
  play({"firmware, order wraps", 1, test::Pace::kEager, std::nullopt, UINT32_MAX - 20});
  test::UnitParameters parameters;
  play({"unit, order wraps", 1, test::Pace::kEager, parameters, UINT32_MAX - 20});
  for (const std::uint32_t bits : {1u, 3u, 5u}) {
    parameters.order_bits = bits;
    play({"narrow order", 1, test::Pace::kEager, parameters});
  }
}
