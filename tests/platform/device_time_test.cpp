// SPDX-License-Identifier: Apache-2.0
// Staleness on device time: every decision is right by the controller's own clock, and where latency cannot show, the
// evictions are those of the model clock.
#include <catch2/catch.hpp>

#include "host/compare/ranking.h"
#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "systemc/cosim/cosim.h"
#include "systemc/platform/child_process.h"
#include "tests/platform/equal_scorers.h"
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

// Looks at every decision with the pool as the controller has it in RAM: 64-bit times, whatever its table holds.
class Checker : public cosim::DecisionSink {
 public:
  void on_decision(const platform::Decision& decision) override {
    const auto best = compare::choose(decision.pool, std::nullopt);
    ++decisions;
    if (!best || decision.pool[*best].storage != decision.victim) ++wrong;
    if (decision.overflow_scan) ++overflow_scans;
  }
  bool wants_pools() const override { return true; }
  std::uint64_t decisions = 0, wrong = 0, overflow_scans = 0;
};

struct Counts {
  std::uint64_t decisions, wrong, overflow_scans;
  std::vector<std::string> failed_checks;
  std::string all_sha256;
};

Counts check_decisions(const trace::Schedule& schedule, const platform::PlatformConfig& config) {
  const auto json = nlohmann::json::parse(platform::run_in_child([&] {
    Checker checker;
    cosim::CosimSinks sinks;
    sinks.decisions = &checker;
    const cosim::CosimReport report = cosim::run_cosim(schedule, config, sinks);
    return nlohmann::json{checker.decisions, checker.wrong, checker.overflow_scans, report.failed_checks,
                          report.record.all_sha256}
        .dump();
  }));
  return {json[0], json[1], json[2], json[3], json[4]};
}

// A chain that is used again on its way back. Costs are whole multiples of 1 ms.
std::string slow_chain(int length) {
  std::string text = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})"
                     "\n";
  const auto call = [&](const std::string& result, const std::string& arguments, int size, int ms) {
    text += R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[)" + arguments + R"(],"RESULT":[")" + result +
            R"("],"TIME":")" + std::to_string(ms) + "000000\"}\n";
    text += R"({"INSTRUCTION":"MEMORY","NAME":")" + result + R"(","MEMORY":")" + std::to_string(size) + "\"}\n";
    text += R"({"INSTRUCTION":"ALIAS","NAME":")" + result +
            R"(","ALIAS":"-1"})"
            "\n";
  };
  text += R"({"INSTRUCTION":"CONSTANT","NAME":"x0"})"
          "\n"
          R"({"INSTRUCTION":"MEMORY","NAME":"x0","MEMORY":"64"})"
          "\n";
  const auto name = [](const char* prefix, int i) { return prefix + std::to_string(i); };
  for (int i = 1; i < length; ++i) {
    call(name("x", i), '"' + name("x", i - 1) + '"', 40 + 13 * (i % 5), 2 + i * 7 % 11);
  }
  std::string gradient = name("x", length - 1);
  for (int i = length - 1; i > 0; --i) {
    call(name("g", i), '"' + gradient + "\",\"" + name("x", i - 1) + '"', 48, 3 + i * 5 % 7);
    text += R"({"INSTRUCTION":"RELEASE","NAME":")" + gradient + "\"}\n";
    if (gradient != name("x", i)) text += R"({"INSTRUCTION":"RELEASE","NAME":")" + name("x", i) + "\"}\n";
    gradient = name("g", i);
  }
  return text;
}

} // namespace

TEST_CASE("every decision on device time is the right one by the controller's own clock", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  for (const char* heuristic : {"DTREqClass", "DTRLocal", "LRU"}) {
    platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.35));
    const std::string model = check_decisions(schedule, config).all_sha256;
    config.time = DTRMC_TIME_DEVICE;
    struct Variant {
      platform::Scorer scorer;
      const char* unit;
      double mhz;
      std::uint64_t tick_ns;
      std::uint32_t queue_depth;
    };
    for (const Variant& v : {Variant{platform::Scorer::kFirmware, "exact-l4", 1000, 1, 1},
                             Variant{platform::Scorer::kRtl, "exact-l4", 1000, 1, 1},
                             Variant{platform::Scorer::kTlm, "exact-l4", 1000, 1, 1},
                             Variant{platform::Scorer::kRtl, "exact-l4", 20, 1000, 8},
                             Variant{platform::Scorer::kRtl, "exact-l1-t20", 50, 1, 1},
                             Variant{platform::Scorer::kRtl, "exact-l1-t20", 1000, 17, 4}}) {
      config.scorer = v.scorer;
      config.unit = v.unit;
      config.controller_mhz = v.mhz;
      config.tick_ns = v.tick_ns;
      config.queue_depth = v.queue_depth;
      const Counts counts = check_decisions(schedule, config);
      INFO(heuristic << ", " << v.unit << " at " << v.mhz << " MHz, ticks of " << v.tick_ns);
      CHECK(counts.failed_checks == std::vector<std::string>{});
      CHECK(counts.decisions > 50);
      CHECK(counts.wrong == 0);
      if (v.mhz == 20) CHECK(counts.all_sha256 != model); // a slow controller is seen
      // 2^20 ns are 1 ms: the timestamps of the narrow table wrap a hundred times, and old entries stay outside.
      if (std::string(v.unit) == "exact-l1-t20" && v.tick_ns == 1 && std::string(heuristic) != "LRU") {
        CHECK(counts.overflow_scans > 10);
      }
    }
  }
}

