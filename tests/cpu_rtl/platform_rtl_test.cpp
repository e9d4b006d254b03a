// SPDX-License-Identifier: Apache-2.0
// The platform with the Verilated Ibex in place of the instruction-set simulator: same bus, same firmware image, with
// MMIO, WFI and interrupt lines. The same run, cycle by cycle: every activity and every decision takes as long.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "systemc/cpu_rtl/rtl_core.h"
#include "tests/cpu_rtl/built_or_skip.h"
#include "tests/support/platform_child.h"

namespace dtrmc::test {

namespace {

struct Case {
  const char* core;
  const char* heuristic; // simrd's class
  platform::Scorer scorer;
  std::uint32_t queue_depth;
  double mhz;
  std::uint32_t ram_wait, mmio_wait, unit_wait;
  double unit_mhz;
};

} // namespace

TEST_CASE("--cpu ibex-rtl takes the evictions and the cycles of the instruction-set simulator") {
  if (!built_or_skip("ibex-small")) return;
  using platform::Scorer;
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  const std::vector<Case> cases{
      {"ibex-small", "DTREqClass", Scorer::kRtl, 1, 1000, 0, 2, 0, 0},
      {"ibex-small", "DTREqClass", Scorer::kFirmware, 1, 1000, 0, 2, 0, 0},
      {"ibex-small", "DTRLocal", Scorer::kRtl, 8, 137, 0, 2, 0, 0},
      {"ibex-small", "LRU", Scorer::kRtl, 1, 1000, 1, 5, 0, 0},
      {"ibex-small", "LargestStorage", Scorer::kRtl, 64, 500, 0, 0, 3, 333},
      {"ibex-maxperf", "DTREqClass", Scorer::kRtl, 1, 1000, 0, 2, 0, 0},
      {"ibex-maxperf", "DTREqClass", Scorer::kFirmware, 4, 1000, 0, 2, 0, 0},
  };
  for (const Case& c : cases) {
    INFO(c.core << ' ' << c.heuristic << " queue depth " << c.queue_depth << ", " << c.mhz << " MHz");
    GoldenRow row;
    row.heuristic = c.heuristic;
    row.budget =
        static_cast<std::uint64_t>(static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager)) * 0.3);
    platform::PlatformConfig config = platform_config(schedule, row);
    config.cpu_profile = c.core;
    config.scorer = c.scorer;
    config.queue_depth = c.queue_depth;
    config.controller_mhz = c.mhz;
    config.ram_wait_states = c.ram_wait;
    config.mmio_wait_states = c.mmio_wait;
    config.unit_wait_states = c.unit_wait;
    config.unit_mhz = c.unit_mhz;
    const PlatformOutcome iss = run_platform_in_child(schedule, config);
    config.make_cpu = [&](const cpu::RamView& ram, cpu::Environment& environment) {
      return std::make_unique<cpu_rtl::RtlCore>(cpu_rtl::make_tile(c.core), ram, environment);
    };
    const PlatformOutcome rtl = run_platform_in_child(schedule, config);
    CHECK(iss.failed_checks == std::vector<std::string>{});
    CHECK(rtl.failed_checks == std::vector<std::string>{});
    CHECK(differences(rtl.record, iss.record, false) == "");
    CHECK(rtl.record.policy_evictions > 50);
    CHECK(rtl.fields["decisions"].dump() == iss.fields["decisions"].dump());
    const auto rtl_total = rtl.fields["controller"]["cycles"]["total"].get<std::uint64_t>();
    const auto iss_total = iss.fields["controller"]["cycles"]["total"].get<std::uint64_t>();
    if (std::string(c.core) == "ibex-small") {
      CHECK(rtl.fields["controller"].dump() == iss.fields["controller"].dump());
    } else {
      // The run ends with the retirement of the last store, which the third stage shows a cycle later.
      CHECK(rtl_total >= iss_total);
      CHECK(rtl_total <= iss_total + 1);
    }
  }
}

TEST_CASE("a fault on the RTL is found and named") {
  if (!built_or_skip("ibex-small")) return;
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  GoldenRow row;
  row.heuristic = "DTREqClass";
  row.budget = std::uint64_t{1} << 60;
  platform::PlatformConfig config = platform_config(schedule, row);
  // The first instruction becomes an illegal one: program headers start the image at its first page.
  const std::size_t text = config.firmware[0x1000] == 0x97 ? 0x1000 : 0;
  REQUIRE(text != 0); // auipc gp
  config.firmware[text] = 0;
  config.firmware[text + 1] = 0;
  config.make_cpu = [](const cpu::RamView& ram, cpu::Environment& environment) {
    return std::make_unique<cpu_rtl::RtlCore>(cpu_rtl::make_tile("ibex-small"), ram, environment);
  };
  const PlatformOutcome outcome = run_platform_in_child(schedule, config);
  REQUIRE(outcome.failed_checks.size() == 1);
  CHECK_THAT(outcome.failed_checks[0], Catch::Contains("illegal instruction"));
}

} // namespace dtrmc::test
