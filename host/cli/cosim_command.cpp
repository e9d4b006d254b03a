// SPDX-License-Identifier: Apache-2.0
// dtrmc cosim: the platform.
#include <chrono>
#include <iostream>
#include <memory>

#include "host/cli/command.h"
#include "host/cli/platform_options.h"
#include "host/cli/platform_report.h"
#include "host/cli/progress_sink.h"
#include "host/record/atomic_file.h"

namespace dtrmc::cli {

namespace {

int run_cosim_command(const RunOptions& run_options, const PlatformOptions& platform_options) {
  platform::PlatformConfig config = resolve(platform_options);
  const ResolvedRun run = resolve(run_options);
  apply(run, config);
  std::unique_ptr<record::AtomicFile> list;
  cosim::CosimSinks sinks;
  if (!run_options.evictions.empty()) {
    list = std::make_unique<record::AtomicFile>(run_options.evictions);
    sinks.evictions = &list->stream();
  }
  const auto begin = std::chrono::steady_clock::now();
  cosim::CosimReport report;
  {
    ProgressSink progress("cosim", run.schedule);
    sinks.events = &progress;
    report = cosim::run_cosim(run.schedule, config, sinks);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  if (list && report.failed_checks.empty()) list->commit();

  const double mips = static_cast<double>(report.platform.instructions) / wall.count() / 1e6;
  if (run_options.json) {
    Json out = golden_fields(run, report.record, false);
    out.update(cosim::platform_fields(report.platform, config));
    out["host"] = {{"wall_s", wall.count()}, {"mips", mips}};
    std::cout << out.dump() << '\n';
  } else {
    Table table = golden_table(run, report.record);
    for (auto& row : platform_table(report.platform, config)) table.push_back(std::move(row));
    std::cout << format_table(table);
  }
  const int failed = report_failed_checks(report);
  return failed != 0 ? failed : exit_code(run_options, report.record.status);
}

std::function<int()> set_up(CLI::App& app) {
  auto run = std::make_shared<RunOptions>();
  auto platform = std::make_shared<PlatformOptions>();
  add_run_options(app, *run);
  add_platform_options(app, *platform);
  add_debug_options(app, *platform);
  return [run, platform] { return run_cosim_command(*run, *platform); };
}

} // namespace

extern const Command kCosimCommand;
const Command kCosimCommand = {"cosim", "replay a trace on the SystemC platform: firmware, scoring unit, accelerator",
                               "dtrmc cosim resnet32 --ratio 0.3 --heuristic dtr-eq --scorer rtl --unit exact-l4",
                               set_up};

} // namespace dtrmc::cli
