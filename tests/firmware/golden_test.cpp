// SPDX-License-Identifier: Apache-2.0
// Firmware as host library on the public traces, against the golden rows. Needs the reference data.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/firmware/iss_engine.h"
#include "tests/firmware/run_golden.h"
#include "tests/firmware/unit_model.h"
#include "tests/support/skip.h"

using namespace dtrmc;

TEST_CASE("the firmware meets the golden rows of the public traces under both scorers") {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto traces = test::shared_or_skip("traces/public");
  if (!golden || !traces) return;
  const std::vector<test::GoldenRow> rows = test::read_golden_rows(golden->string());
  std::size_t compared = 0;
  for (const char* name : {"resnet32", "unet", "transformer"}) {
    const trace::Schedule schedule = trace::parse_file((*traces / (std::string(name) + ".log")).string());
    for (const test::GoldenRow& row : rows) {
      const auto heuristic = test::firmware_heuristic(row.heuristic);
      if (row.trace != name || !heuristic || row.runtime != "RuntimeV2EagerOptimized" || !row.ratio ||
          (*row.ratio != 0.2 && *row.ratio != 0.3 && *row.ratio != 0.5)) {
        continue;
      }
      for (const std::uint32_t depth : {0u, 64u, 512u}) {
        test::FirmwareSetup setup;
        setup.budget = row.budget;
        if (row.overhead_limit) setup.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
        setup.heuristic = *heuristic;
        test::UnitParameters parameters;
        parameters.depth = depth;
        test::UnitModel unit(parameters);
        if (depth != 0) setup.unit = &unit;
        const test::FirmwareResult result = test::run_firmware(schedule, setup);
        INFO(test::describe(row) << ", table depth " << depth);
        REQUIRE(result.fault == "");
        REQUIRE(test::differences(result.record, row.expected, false) == "");
      }
      ++compared;
    }
  }
  CHECK(compared == 36);
}

// Not a check: figures for the README. Run with: firmware_golden_test "[.measure]"
TEST_CASE("cycles on the public traces", "[.measure]") {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto traces = test::shared_or_skip("traces/public");
  if (!golden || !traces) return;
  const std::vector<test::GoldenRow> rows = test::read_golden_rows(golden->string());
  for (const char* name : {"resnet32", "unet", "transformer"}) {
    const trace::Schedule schedule = trace::parse_file((*traces / (std::string(name) + ".log")).string());
    for (const test::GoldenRow& row : rows) {
      const auto heuristic = test::firmware_heuristic(row.heuristic);
      if (row.trace != name || !heuristic || row.runtime != "RuntimeV2EagerOptimized" || row.ratio != 0.2) continue;
      for (const std::uint32_t depth : {0u, 512u}) {
        test::FirmwareSetup setup;
        setup.budget = row.budget;
        if (row.overhead_limit) setup.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
        setup.heuristic = *heuristic;
        test::UnitParameters parameters;
        parameters.depth = depth;
        test::UnitModel unit(parameters);
        if (depth != 0) setup.unit = &unit;
        test::IssEngine engine(DTRMC_FIRMWARE_ELF);
        setup.engine = [&](const dtrmc_host_hal& hal) { return engine(hal); };
        const test::FirmwareResult result = test::run_firmware(schedule, setup);
        REQUIRE(result.fault == "");
        REQUIRE(test::differences(result.record, row.expected, false) == "");
        const auto& cycles = engine.activity_cycles;
        const double decisions = static_cast<double>(result.shared.decisions);
        std::cout << fmt::format(
            "{:11} {:14} {}: decisions {} of {:.0f} candidates; cycles per decision: score {:.0f} search {:.0f} "
            "({:.1f} a "
            "candidate) cost {:.0f}; table writes {:.1f}; totals: commands {} metadata {} cost {} all {}; metadata {} "
            "bytes for {} tensors {} storages {} operators\n",
            name, row.heuristic, depth == 0 ? "firmware" : "unit", result.shared.decisions,
            static_cast<double>(result.shared.candidates) / decisions,
            static_cast<double>(cycles[DTRMC_ACTIVITY_SCORE]) / decisions,
            static_cast<double>(cycles[DTRMC_ACTIVITY_SEARCH]) / decisions,
            static_cast<double>(cycles[DTRMC_ACTIVITY_SEARCH]) / static_cast<double>(result.shared.candidates),
            static_cast<double>(cycles[DTRMC_ACTIVITY_COST]) / decisions,
            static_cast<double>(result.shared.table_writes) / decisions, cycles[DTRMC_ACTIVITY_COMMANDS],
            cycles[DTRMC_ACTIVITY_METADATA], cycles[DTRMC_ACTIVITY_COST], engine.cycles, result.shared.metadata_peak,
            schedule.tensors.size(), schedule.storages.size(), schedule.operators.size());
      }
    }
  }
}
