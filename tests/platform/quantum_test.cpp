// SPDX-License-Identifier: Apache-2.0
// Results and cycle counts do not depend on how far the CPU may run ahead of SystemC time.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
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

TEST_CASE("quantum 1 and 10,000 cycles give the same results and cycle counts", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  for (const char* heuristic : {"DTREqClass", "LRU"}) {
    for (const auto scorer : {platform::Scorer::kFirmware, platform::Scorer::kRtl}) {
      for (const std::uint32_t queue_depth : {1u, 8u}) {
        for (const double mhz : {1000.0, 137.0}) { // 137: accelerator and controller share no clock edges
          platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.35));
          config.scorer = scorer;
          config.queue_depth = queue_depth;
          config.controller_mhz = mhz;
          config.quantum = 10000;
          const test::PlatformOutcome reference = test::run_platform_in_child(schedule, config);
          CHECK(reference.failed_checks == std::vector<std::string>{});
          CHECK(reference.record.policy_evictions > 50);
          for (const std::uint64_t quantum : {1, 7, 1000000}) {
            INFO(heuristic << " queue depth " << queue_depth << " at " << mhz << " MHz, quantum " << quantum);
            config.quantum = quantum;
            const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
            CHECK(outcome.fields.dump() == reference.fields.dump());
            CHECK(test::differences(outcome.record, reference.record, false) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("time adds up: activities to cycles, device time to accelerator and controller", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, "DTREqClass", 0.35));
  std::uint64_t busy = 0;
  std::uint64_t exposed_alone = 0;
  for (const std::uint32_t queue_depth : {1u, 2u, 64u}) {
    config.queue_depth = queue_depth;
    const auto fields = test::run_platform_in_child(schedule, config).fields;
    const auto& cycles = fields["controller"]["cycles"];
    std::uint64_t sum = 0;
    for (const char* part :
         {"commands", "metadata", "cost", "score", "search", "wait_unit", "wait_accelerator", "idle"}) {
      sum += cycles[part].get<std::uint64_t>();
    }
    CHECK(sum == cycles["total"].get<std::uint64_t>());
    CHECK(fields["device_time_ns"].get<std::uint64_t>() ==
          fields["accelerator_busy_ns"].get<std::uint64_t>() + fields["exposed_controller_ns"].get<std::uint64_t>());
    const auto exposed = fields["exposed_controller_ns"].get<std::uint64_t>();
    if (queue_depth == 1) {
      busy = fields["accelerator_busy_ns"];
      exposed_alone = exposed;
      // Without overlap the controller is exposed for all its cycles but those that it waits for the accelerator.
      // Each EXECUTE has a few cycles of either kind: from the post to the mark of waiting, and from the completion
      // to the next mark.
      const auto working = cycles["total"].get<std::uint64_t>() - cycles["wait_accelerator"].get<std::uint64_t>();
      const std::uint64_t executions = 2 * schedule.operators.size();
      CHECK(exposed + 50 * executions > working);
      CHECK(exposed < working + 50 * executions);
    } else {
      CHECK(fields["accelerator_busy_ns"].get<std::uint64_t>() == busy); // the same operators run
      CHECK(exposed < exposed_alone);                                    // and the controller works meanwhile
    }
  }
}
