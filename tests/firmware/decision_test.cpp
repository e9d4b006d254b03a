// SPDX-License-Identifier: Apache-2.0
// Firmware against the software simulator, event by event, on traces made to reach rare decisions.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "tests/firmware/made_traces.h"
#include "tests/firmware/unit_model.h"

using namespace dtrmc;

namespace {

class Events : public record::EventSink {
 public:
  void on_event(const record::Event& event) override { events.push_back(event); }
  std::vector<record::Event> events;
};

struct Totals {
  std::uint64_t decisions = 0, redecided = 0, overflow_scans = 0;
};

// Plays one trace with the simulator and with the firmware under each scorer; adds to the totals of the unit.
void compare(const trace::Schedule& schedule, std::uint64_t budget, std::uint32_t heuristic, const char* name,
             const test::UnitParameters& parameters, Totals& totals) {
  Events expected;
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(name);
  settings.budget = budget;
  settings.remat_limit = 5 * schedule.total_cost;
  settings.events = &expected;
  const sim::Result result = sim::simulate(schedule, settings);

  test::FirmwareSetup setup;
  setup.budget = budget;
  setup.remat_limit = settings.remat_limit;
  setup.heuristic = heuristic;
  for (const bool with_unit : {false, true}) {
    test::UnitModel unit(parameters);
    setup.unit = with_unit ? &unit : nullptr;
    const test::FirmwareResult got = test::run_firmware(schedule, setup);
    INFO(schedule.name << ", " << name << ", budget " << budget << (with_unit ? ", unit" : ", firmware"));
    REQUIRE(got.fault == "");
    REQUIRE(got.record.status == result.record.status);
    REQUIRE(got.record.all_sha256 == result.record.all_sha256);
    REQUIRE(got.events == expected.events);
    REQUIRE(got.shared.max_nesting == result.max_nesting);
    if (!with_unit) continue;
    totals.decisions += got.shared.decisions;
    totals.redecided += got.shared.redecided;
    totals.overflow_scans += got.shared.overflow_scans;
  }
}

} // namespace

TEST_CASE("scores closer than doubles can tell are decided as simrd would, and the unit hands them over") {
  test::UnitParameters wide;
  wide.cost_bits = 63;
  wide.size_bits = 60;
  wide.time_bits = 63;
  Totals size_totals, local_totals, overflow_totals;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const trace::Schedule schedule = test::near_ties(seed);
    std::uint64_t budget = 0;
    for (int i = 0; i < 24; ++i) budget += schedule.storages[static_cast<std::size_t>(i)].size;
    compare(schedule, budget, DTRMC_HEURISTIC_SIZE, "size", wide, size_totals);
    compare(schedule, budget, DTRMC_HEURISTIC_DTR_LOCAL, "dtr-local", wide, local_totals);
    test::UnitParameters few = wide;
    few.depth = 8;
    compare(schedule, budget, DTRMC_HEURISTIC_DTR_LOCAL, "dtr-local", few, overflow_totals);
  }
  CHECK(size_totals.redecided > 400);
  CHECK(local_totals.redecided > 400);
  CHECK(overflow_totals.overflow_scans > 400);
}

TEST_CASE("zero and negative scores in one pool follow the scan order") {
  test::UnitParameters deep;
  Totals totals, small_totals;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 120);
    for (const std::uint64_t percent : {40u, 55u, 70u, 85u}) {
      const std::uint64_t budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * percent / 100;
      compare(schedule, budget, DTRMC_HEURISTIC_DTR_EQ, "dtr-eq", deep, totals);
      test::UnitParameters small = deep;
      small.depth = 3;
      compare(schedule, budget, DTRMC_HEURISTIC_DTR_EQ, "dtr-eq", small, small_totals);
    }
  }
  CHECK(totals.redecided > 10);
  CHECK(small_totals.redecided > 10);
}

TEST_CASE("the other heuristics agree on the same graphs") {
  Totals totals;
  for (std::uint64_t seed = 400; seed < 500; ++seed) {
    const trace::Schedule schedule = test::drifting(seed, 80);
    test::UnitParameters parameters;
    parameters.depth = 6;
    for (const std::uint64_t percent : {50u, 70u, 85u}) {
      const std::uint64_t budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * percent / 100;
      compare(schedule, budget, DTRMC_HEURISTIC_LRU, "lru", parameters, totals);
      compare(schedule, budget, DTRMC_HEURISTIC_SIZE, "size", parameters, totals);
      compare(schedule, budget, DTRMC_HEURISTIC_DTR_LOCAL, "dtr-local", parameters, totals);
    }
  }
  CHECK(totals.decisions > 1000);
}

TEST_CASE("materialisation nests as deep as the graph") {
  Totals totals;
  const trace::Schedule schedule = test::chain(30000);
  compare(schedule, 3, DTRMC_HEURISTIC_DTR_EQ, "dtr-eq", test::UnitParameters(), totals);
  CHECK(totals.decisions > 0);
  test::FirmwareSetup setup;
  setup.budget = 3;
  CHECK(test::run_firmware(schedule, setup).shared.max_nesting > 29000);
}
