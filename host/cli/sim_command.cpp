// SPDX-License-Identifier: Apache-2.0
// dtrmc sim: the software simulator.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>

#include "host/cli/command.h"
#include "host/cli/quantity.h"
#include "host/cli/report.h"
#include "host/cli/storage_option.h"
#include "host/record/atomic_file.h"
#include "host/record/run_recorder.h"
#include "host/sim/simulator.h"

namespace dtrmc::cli {

namespace {

int run_sim(const RunOptions& options, const std::vector<std::string>& retain) {
  const ResolvedRun run = resolve(options);
  sim::Settings settings;
  settings.heuristic = run.heuristic;
  settings.runtime = run.runtime;
  settings.budget = run.budget;
  settings.remat_limit = run.remat_limit;
  for (const std::string& text : retain) settings.retained.push_back(find_storage(run.schedule, text, "--retain"));
  std::unique_ptr<record::AtomicFile> list;
  std::unique_ptr<record::RunRecorder> recorder;
  if (!options.evictions.empty()) {
    list = std::make_unique<record::AtomicFile>(options.evictions);
    recorder = std::make_unique<record::RunRecorder>(run.schedule, &list->stream());
    settings.events = recorder.get();
  }
  const auto begin = std::chrono::steady_clock::now();
  const sim::Result result = sim::simulate(run.schedule, settings);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  if (list) list->commit();

  if (options.json) {
    Json out = golden_fields(run, result.record, true);
    out["pinned_peak"] = result.pinned_peak;
    out["depth_at_pinned_peak"] = result.depth_at_pinned_peak;
    out["max_nesting"] = result.max_nesting;
    if (result.failure) {
      const sim::Failure& f = *result.failure;
      out["failure"] = {
          {"request", f.request}, {"over_by", f.over_by}, {"pinned", f.pinned}, {"depth", f.depth}, {"operator", f.op}};
    }
    if (!result.simrd_defined) out["simrd_defined"] = false;
    out["host"] = {{"wall_s", wall.count()}};
    std::cout << out.dump() << '\n';
  } else {
    Table table = golden_table(run, result.record);
    table.emplace_back("candidates scored", fmt::format("{}", result.record.heuristic_evals));
    table.emplace_back("pinned peak",
                       fmt::format("{}, at nesting {}", human_bytes(result.pinned_peak), result.depth_at_pinned_peak));
    table.emplace_back("deepest nesting", fmt::format("{}", result.max_nesting));
    if (result.failure) {
      const sim::Failure& f = *result.failure;
      table.emplace_back("failed at",
                         fmt::format("operator {} '{}' (line {}), nesting {}", f.op, run.schedule.operator_name(f.op),
                                     run.schedule.operators[f.op].line, f.depth));
      table.emplace_back("request", fmt::format("{}, {} bytes over the budget with {} pinned", human_bytes(f.request),
                                                f.over_by, human_bytes(f.pinned)));
    }
    if (!result.simrd_defined) {
      table.emplace_back("note", "simrd itself stops with an assertion on this run (see dtrmc trace check)");
    }
    std::cout << format_table(table);
  }
  return exit_code(options, result.record.status);
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  add_run_options(app, *options);
  auto retain = std::make_shared<std::vector<std::string>>();
  app.add_option("--retain", *retain,
                 "never offer this storage for eviction (name or number of its first tensor); repeatable")
      ->allow_extra_args(false);
  return [options, retain] { return run_sim(*options, *retain); };
}

} // namespace

extern const Command kSimCommand;
const Command kSimCommand = {"sim", "replay a trace in the software simulator",
                             "dtrmc sim resnet32 --ratio 0.3 --heuristic dtr-eq --overhead-limit 2", set_up};

} // namespace dtrmc::cli
