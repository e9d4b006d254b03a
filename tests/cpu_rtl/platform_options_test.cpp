// SPDX-License-Identifier: Apache-2.0
// What is configurable about time on the platform: wait states, latency per bus target, the unit's own clock. None of
// it changes a decision, all of it costs what it says, and the quantum stays without influence.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/platform_child.h"

namespace dtrmc::test {

namespace {

using Change = std::function<void(platform::PlatformConfig&)>;

const trace::Schedule& schedule() {
  static const trace::Schedule result = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  return result;
}

PlatformOutcome run(const Change& change) {
  GoldenRow row;
  row.heuristic = "DTREqClass";
  row.budget =
      static_cast<std::uint64_t>(static_cast<double>(sim::unlimited_peak(schedule(), sim::Runtime::kV2Eager)) * 0.3);
  platform::PlatformConfig config = platform_config(schedule(), row);
  change(config);
  PlatformOutcome outcome = run_platform_in_child(schedule(), config);
  CHECK(outcome.failed_checks == std::vector<std::string>{});
  return outcome;
}

// Cycles that depend on no other block: the rest waits for the accelerator or a command.
std::uint64_t busy(const PlatformOutcome& outcome) {
  const auto& cycles = outcome.fields["controller"]["cycles"];
  return cycles["total"].get<std::uint64_t>() - cycles["wait_accelerator"].get<std::uint64_t>() -
         cycles["idle"].get<std::uint64_t>();
}

} // namespace

TEST_CASE("wait states and the unit's clock change cycles, never decisions") {
  const PlatformOutcome reference = run([](platform::PlatformConfig&) {});
  const Change slower[] = {
      [](platform::PlatformConfig& c) { c.ram_wait_states = 1; },
      [](platform::PlatformConfig& c) { c.mmio_wait_states = 20; },
      [](platform::PlatformConfig& c) { c.unit_wait_states = 7; },
      [](platform::PlatformConfig& c) { c.unit_mhz = 300; },
  };
  for (const Change& change : slower) {
    const PlatformOutcome outcome = run(change);
    CHECK(differences(outcome.record, reference.record, false) == "");
    CHECK(busy(outcome) > busy(reference));
    const PlatformOutcome other_quantum = run([&](platform::PlatformConfig& c) {
      change(c);
      c.quantum = 13;
    });
    CHECK(outcome.fields.dump() == other_quantum.fields.dump());
  }
  const PlatformOutcome fast_unit = run([](platform::PlatformConfig& c) { c.unit_mhz = 4000; });
  CHECK(differences(fast_unit.record, reference.record, false) == "");
  CHECK(busy(fast_unit) < busy(reference));
}

TEST_CASE("the unit at the controller's frequency is the default") {
  const PlatformOutcome reference = run([](platform::PlatformConfig& c) { c.controller_mhz = 400; });
  const PlatformOutcome named = run([](platform::PlatformConfig& c) {
    c.controller_mhz = 400;
    c.unit_mhz = 400;
  });
  CHECK(named.fields.dump() == reference.fields.dump());
}

TEST_CASE("MMIO wait states cost the same for each access") {
  // With scorer firmware and nothing to wait for, every access is one of a fixed number.
  const auto cycles = [](std::uint32_t wait) {
    return run([&](platform::PlatformConfig& c) {
      c.scorer = platform::Scorer::kFirmware;
      c.mmio_wait_states = wait;
    });
  };
  const PlatformOutcome at[] = {cycles(0), cycles(1), cycles(2), cycles(9)};
  const std::uint64_t per_cycle = busy(at[1]) - busy(at[0]);
  CHECK(per_cycle > 1000);
  CHECK(busy(at[2]) - busy(at[0]) == 2 * per_cycle);
  CHECK(busy(at[3]) - busy(at[0]) == 9 * per_cycle);
}

TEST_CASE("wait states out of range are refused") {
  const auto refused = [](const Change& change) {
    platform::PlatformConfig config = platform_config(schedule(), [] {
      GoldenRow row;
      row.heuristic = "LRU";
      return row;
    }());
    change(config);
    return [config] { run_platform_in_child(schedule(), config); };
  };
  CHECK_THROWS_WITH(refused([](platform::PlatformConfig& c) { c.ram_wait_states = 10001; })(),
                    Catch::Contains("RAM wait states: at most 10000"));
  CHECK_THROWS_WITH(refused([](platform::PlatformConfig& c) { c.unit_mhz = -1; })(),
                    Catch::Contains("scoring unit frequency"));
}

} // namespace dtrmc::test
