// SPDX-License-Identifier: Apache-2.0
// The simulator against 800 small random traces: zeros, ties, negative classes, duplicate arguments, views, mutations;
// and its incremental regions against regions rebuilt by walking.
#include <catch2/catch.hpp>

#include "host/record/run_recorder.h"
#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"

using namespace dtrmc;

TEST_CASE("every run of the random traces is met field by field, and its events alone give the same record") {
  std::size_t compared = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    CHECK(schedule.name == random.id);
    const sim::Topology topology(schedule);
    for (const test::GoldenRow& row : random.runs) {
      record::RunRecorder recorder(schedule);
      sim::Settings settings;
      settings.heuristic = sim::parse_heuristic(row.heuristic);
      settings.runtime = sim::parse_runtime(row.runtime);
      settings.budget = row.budget;
      if (row.overhead_limit) settings.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
      settings.events = &recorder;
      const sim::Result result = sim::simulate(schedule, topology, settings);
      INFO(test::describe(row));
      CHECK_THAT(test::differences(result.record, row.expected, true), Catch::Equals(""));
      CHECK(result.simrd_defined);
      CHECK(result.failure.has_value() == (result.record.status == record::Status::kOom));
      CHECK(recorder.clock_mismatches() == 0);
      CHECK_THAT(test::differences(recorder.finish(result.record.status), row.expected, false), Catch::Equals(""));
      ++compared;
    }
  });
  CHECK(compared == 4574);
}

TEST_CASE("incremental regions decide as walked ones do, on every trace that permits them, at many budgets") {
  std::size_t runs = 0;
  std::size_t decisions = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    const sim::Topology topology(schedule);
    if (!topology.linking_views.empty()) return; // these are walked anyhow
    sim::Topology walked = topology;
    walked.linking_views.push_back(0);
    const std::uint64_t peak = sim::unlimited_peak(schedule, sim::Runtime::kV2);
    for (const char* heuristic : {"dtr", "ab-e", "msps", "ab-e-stale"}) {
      for (std::uint64_t part = 1; part <= 12; ++part) {
        sim::Settings settings;
        settings.heuristic = sim::parse_heuristic(heuristic);
        settings.runtime = part % 2 == 0 ? sim::Runtime::kV2Eager : sim::Runtime::kV2;
        settings.budget = peak * (part + 4) / 18;
        settings.remat_limit = sim::remat_limit(schedule, 8);
        const sim::Result a = sim::simulate(schedule, topology, settings);
        const sim::Result b = sim::simulate(schedule, walked, settings);
        INFO(random.id << " " << heuristic << " budget " << settings.budget);
        CHECK(test::differences(a.record, b.record, true) == "");
        ++runs;
        decisions += a.record.policy_evictions;
      }
    }
  });
  CHECK(runs > 10000);
  CHECK(decisions > 50000);
}
