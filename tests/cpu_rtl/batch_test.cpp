// SPDX-License-Identifier: Apache-2.0
// The batch image on the instruction-set simulator takes the decisions of the software simulator.
#include <catch2/catch.hpp>

#include "firmware/batch.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "tests/cpu_rtl/batch_runs.h"
#include "tests/support/golden.h"

namespace dtrmc::test {

namespace {

const char* const kElf = DTRMC_BATCH_ELF;

batch::Setup setup_for(const trace::Schedule& schedule, const BatchHeuristic& heuristic, double ratio) {
  batch::Setup setup;
  setup.heuristic = heuristic.id;
  setup.budget = static_cast<std::uint64_t>(
      std::floor(ratio * static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager))));
  return setup;
}

} // namespace

TEST_CASE("the batch image takes the simulator's decisions on a recorded trace") {
  const trace::Schedule schedule = trace::parse_file(trace::find_trace("lstm-recorded"));
  for (const BatchHeuristic& heuristic : kBatchHeuristics) {
    CAPTURE(heuristic.name);
    const batch::Setup setup = setup_for(schedule, heuristic, 0.5);
    batch::Ram ram(kElf, schedule, setup);
    const batch::Run run = on_iss(ram, "ibex-small");
    CHECK(run.end == DTRMC_BATCH_STOPPED);
    const record::RunRecord record = batch::record_of(ram, schedule, setup);
    CHECK(record_difference(record, simulated(schedule, heuristic, setup)).empty());
    CHECK(record.policy_evictions > 20);
    CHECK(ram.shared().decisions == record.policy_evictions);
  }
}

TEST_CASE("the batch image takes the simulator's decisions on random traces, whatever the CPU's timing and quantum") {
  unsigned traces = 0;
  for_each_random_trace("tests/data/random.jsonl.gz", [&](const RandomTrace& random) {
    if (traces++ % 10 != 0) return;
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    for (const BatchHeuristic& heuristic : kBatchHeuristics) {
      CAPTURE(random.id, heuristic.name);
      batch::Setup setup = setup_for(schedule, heuristic, 0.5);
      setup.remat_limit = sim::remat_limit(schedule, 3);
      setup.ram_bytes = 1u << 20;
      setup.action_slots = 1u << 14;
      const record::RunRecord expected = simulated(schedule, heuristic, setup);
      std::uint64_t instructions = 0;
      for (const char* profile : {"ibex-small", "picorv32"}) {
        batch::Ram ram(kElf, schedule, setup);
        const batch::Run run = on_iss(ram, profile, profile[0] == 'i' ? 1 : 1000000);
        CHECK(record_difference(batch::record_of(ram, schedule, setup), expected).empty());
        if (instructions == 0) instructions = run.instructions;
        CHECK(run.instructions == instructions);
      }
    }
  });
  CHECK(traces > 100);
}

TEST_CASE("RAM wait states cost the same for each access") {
  const trace::Schedule schedule = trace::parse_file(trace::find_trace("lstm-recorded"));
  batch::Setup setup = setup_for(schedule, kBatchHeuristics[0], 0.6);
  std::vector<std::uint64_t> cycles;
  for (const std::uint32_t wait_states : {0u, 1u, 2u, 7u}) {
    setup.ram_wait_states = wait_states;
    batch::Ram ram(kElf, schedule, setup);
    cycles.push_back(on_iss(ram, "ibex-small").cycles);
  }
  CHECK(cycles[1] > cycles[0] + 100000);
  CHECK(cycles[2] - cycles[0] == 2 * (cycles[1] - cycles[0]));
  CHECK(cycles[3] - cycles[0] == 7 * (cycles[1] - cycles[0]));
}

TEST_CASE("the batch image says how it ends") {
  const trace::Schedule schedule = trace::parse_file(trace::find_trace("lstm-recorded"));
  batch::Setup setup = setup_for(schedule, kBatchHeuristics[0], 0.5);
  SECTION("out of memory") {
    setup.budget = 1;
    batch::Ram ram(kElf, schedule, setup);
    CHECK(on_iss(ram, "ibex-small").end == DTRMC_BATCH_STOPPED);
    CHECK(batch::record_of(ram, schedule, setup).status == record::Status::kOom);
  }
  SECTION("RAM is too small for metadata") {
    setup.ram_bytes = 512u << 10;
    setup.action_slots = 1024;
    batch::Ram ram(kElf, schedule, setup);
    on_iss(ram, "ibex-small");
    CHECK_THROWS_WITH(ram.actions(), Catch::Contains("the ring holds 1024"));
  }
  SECTION("RAM is too small for the commands") {
    setup.ram_bytes = 64u << 10;
    CHECK_THROWS_WITH(batch::Ram(kElf, schedule, setup), Catch::Contains("do not fit into RAM"));
  }
}

} // namespace dtrmc::test
