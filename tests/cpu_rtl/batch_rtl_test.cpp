// SPDX-License-Identifier: Apache-2.0
// The firmware, as a batch image, on the Verilated RTL of real cores: the same actions as on the instruction-set
// simulator, word for word, and the same number of cycles. Prints the table of cycles.
#include <catch2/catch.hpp>
#include <cinttypes>
#include <cstdio>

#include "firmware/batch.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "tests/cpu_rtl/batch_runs.h"
#include "tests/cpu_rtl/built_or_skip.h"

namespace dtrmc::test {

namespace {

void compare(const std::string& core, const trace::Schedule& schedule, const BatchHeuristic& heuristic, double ratio,
             std::uint32_t ram_wait_states = 0) {
  CAPTURE(core, schedule.name, heuristic.name, ratio, ram_wait_states);
  batch::Setup setup;
  setup.heuristic = heuristic.id;
  setup.ram_wait_states = ram_wait_states;
  setup.budget = static_cast<std::uint64_t>(
      std::floor(ratio * static_cast<double>(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager))));
  batch::Ram iss_ram(DTRMC_BATCH_ELF, schedule, setup);
  batch::Ram rtl_ram(DTRMC_BATCH_ELF, schedule, setup);
  const batch::Run iss = on_iss(iss_ram, core);
  const batch::Run rtl = on_rtl(rtl_ram, core);
  const auto difference = static_cast<std::int64_t>(rtl.cycles - iss.cycles);
  std::printf("%-12s %-20s %-9s ratio %.2f, RAM wait %u: instructions %" PRIu64 ", cycles ISS %" PRIu64 ", RTL %" PRIu64
              ", difference %" PRId64 "\n",
              core.c_str(), schedule.name.c_str(), heuristic.name, ratio, ram_wait_states, iss.instructions, iss.cycles,
              rtl.cycles, difference);
  std::fflush(stdout);
  CHECK(difference == 0);
  CHECK(rtl.instructions == iss.instructions);
  CHECK(rtl.end == DTRMC_BATCH_STOPPED);
  CHECK(rtl_ram.actions() == iss_ram.actions());
  // Everything the firmware left behind, metadata included.
  CHECK(rtl_ram.bytes() == iss_ram.bytes());
  CHECK(record_difference(batch::record_of(rtl_ram, schedule, setup), simulated(schedule, heuristic, setup)).empty());
}

} // namespace

TEST_CASE("Ibex RTL runs the firmware in the cycles of the instruction-set simulator") {
  const trace::Schedule lstm = trace::parse_file(trace::find_trace("lstm-recorded"));
  const trace::Schedule resnet = trace::parse_file(trace::find_trace("cifar-resnet32-224"));
  for (const char* core : {"ibex-small", "ibex-maxperf"}) {
    if (!built_or_skip(core)) continue;
    for (const BatchHeuristic& heuristic : kBatchHeuristics) compare(core, resnet, heuristic, 0.3);
    compare(core, lstm, kBatchHeuristics[0], 0.5);
  }
  if (built_or_skip("ibex-small")) compare("ibex-small", resnet, kBatchHeuristics[0], 0.3, 1);
}

TEST_CASE("PicoRV32 RTL runs the firmware in the cycles of the instruction-set simulator") {
  if (!built_or_skip("picorv32")) return;
  const trace::Schedule resnet = trace::parse_file(trace::find_trace("cifar-resnet32-224"));
  for (const BatchHeuristic& heuristic : kBatchHeuristics) compare("picorv32", resnet, heuristic, 0.3);
}

} // namespace dtrmc::test
