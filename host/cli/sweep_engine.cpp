// SPDX-License-Identifier: Apache-2.0
#include "host/cli/sweep_engine.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "host/cli/arithmetic_options.h"
#include "host/cli/platform_options.h"
#include "host/cli/usage_error.h"
#include "systemc/cosim/cosim.h"
#include "systemc/platform/child_process.h"

namespace dtrmc::cli {

SweepTrace::SweepTrace(trace::Schedule s, const SweepSettings& settings)
    : schedule(std::move(s)),
      topology(schedule),
      peak(sim::unlimited_peak(schedule, settings.baseline)),
      remat_limit(settings.overhead_limit ? sim::remat_limit(schedule, *settings.overhead_limit) : sim::kNoLimit),
      overhead_limit(settings.overhead_limit) {}

namespace {

struct Pair {
  sim::Heuristic heuristic;
  sim::Runtime runtime;
};

std::vector<Pair> pairs(const std::vector<std::string>& heuristics, const std::vector<std::string>& runtimes) {
  std::vector<Pair> out;
  std::set<std::pair<std::string, sim::Runtime>> seen;
  try {
    for (const std::string& heuristic : heuristics) {
      for (const std::string& runtime : runtimes) {
        const Pair pair{sim::parse_heuristic(heuristic), sim::parse_runtime(runtime)};
        sim::require_supported(pair.heuristic, pair.runtime);
        if (seen.insert({pair.heuristic.name, pair.runtime}).second) out.push_back(pair);
      }
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  return out;
}

Json key_of(const Pair& pair) {
  Json key;
  key["heuristic"] = pair.heuristic.name;
  key["runtime"] = sim::to_string(pair.runtime);
  return key;
}

constexpr const char* kGolden[] = {"status",           "overhead",      "clock",
                                   "model_compute",    "remat_compute", "max_memory",
                                   "policy_evictions", "all_evictions", "distinct_evicted",
                                   "policy_sha256",    "all_sha256"};

Json golden(const record::RunRecord& r, std::uint64_t baseline_compute) {
  Json out;
  out["status"] = record::to_string(r.status);
  out["overhead"] = nullptr;
  if (r.status == record::Status::kOk && baseline_compute != 0) {
    out["overhead"] = static_cast<double>(r.clock) / static_cast<double>(baseline_compute);
  }
  out["clock"] = r.clock;
  out["model_compute"] = r.model_compute;
  out["remat_compute"] = r.remat_compute;
  out["max_memory"] = r.max_memory;
  out["policy_evictions"] = r.policy_evictions;
  out["all_evictions"] = r.all_evictions;
  out["distinct_evicted"] = r.distinct_evicted;
  out["policy_sha256"] = r.policy_sha256;
  out["all_sha256"] = r.all_sha256;
  return out;
}

Json run_simulator(sim::Settings settings, const SweepTrace& trace, std::uint64_t budget) {
  settings.budget = budget;
  settings.remat_limit = trace.remat_limit;
  const sim::Result result = sim::simulate(trace.schedule, trace.topology, settings);
  Json out = golden(result.record, trace.schedule.total_cost);
  out["heuristic_evals"] = result.record.heuristic_evals;
  out["pinned_peak"] = result.pinned_peak;
  out["depth_at_pinned_peak"] = result.depth_at_pinned_peak;
  out["max_nesting"] = result.max_nesting;
  const sim::Failure* f = result.failure ? &*result.failure : nullptr;
  out["failure_request"] = f != nullptr ? Json(f->request) : Json(nullptr);
  out["failure_over_by"] = f != nullptr ? Json(f->over_by) : Json(nullptr);
  out["failure_pinned"] = f != nullptr ? Json(f->pinned) : Json(nullptr);
  out["failure_depth"] = f != nullptr ? Json(f->depth) : Json(nullptr);
  out["failure_operator"] = f != nullptr ? Json(f->op) : Json(nullptr);
  out["simrd_defined"] = result.simrd_defined;
  return out;
}

// Columns of a platform row, and where cosim --json has them.
struct Column {
  const char* name;
  const char* pointer;
};
constexpr std::array kPlatform{
    Column{"device_time_ns", "/device_time_ns"},
    Column{"accelerator_busy_ns", "/accelerator_busy_ns"},
    Column{"exposed_controller_ns", "/exposed_controller_ns"},
    Column{"stall_decision_cost_ns", "/stall/decision_cost_ns"},
    Column{"stall_decision_score_ns", "/stall/decision_score_ns"},
    Column{"stall_decision_search_ns", "/stall/decision_search_ns"},
    Column{"stall_decision_unit_ns", "/stall/decision_unit_ns"},
    Column{"stall_commands_ns", "/stall/commands_ns"},
    Column{"stall_metadata_ns", "/stall/metadata_ns"},
    Column{"stall_cost_ns", "/stall/cost_ns"},
    Column{"stall_completion_ns", "/stall/completion_ns"},
    Column{"stall_no_command_ns", "/stall/no_command_ns"},
    Column{"arithmetic", "/arithmetic"},
    Column{"lanes", "/lanes"},
    Column{"table_depth", "/table_depth"},
    Column{"search", "/search"},
    Column{"instructions", "/controller/instructions"},
    Column{"cycles_total", "/controller/cycles/total"},
    Column{"cycles_commands", "/controller/cycles/commands"},
    Column{"cycles_metadata", "/controller/cycles/metadata"},
    Column{"cycles_cost", "/controller/cycles/cost"},
    Column{"cycles_score", "/controller/cycles/score"},
    Column{"cycles_search", "/controller/cycles/search"},
    Column{"cycles_wait_unit", "/controller/cycles/wait_unit"},
    Column{"cycles_wait_accelerator", "/controller/cycles/wait_accelerator"},
    Column{"cycles_idle", "/controller/cycles/idle"},
    Column{"decisions", "/decisions/count"},
    Column{"decision_cycles_min", "/decisions/cycles/min"},
    Column{"decision_cycles_p50", "/decisions/cycles/p50"},
    Column{"decision_cycles_p90", "/decisions/cycles/p90"},
    Column{"decision_cycles_p99", "/decisions/cycles/p99"},
    Column{"decision_cycles_max", "/decisions/cycles/max"},
    Column{"candidates_mean", "/decisions/candidates/mean"},
    Column{"candidates_max", "/decisions/candidates/max"},
    Column{"unit_active_cycles", "/unit/active_cycles"},
    Column{"unit_table_writes", "/unit/table_writes"},
    Column{"unit_bus_cycles", "/unit/bus_cycles"},
    Column{"unit_stall_cycles", "/unit/stall_cycles"},
    Column{"unit_overflow_scans", "/unit/overflow_scans"},
    Column{"unit_redecided", "/unit/redecided"},
    Column{"max_nesting", "/max_nesting"},
    Column{"metadata_peak_bytes", "/metadata_bytes/peak"},
};

Json run_platform(const platform::PlatformConfig& config, const SweepTrace& trace) {
  // SystemC elaborates once per process.
  return Json::parse(platform::run_in_child([&] {
    const cosim::CosimReport report = cosim::run_cosim(trace.schedule, config);
    if (!report.failed_checks.empty()) throw std::runtime_error("check failed: " + report.failed_checks.front());
    Json out = golden(report.record, trace.schedule.total_cost);
    const Json fields = cosim::platform_fields(report.platform, config);
    for (const Column& column : kPlatform) {
      const Json::json_pointer pointer(column.pointer);
      out[column.name] = fields.contains(pointer) ? fields.at(pointer) : Json(nullptr);
    }
    return out.dump();
  }));
}

} // namespace

std::vector<SweepVariant> simulator_variants(const std::vector<std::string>& heuristics,
                                             const std::vector<std::string>& runtimes,
                                             const SweptArithmetic& arithmetic) {
  const ArithmeticOptions defaults;
  const auto or_default = [](const std::vector<std::string>& values, const std::string& value) {
    return values.empty() ? std::vector<std::string>{value} : values;
  };
  std::vector<SweepVariant> variants;
  std::set<std::string> seen;
  for (const Pair& pair : pairs(heuristics, runtimes)) {
    for (const std::string& name : or_default(arithmetic.arithmetic, defaults.arithmetic)) {
      for (const std::string& tick : or_default(arithmetic.tick_ns, defaults.tick_ns)) {
        sim::Settings settings;
        settings.heuristic = pair.heuristic;
        settings.runtime = pair.runtime;
        apply(ArithmeticOptions{name, tick}, settings);
        Json key = key_of(pair);
        if (!arithmetic.empty()) {
          key["arithmetic"] = arithmetic::name(settings.arithmetic);
          key["tick_ns"] = settings.tick_ns;
        }
        if (!seen.insert(key.dump()).second) continue;
        variants.push_back({key, [settings](const SweepTrace& trace, std::uint64_t budget) {
                              return run_simulator(settings, trace, budget);
                            }});
      }
    }
  }
  return variants;
}

std::vector<std::string> simulator_columns() {
  std::vector<std::string> columns(std::begin(kGolden), std::end(kGolden));
  columns.insert(columns.end(),
                 {"heuristic_evals", "pinned_peak", "depth_at_pinned_peak", "max_nesting", "failure_request",
                  "failure_over_by", "failure_pinned", "failure_depth", "failure_operator", "simrd_defined"});
  return columns;
}

void add_swept_platform_options(CLI::App& app, SweptPlatform& platform) {
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    app.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
  };
  list("--scorer", platform.scorer, "of --engine cosim, one or several: rtl, tlm, rtl-pins, firmware; default rtl");
  list("--unit", platform.unit, "of --engine cosim, one or several scoring units, as of dtrmc cosim; default exact-l4");
  list("--queue-depth", platform.queue_depth, "of --engine cosim, one or several; default 1");
  list("--controller-mhz", platform.controller_mhz, "of --engine cosim, one or several; default 1000");
  list("--unit-mhz", platform.unit_mhz, "of --engine cosim, one or several; default the controller's");
  list("--cpu-profile", platform.cpu_profile,
       "of --engine cosim, one or several, as of dtrmc cosim; default ibex-small");
  list("--time", platform.time, "of --engine cosim, one or both of model, device, as of dtrmc cosim; default model");
  list("--tick-ns", platform.tick_ns,
       "staleness counts ticks of so many ns, one or several, as of dtrmc sim and dtrmc cosim; default 1");
}

std::vector<SweepVariant> platform_variants(const std::vector<std::string>& heuristics,
                                            const std::vector<std::string>& runtimes, const SweptPlatform& platform) {
  const auto or_default = [](const std::vector<std::string>& values, const std::string& value) {
    return values.empty() ? std::vector<std::string>{value} : values;
  };
  const PlatformOptions defaults;
  std::vector<PlatformOptions> combinations{defaults};
  const auto cross = [&](const std::vector<std::string>& values, std::string PlatformOptions::*member) {
    std::vector<PlatformOptions> crossed;
    for (const PlatformOptions& base : combinations) {
      for (const std::string& value : or_default(values, defaults.*member)) {
        crossed.push_back(base);
        crossed.back().*member = value;
      }
    }
    combinations = std::move(crossed);
  };
  cross(platform.scorer, &PlatformOptions::scorer);
  cross(platform.unit, &PlatformOptions::unit);
  cross(platform.queue_depth, &PlatformOptions::queue_depth);
  cross(platform.controller_mhz, &PlatformOptions::controller_mhz);
  cross(platform.unit_mhz, &PlatformOptions::unit_mhz);
  cross(platform.cpu_profile, &PlatformOptions::cpu_profile);
  cross(platform.time, &PlatformOptions::time);
  cross(platform.tick_ns, &PlatformOptions::tick_ns);

  for (const std::string& heuristic : heuristics) require_firmware_heuristic(heuristic);
  std::vector<SweepVariant> variants;
  std::set<std::string> seen;
  for (const Pair& pair : pairs(heuristics, runtimes)) {
    for (PlatformOptions options : combinations) {
      // Beside other scorers, units are theirs.
      if (options.scorer == "firmware" && platform.scorer.size() > 1) {
        options.unit.clear();
        options.unit_mhz.clear();
      }
      platform::PlatformConfig config = resolve(options);
      ResolvedRun run;
      run.heuristic = pair.heuristic;
      run.runtime = pair.runtime;
      apply(run, config); // refuses what the firmware does not have, before anything runs
      Json key = key_of(pair);
      key["scorer"] = options.scorer;
      key["unit"] = platform::has_unit(config.scorer) ? Json(config.unit) : Json(nullptr);
      key["queue_depth"] = config.queue_depth;
      key["controller_mhz"] = config.controller_mhz;
      const bool with_unit = platform::has_unit(config.scorer);
      key["unit_mhz"] =
          !with_unit ? Json(nullptr) : Json(config.unit_mhz != 0 ? config.unit_mhz : config.controller_mhz);
      key["cpu_profile"] = options.cpu_profile;
      key["time_base"] = options.time;
      key["tick_ns"] = config.tick_ns;
      if (!seen.insert(key.dump()).second) continue;
      variants.push_back({key, [pair, config](const SweepTrace& trace, std::uint64_t budget) {
                            platform::PlatformConfig own = config;
                            own.budget = budget;
                            own.remat_limit = trace.remat_limit;
                            return run_platform(own, trace);
                          }});
    }
  }
  return variants;
}

std::vector<std::string> platform_columns() {
  std::vector<std::string> columns(std::begin(kGolden), std::end(kGolden));
  for (const Column& column : kPlatform) columns.emplace_back(column.name);
  return columns;
}

} // namespace dtrmc::cli
