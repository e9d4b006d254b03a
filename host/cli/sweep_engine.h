// SPDX-License-Identifier: Apache-2.0
// What runs the points of a sweep: the software simulator, or the platform.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/cli/report.h"
#include "host/sim/simulator.h"
#include "host/sim/topology.h"
#include "host/trace/schedule.h"

namespace dtrmc::cli {

struct SweepSettings;

// A trace with what all its points share.
struct SweepTrace {
  SweepTrace(trace::Schedule s, const SweepSettings& settings);
  trace::Schedule schedule;
  sim::Topology topology;
  std::uint64_t peak = 0;        // of the baseline, bytes
  std::uint64_t remat_limit = 0; // ns
  std::optional<double> overhead_limit;
};

// One combination of everything but trace and budget.
struct SweepVariant {
  Json key; // its columns, heuristic and runtime first
  // Columns of a point behind the budget. Runs in a worker process.
  std::function<Json(const SweepTrace& trace, std::uint64_t budget)> run;
};

struct SweepSettings {
  sim::Runtime baseline = sim::Runtime::kV2Eager;
  std::optional<double> overhead_limit;
  std::vector<SweepVariant> variants;
};

struct SweepPointRunner {
  std::shared_ptr<const SweepTrace> trace;
  const SweepVariant* variant;
};

// Arithmetic of the simulator's scores, each a list (ArithmeticOptions).
struct SweptArithmetic {
  std::vector<std::string> arithmetic;
  std::vector<std::string> tick_ns;
  bool empty() const { return arithmetic.empty() && tick_ns.empty(); }
};

// Every heuristic with every runtime, and every arithmetic with every tick where one of them is given (only then do
// rows say them). Throws UsageError.
std::vector<SweepVariant> simulator_variants(const std::vector<std::string>& heuristics,
                                             const std::vector<std::string>& runtimes,
                                             const SweptArithmetic& arithmetic);
std::vector<std::string> simulator_columns(); // behind the budget

// Platform parameters that a sweep varies, each a list.
struct SweptPlatform {
  std::vector<std::string> scorer;
  std::vector<std::string> unit;
  std::vector<std::string> queue_depth;
  std::vector<std::string> controller_mhz;
  std::vector<std::string> unit_mhz;
  std::vector<std::string> cpu_profile;
  std::vector<std::string> time;
  std::vector<std::string> tick_ns;
  bool empty() const { // but for ticks, which the simulator has as well
    for (const auto* values : {&scorer, &unit, &queue_depth, &controller_mhz, &unit_mhz, &cpu_profile, &time}) {
      if (!values->empty()) return false;
    }
    return true;
  }
};
void add_swept_platform_options(CLI::App& app, SweptPlatform& platform);

// Every heuristic and runtime with every combination of platform parameters (firmware scores without a unit: one row,
// not one per unit). Throws UsageError.
std::vector<SweepVariant> platform_variants(const std::vector<std::string>& heuristics,
                                            const std::vector<std::string>& runtimes, const SweptPlatform& platform);
std::vector<std::string> platform_columns();

} // namespace dtrmc::cli
