// SPDX-License-Identifier: Apache-2.0
// Scorers tlm, rtl and rtl-pins are one unit modelled in three ways: the same victims, the same cycles of every
// activity, the same device time. A unit that runs model and RTL side by side sees no access that they differ in.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/platform/equal_scorers.h"
#include "tests/rtl/lockstep_unit.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;

namespace {

test::GoldenRow row_for(const trace::Schedule& schedule, const char* heuristic, double ratio) {
  test::GoldenRow row;
  row.heuristic = heuristic;
  row.overhead_limit = 4;
  row.budget =
      static_cast<std::uint64_t>(static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager)) * ratio);
  return row;
}

} // namespace

TEST_CASE("scorers with a unit agree on random traces, at one clock and at clocks without common edges", "[platform]") {
  struct Clocks {
    double controller_mhz, unit_mhz;
    std::uint32_t queue_depth;
    const char* unit;
  };
  const std::vector<Clocks> clocks{{1000, 0, 1, "exact-l4"},        {1000, 333, 4, "exact-l1"},
                                   {500, 400, 4, "exact-l4-cache"}, {137, 100, 1, "exact-l4"},
                                   {250, 250, 64, "exact-l4-d4"},   {1000, 0, 1, "exact-l4-cache"}};
  std::size_t runs = 0;
  std::uint64_t searches = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    trace::Schedule schedule;
    for (const test::GoldenRow& row : random.runs) {
      // A free-running clock takes as long as the device does; some of these traces take seconds.
      if (!test::firmware_has(row) || row.expected.clock > 50000 || ++runs % 24 != 0) continue;
      if (schedule.steps.empty()) schedule = trace::parse_text(random.text, random.id + ".log");
      const Clocks& chosen = clocks[runs / 24 % clocks.size()];
      platform::PlatformConfig config = test::platform_config(schedule, row);
      config.controller_mhz = chosen.controller_mhz;
      config.unit_mhz = chosen.unit_mhz;
      config.queue_depth = chosen.queue_depth;
      config.unit = chosen.unit;
      config.ram_bytes = 1u << 20;
      INFO(test::describe(row) << ", unit " << chosen.unit << " at " << chosen.unit_mhz << " MHz");
      const auto fields = test::check_equal_scorers(schedule, config).fields;
      searches += fields["unit"]["active_cycles"].get<std::uint64_t>() != 0;
    }
  });
  CHECK(runs > 300);
  CHECK(searches > 20);
}

TEST_CASE("scorers with a unit agree on a recorded trace", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  for (const auto& [heuristic, unit] : {std::pair{"DTREqClass", "exact-l4"},
                                        {"DTREqClass", "exact-l4-cache"},
                                        {"LRU", "exact-l4"},
                                        {"LargestStorage", "exact-l4"}}) {
    // At the controller's clock rtl-pins would take minutes (the nightly test does that).
    platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.35));
    config.unit = unit;
    config.unit_mhz = 2.5;
    config.unit_wait_states = 1;
    INFO(heuristic << ' ' << unit);
    const auto fields = test::check_equal_scorers(schedule, config).fields;
    CHECK(fields["decisions"]["count"] > 50);
  }
}

TEST_CASE("model and RTL side by side see no access in which they differ", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  for (const char* heuristic : {"DTREqClass", "DTRLocal", "LRU", "LargestStorage", "DTR", "MSPS"}) {
    for (const char* unit : {"exact-l1", "exact-l4", "exact-l4-d4", "exact-l4-cache", "cache-l4-checked"}) {
      platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.3));
      config.unit = unit;
      config.make_unit = [](const std::string& name) { return std::make_unique<test::LockstepUnit>(name); };
      INFO(heuristic << ' ' << unit);
      const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
      CHECK(outcome.failed_checks == std::vector<std::string>{});
      CHECK(outcome.fields["decisions"]["count"] > 50);
    }
  }
}
