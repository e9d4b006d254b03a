// SPDX-License-Identifier: Apache-2.0
// Results and cycle counts do not depend on how far the CPU may run ahead of SystemC time.
#include <catch2/catch.hpp>
#include <cmath>

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
    for (const auto scorer : {platform::Scorer::kFirmware, platform::Scorer::kRtl, platform::Scorer::kTlm}) {
      for (const std::uint32_t queue_depth : {1u, 8u}) {
        for (const double mhz : {1000.0, 137.0}) { // 137: accelerator and controller share no clock edges
          platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.35));
          config.scorer = scorer;
          config.queue_depth = queue_depth;
          config.controller_mhz = mhz;
          config.quantum = 10000;
          if (queue_depth == 8) { // on device time the evictions hang on every cycle
            config.time = DTRMC_TIME_DEVICE;
            config.tick_ns = 3;
          }
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

TEST_CASE("every moment of the accelerator's idleness has a cause, to the picosecond", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, "DTREqClass", 0.35));
  for (const auto scorer : {platform::Scorer::kFirmware, platform::Scorer::kRtl}) {
    std::string evictions;
    for (const std::uint32_t queue_depth : {1u, 3u, 64u}) {
      for (const double mhz : {1000.0, 137.0}) {
        INFO("queue depth " << queue_depth << " at " << mhz << " MHz");
        config.scorer = scorer;
        config.queue_depth = queue_depth;
        config.controller_mhz = mhz;
        const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
        CHECK(outcome.failed_checks == std::vector<std::string>{});
        if (evictions.empty()) evictions = outcome.record.all_sha256;
        CHECK(outcome.record.all_sha256 == evictions);
        const auto ps = [](const nlohmann::ordered_json& ns) { return std::llround(ns.get<double>() * 1000); };
        long long sum = 0;
        for (const auto& [cause, ns] : outcome.fields["stall"].items()) sum += ps(ns);
        CHECK(outcome.fields["stall"].size() == platform::kStallCauses);
        CHECK(sum == ps(outcome.fields["exposed_controller_ns"]));
        const auto& stall = outcome.fields["stall"];
        if (queue_depth == 1) {
          CHECK((ps(stall["decision_unit_ns"]) > 0) == (scorer == platform::Scorer::kRtl));
          CHECK(ps(stall["decision_score_ns"]) > 0);
          CHECK(ps(stall["decision_search_ns"]) > 0);
          // Nothing is hidden: each part is what the controller spent on it, but for the waiting.
          const auto& cycles = outcome.fields["controller"]["cycles"];
          const auto period = std::llround(1e6 / mhz);
          CHECK(ps(stall["decision_search_ns"]) == cycles["search"].get<long long>() * period);
          CHECK(ps(stall["decision_score_ns"]) == cycles["score"].get<long long>() * period);
          CHECK(ps(stall["decision_unit_ns"]) == cycles["wait_unit"].get<long long>() * period);
          CHECK(ps(stall["decision_cost_ns"]) + ps(stall["cost_ns"]) == cycles["cost"].get<long long>() * period);
          CHECK(ps(stall["no_command_ns"]) == cycles["idle"].get<long long>() * period);
        }
      }
    }
  }
}

TEST_CASE("quantum 1 and 10,000 cycles give the same with the unit behind pins", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, "DTREqClass", 0.35));
  config.scorer = platform::Scorer::kRtlPins;
  config.controller_mhz = 137;
  config.unit_mhz = 2.5; // its clock runs all the time
  const test::PlatformOutcome reference = test::run_platform_in_child(schedule, config);
  for (const std::uint64_t quantum : {1, 1000}) {
    config.quantum = quantum;
    const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
    CHECK(outcome.fields.dump() == reference.fields.dump());
    CHECK(test::differences(outcome.record, reference.record, false) == "");
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
