// SPDX-License-Identifier: Apache-2.0
// Firmware as host library on the public traces, against the golden rows. Needs the reference data.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>
#include <vector>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/firmware/iss_engine.h"
#include "tests/firmware/run_golden.h"
#include "tests/firmware/unit_model.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

// The program is built twice: some traces quick, the others nightly.
std::vector<std::string> trace_names() {
  std::vector<std::string> names;
  std::istringstream in(DTRMC_TRACES);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

bool is_chosen(const test::GoldenRow& row, const std::string& trace) {
  return row.trace == trace && test::firmware_heuristic(row.heuristic) && row.runtime == "RuntimeV2EagerOptimized" &&
         row.ratio && (*row.ratio == 0.2 || *row.ratio == 0.3 || *row.ratio == 0.5);
}

test::FirmwareSetup setup_of(const trace::Schedule& schedule, const test::GoldenRow& row) {
  test::FirmwareSetup setup;
  setup.budget = row.budget;
  if (row.overhead_limit) setup.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
  setup.heuristic = *test::firmware_heuristic(row.heuristic);
  return setup;
}

} // namespace

TEST_CASE("the firmware meets the golden rows of the public traces under both scorers") {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto traces = test::shared_or_skip("traces/public");
  if (!golden || !traces) return;
  const std::vector<test::GoldenRow> rows = test::read_golden_rows(golden->string());
  std::size_t compared = 0;
  for (const std::string& name : trace_names()) {
    const trace::Schedule schedule = trace::parse_file((*traces / (name + ".log")).string());
    for (const test::GoldenRow& row : rows) {
      if (!is_chosen(row, name)) continue;
      for (const std::uint32_t depth : {0u, 64u, 512u}) {
        test::FirmwareSetup setup = setup_of(schedule, row);
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
  CHECK(compared == 18 * trace_names().size()); // six heuristics at three ratios
}

// Not a check: figures for the README. Run with: firmware_golden_test "[.measure]"
TEST_CASE("cycles on the public traces", "[.measure]") {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto traces = test::shared_or_skip("traces/public");
  if (!golden || !traces) return;
  const std::vector<test::GoldenRow> rows = test::read_golden_rows(golden->string());
  for (const std::string& name : trace_names()) {
    const trace::Schedule schedule = trace::parse_file((*traces / (name + ".log")).string());
    for (const test::GoldenRow& row : rows) {
      if (!is_chosen(row, name) || *row.ratio != 0.2) continue;
      for (const std::uint32_t depth : {0u, 512u}) {
        test::FirmwareSetup setup = setup_of(schedule, row);
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
            static_cast<double>(unit.table_writes()) / decisions, cycles[DTRMC_ACTIVITY_COMMANDS],
            cycles[DTRMC_ACTIVITY_METADATA], cycles[DTRMC_ACTIVITY_COST], engine.cycles, result.shared.metadata_peak,
            schedule.tensors.size(), schedule.storages.size(), schedule.operators.size());
      }
    }
  }
}

// Not a check: what the records take on the target. Run with: firmware_golden_test "[.memory]"
TEST_CASE("metadata memory on the public traces", "[.memory]") {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto traces = test::shared_or_skip("traces/public");
  if (!golden || !traces) return;
  const std::vector<test::GoldenRow> rows = test::read_golden_rows(golden->string());
  for (const std::string& name : trace_names()) {
    const trace::Schedule schedule = trace::parse_file((*traces / (name + ".log")).string());
    for (const test::GoldenRow& row : rows) {
      if (!is_chosen(row, name)) continue;
      test::FirmwareSetup setup = setup_of(schedule, row);
      test::IssEngine engine(DTRMC_FIRMWARE_ELF);
      setup.engine = [&](const dtrmc_host_hal& hal) { return engine(hal); };
      const test::FirmwareResult result = test::run_firmware(schedule, setup);
      REQUIRE(result.fault == "");
      REQUIRE(test::differences(result.record, row.expected, false) == "");
      const double decisions = static_cast<double>(result.shared.decisions);
      std::cout << fmt::format(
                       "{:12} {:14} {}: metadata {:8} bytes, {:6.0f} cycles of cost a decision, decisions {}, "
                       "candidates {:.0f}\n",
                       name, row.heuristic, *row.ratio, result.shared.metadata_peak,
                       static_cast<double>(engine.activity_cycles[DTRMC_ACTIVITY_COST]) / decisions,
                       result.shared.decisions, static_cast<double>(result.shared.candidates) / decisions)
                << std::flush;
    }
  }
}
