// SPDX-License-Identifier: Apache-2.0
// The batch image on the instruction-set simulator and on RTL, and the software simulator of the same run beside it.
#pragma once

#include <cmath>
#include <string>

#include "host/sim/heuristic.h"
#include "host/sim/simulator.h"
#include "systemc/batch/batch.h"
#include "systemc/cpu/core.h"
#include "systemc/cpu_rtl/rtl_core.h"
#include "systemc/cpu_rtl/tiles.h"

namespace dtrmc::test {

struct BatchHeuristic {
  const char* name;
  dtrmc_heuristic id;
};
inline constexpr BatchHeuristic kBatchHeuristics[] = {{"dtr-eq", DTRMC_HEURISTIC_DTR_EQ},
                                                      {"dtr-local", DTRMC_HEURISTIC_DTR_LOCAL},
                                                      {"lru", DTRMC_HEURISTIC_LRU},
                                                      {"size", DTRMC_HEURISTIC_SIZE}};

inline record::RunRecord simulated(const trace::Schedule& schedule, const BatchHeuristic& heuristic,
                                   const batch::Setup& setup) {
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(heuristic.name);
  settings.budget = setup.budget;
  settings.remat_limit = setup.remat_limit;
  return sim::simulate(schedule, settings).record;
}

inline batch::Run on_iss(batch::Ram& ram, const std::string& profile, std::uint64_t quantum = std::uint64_t{1} << 30) {
  return batch::run(
      ram,
      [&](const cpu::RamView& view, cpu::Environment& environment) {
        return std::make_unique<cpu::Core>(cpu::timing_profile(profile), view, environment);
      },
      quantum);
}

inline batch::Run on_rtl(batch::Ram& ram, const std::string& core) {
  return batch::run(ram, [&](const cpu::RamView& view, cpu::Environment& environment) {
    return std::make_unique<cpu_rtl::RtlCore>(cpu_rtl::make_tile(core), view, environment);
  });
}

// Fields in which two records differ, empty where they agree.
inline std::string record_difference(const record::RunRecord& a, const record::RunRecord& b) {
  std::string text;
  const auto field = [&](const char* name, const auto& x, const auto& y) {
    if (x != y) text += std::string(name) + " ";
  };
  field("status", a.status, b.status);
  field("clock", a.clock, b.clock);
  field("policy_sha256", a.policy_sha256, b.policy_sha256);
  field("all_sha256", a.all_sha256, b.all_sha256);
  field("max_memory", a.max_memory, b.max_memory);
  field("policy_evictions", a.policy_evictions, b.policy_evictions);
  return text;
}

} // namespace dtrmc::test
