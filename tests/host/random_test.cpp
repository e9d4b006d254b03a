// SPDX-License-Identifier: Apache-2.0
// The simulator against 800 small random traces: zeros, ties, negative classes, duplicate arguments, views, mutations.
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
