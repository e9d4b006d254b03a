// SPDX-License-Identifier: Apache-2.0
// Reclaimed records: long traces run in the memory of short ones, and every decision comes out as in the simulator,
// which forgets nothing. (That nothing in use is reclaimed is also what every other test of the firmware checks.)
#include <catch2/catch.hpp>
#include <string>

#include "host/sim/simulator.h"
#include "tests/firmware/made_traces.h"
#include "tests/firmware/run_golden.h"
#include "tests/firmware/unit_model.h"
#include "tests/support/firmware_host.h"

using namespace dtrmc;

namespace {

struct Heuristic {
  std::uint32_t number;
  const char* name;
};
constexpr Heuristic kHeuristics[] = {{DTRMC_HEURISTIC_DTR_EQ, "dtr-eq"}, {DTRMC_HEURISTIC_DTR_LOCAL, "dtr-local"},
                                     {DTRMC_HEURISTIC_LRU, "lru"},       {DTRMC_HEURISTIC_SIZE, "size"},
                                     {DTRMC_HEURISTIC_DTR, "dtr"},       {DTRMC_HEURISTIC_MSPS, "msps"}};

// Peak of the metadata, after comparing the run with the simulator's.
std::uint32_t metadata_peak(const trace::Schedule& schedule, const Heuristic& heuristic, std::uint64_t budget,
                            bool with_unit) {
  test::FirmwareSetup setup;
  setup.heuristic = heuristic.number;
  setup.budget = budget;
  test::UnitParameters parameters;
  parameters.depth = 16;
  test::UnitModel unit(parameters);
  if (with_unit) setup.unit = &unit;
  const test::FirmwareResult result = test::run_firmware(schedule, setup);
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(heuristic.name);
  settings.budget = budget;
  const sim::Result expected = sim::simulate(schedule, settings);
  REQUIRE(result.fault == "");
  REQUIRE(test::differences(result.record, expected.record, false) == "");
  return result.shared.metadata_peak;
}

} // namespace

TEST_CASE("the memory of repeated training steps does not grow with their number") {
  const trace::Schedule few = test::training_steps(24, 4, test::Weights::kConstant);
  const trace::Schedule many = test::training_steps(24, 40, test::Weights::kConstant);
  const std::uint64_t peak = sim::unlimited_peak(few, sim::Runtime::kV2Eager);
  REQUIRE(peak == sim::unlimited_peak(many, sim::Runtime::kV2Eager));
  for (const Heuristic& heuristic : kHeuristics) {
    for (const bool with_unit : {false, true}) {
      for (const std::uint64_t tenths : {4, 7, 10}) { // 10: no pressure, no decision
        INFO(heuristic.name << ", unit " << with_unit << ", budget " << tenths << "/10");
        const std::uint32_t short_run = metadata_peak(few, heuristic, peak * tenths / 10, with_unit);
        const std::uint32_t long_run = metadata_peak(many, heuristic, peak * tenths / 10, with_unit);
        CHECK(long_run <= short_run + short_run / 50);
      }
    }
  }
}

// Not a defect of the controller: simrd's rules say that an evicted weight is recomputed from those before.
TEST_CASE("weights that operators update keep the history of all steps") {
  const trace::Schedule few = test::training_steps(24, 4, test::Weights::kUpdated);
  const trace::Schedule many = test::training_steps(24, 40, test::Weights::kUpdated);
  const std::uint64_t budget = sim::unlimited_peak(many, sim::Runtime::kV2Eager);
  for (const Heuristic& heuristic : kHeuristics) {
    INFO(heuristic.name);
    CHECK(metadata_peak(many, heuristic, budget, false) > 5 * metadata_peak(few, heuristic, budget, false));
  }
}
