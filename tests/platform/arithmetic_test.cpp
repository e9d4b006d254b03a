// SPDX-License-Identifier: Apache-2.0
// Approximate units: a platform run takes the very evictions of the simulator with the same arithmetic, whatever the
// table's depth. That is what makes results of `sim --arithmetic` results of the hardware.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;

namespace {

struct Counts {
  std::size_t runs = 0;
  std::size_t unlike_exact = 0; // runs with other evictions than exact arithmetic takes
  std::uint64_t overflow_scans = 0;
  std::uint64_t redecided = 0;
};

// The heuristic's simrd name is the row's.
void check(const trace::Schedule& schedule, const test::GoldenRow& row, const char* unit, const char* arithmetic,
           Counts& counts, std::uint64_t tick_ns = 1) {
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(row.heuristic);
  settings.budget = row.budget;
  if (row.overhead_limit) settings.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
  const sim::Result exact = sim::simulate(schedule, settings);
  settings.arithmetic = arithmetic::parse(arithmetic);
  settings.tick_ns = tick_ns;
  const sim::Result expected = sim::simulate(schedule, settings);

  platform::PlatformConfig config = test::platform_config(schedule, row);
  config.scorer = platform::Scorer::kRtl;
  config.unit = unit;
  config.tick_ns = tick_ns;
  config.ram_bytes = 16u << 20;
  const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
  const std::string difference = test::differences(outcome.record, expected.record, false);
  if (!difference.empty() || !outcome.failed_checks.empty()) {
    FAIL_CHECK(schedule.name << ", " << row.heuristic << ", budget " << row.budget << ", unit " << unit << ": "
                             << difference << ' '
                             << (outcome.failed_checks.empty() ? "" : outcome.failed_checks.front()));
  }
  CHECK(outcome.fields["arithmetic"] == arithmetic);
  ++counts.runs;
  counts.unlike_exact += expected.record.policy_sha256 != exact.record.policy_sha256 ? 1 : 0;
  counts.overflow_scans += outcome.fields["unit"]["overflow_scans"].get<std::uint64_t>();
  counts.redecided += outcome.fields["unit"]["redecided"].get<std::uint64_t>();
}

constexpr const char* kUnits[][2] = {
    {"log2-l4", "log2"}, {"mitchell-l4", "mitchell"}, {"fp24-l4", "fp24"}, {"mitchell-l1-d4", "mitchell"}};

} // namespace

TEST_CASE("approximate units equal the simulator on the random traces", "[platform]") {
  Counts counts;
  std::size_t turn = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    trace::Schedule schedule;
    for (const test::GoldenRow& row : random.runs) {
      if (!test::firmware_has(row)) continue;
      if (++turn % 3 != 0) continue; // quick, and every heuristic meets every unit
      if (schedule.steps.empty()) schedule = trace::parse_text(random.text, random.id + ".log");
      const auto& unit = kUnits[turn / 3 % 4];
      check(schedule, row, unit[0], unit[1], counts);
    }
  });
  CHECK(counts.runs > 300);
  CHECK(counts.unlike_exact > 20);
  CHECK(counts.overflow_scans > 100);
}

TEST_CASE("approximate units equal the simulator on recordings", "[platform]") {
  Counts counts;
  for (const auto& [name, ratio] : {std::pair("cifar-resnet32-224", 0.3), std::pair("lstm-recorded", 0.5)}) {
    const trace::Schedule schedule = trace::parse_file(trace::find_trace(name));
    for (const char* heuristic : {"DTR", "DTREqClass", "LRU"}) {
      for (const auto& unit : kUnits) {
        test::GoldenRow row;
        row.heuristic = heuristic;
        row.budget = static_cast<std::uint64_t>(
            ratio * static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager)));
        check(schedule, row, unit[0], unit[1], counts, counts.runs % 3 == 2 ? 16000 : 1);
      }
    }
  }
  CHECK(counts.runs == 24);
  CHECK(counts.unlike_exact > 5);
  CHECK(counts.overflow_scans > 1000);
}

// Cost 0 beside a negative one in one pool is decided in pool order, by the arithmetic's own keys.
TEST_CASE("zero beside negative scores under approximate arithmetic", "[platform]") {
  Counts counts;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    if (random.id != "r42" && random.id != "r486") return;
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    for (const std::uint64_t budget :
         {std::uint64_t{68}, std::uint64_t{1618}, std::uint64_t{1713}, std::uint64_t{1903}}) {
      if ((budget == 68) != (random.id == "r486")) continue;
      for (const auto& unit : kUnits) {
        test::GoldenRow row;
        row.heuristic = "DTREqClass";
        row.budget = budget;
        check(schedule, row, unit[0], unit[1], counts);
      }
    }
  });
  CHECK(counts.redecided > 20);
}
