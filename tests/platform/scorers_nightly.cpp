// SPDX-License-Identifier: Apache-2.0
// Scorer rtl-pins at the controller's own clock, edge by edge through a whole recorded training step: what scorers rtl
// and tlm count is what a free-running clock counts.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;
using platform::Scorer;

TEST_CASE("rtl-pins equals rtl and tlm at 1000 MHz on a recorded trace", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  test::GoldenRow row;
  row.heuristic = "DTREqClass";
  row.budget =
      static_cast<std::uint64_t>(static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager)) * 0.3);
  platform::PlatformConfig config = test::platform_config(schedule, row);
  config.unit = GENERATE("exact-l4", "exact-l4-cache");
  std::string reference;
  for (const Scorer scorer : {Scorer::kRtl, Scorer::kTlm, Scorer::kRtlPins}) {
    config.scorer = scorer;
    const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
    CHECK(outcome.failed_checks == std::vector<std::string>{});
    CHECK(outcome.fields["decisions"]["count"] > 50);
    auto fields = outcome.fields;
    fields.erase("scorer");
    if (reference.empty()) reference = fields.dump();
    INFO(platform::to_string(scorer) << ' ' << config.unit);
    CHECK(fields.dump() == reference);
  }
}