// A free-running clock at the controller's own speed would take minutes on a recorded trace, hence the slower units.
TEST_CASE("scorers with a unit see the same device time on a recorded trace", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  struct Variant {
    const char* unit;
    double mhz, unit_mhz;
    std::uint64_t tick_ns;
    std::uint32_t queue_depth;
  };
  for (const char* heuristic : {"DTREqClass", "LRU", "LargestStorage"}) {
    platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.35));
    const std::string model = test::run_platform_in_child(schedule, config).record.all_sha256;
    config.time = DTRMC_TIME_DEVICE;
    for (const Variant& v : {Variant{"exact-l4", 10, 2.5, 1, 1}, Variant{"exact-l1-t20", 1000, 1, 17, 4}}) {
      config.unit = v.unit;
      config.controller_mhz = v.mhz;
      config.unit_mhz = v.unit_mhz;
      config.tick_ns = v.tick_ns;
      config.queue_depth = v.queue_depth;
      INFO(heuristic << ", " << v.unit << " at " << v.unit_mhz << " MHz, ticks of " << v.tick_ns);
      const test::PlatformOutcome outcome = test::check_equal_scorers(schedule, config);
      CHECK(outcome.fields["decisions"]["count"] > 50);
      if (std::string(heuristic) == "DTREqClass") CHECK(outcome.record.all_sha256 != model); // latency is seen
    }
  }
}

TEST_CASE("scorers with a unit see the same device time on random traces", "[platform]") {
  struct Clocks {
    double controller_mhz, unit_mhz;
    std::uint64_t tick_ns;
    std::uint32_t queue_depth;
    const char* unit;
  };
  const std::vector<Clocks> clocks{{1000, 0, 1, 1, "exact-l4"},
                                   {1000, 333, 3, 4, "exact-l1-t20"},
                                   {137, 100, 1, 1, "exact-l4-d4"},
                                   {250, 250, 100, 64, "exact-l4"}};
  std::size_t rows = 0, runs = 0, differing = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    trace::Schedule schedule;
    for (const test::GoldenRow& row : random.runs) {
      if (!test::firmware_has(row) || row.expected.clock > 50000 || ++rows % 24 != 0) continue;
      if (schedule.steps.empty()) schedule = trace::parse_text(random.text, random.id + ".log");
      const Clocks& chosen = clocks[runs++ % clocks.size()];
      platform::PlatformConfig config = test::platform_config(schedule, row);
      config.time = DTRMC_TIME_DEVICE;
      config.controller_mhz = chosen.controller_mhz;
      config.unit_mhz = chosen.unit_mhz;
      config.tick_ns = chosen.tick_ns;
      config.queue_depth = chosen.queue_depth;
      config.unit = chosen.unit;
      config.ram_bytes = 1u << 20;
      INFO(test::describe(row) << ", unit " << chosen.unit << " at " << chosen.unit_mhz << " MHz");
      const test::PlatformOutcome outcome = test::check_equal_scorers(schedule, config);
      differing += test::differences(outcome.record, row.expected, false) != "";
    }
  });
  CHECK(runs > 30);
  CHECK(differing > 10); // latency is seen
}

TEST_CASE("heuristics without staleness do not see device time", "[platform]") {
  const trace::Schedule schedule = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  for (const char* heuristic : {"LargestStorage", "MSPS"}) {
    platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.4));
    const test::PlatformOutcome model = test::run_platform_in_child(schedule, config);
    config.time = DTRMC_TIME_DEVICE;
    config.controller_mhz = 30;
    const test::PlatformOutcome device = test::run_platform_in_child(schedule, config);
    CHECK(test::differences(device.record, model.record, false) == "");
  }
}

// The faster the controller, the closer device time is to the model clock; where all of its latency together does not
// fill one tick, and costs are whole ticks, the two clocks are the same number at every look.
TEST_CASE("a controller too fast to be seen evicts as on the model clock", "[platform]") {
  const trace::Schedule schedule = trace::parse_text(slow_chain(60), "slow-chain.log");
  for (const char* heuristic : {"DTREqClass", "DTRLocal", "LRU", "DTR"}) {
    platform::PlatformConfig config = test::platform_config(schedule, row_for(schedule, heuristic, 0.4));
    config.controller_mhz = 100000;
    config.tick_ns = 1000000;
    const test::PlatformOutcome model = test::run_platform_in_child(schedule, config);
    CHECK(model.record.policy_evictions > 20);
    config.time = DTRMC_TIME_DEVICE;
    const test::PlatformOutcome device = test::run_platform_in_child(schedule, config);
    INFO(heuristic);
    CHECK(device.fields["exposed_controller_ns"].get<double>() < 1e6);
    CHECK(test::differences(device.record, model.record, false) == "");
    if (std::string(heuristic) == "LRU") continue; // sees the order of uses alone, which latency does not change
    config.controller_mhz = 0.01;                  // and a slow one does not
    CHECK(test::run_platform_in_child(schedule, config).record.all_sha256 != model.record.all_sha256);
  }
}
