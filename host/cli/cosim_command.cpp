// SPDX-License-Identifier: Apache-2.0
// dtrmc cosim: the platform.
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "host/cli/command.h"
#include "host/cli/iss_reference.h"
#include "host/cli/platform_options.h"
#include "host/cli/platform_report.h"
#include "host/cli/progress_sink.h"
#include "host/cli/record_options.h"
#include "host/record/output_file.h"

namespace dtrmc::cli {

namespace {

class Decisions : public cosim::DecisionSink {
 public:
  explicit Decisions(recording::Recording& recording) : recording_(recording) {}
  void on_decision(const platform::Decision& decision) override { recording_.on_decision(decision); }

 private:
  recording::Recording& recording_;
};

Json profile_json(const profile::FunctionProfile& profile) {
  Json rows = Json::array();
  for (const profile::FunctionCycles& f : profile.functions()) {
    rows.push_back({{"function", f.name}, {"self", f.self}, {"total", f.total}, {"calls", f.calls}});
  }
  return rows;
}

int run_cosim_command(const RunOptions& run_options, const PlatformOptions& platform_options,
                      const RecordOptions& record_options) {
  const recording::RecordingRequest request = resolve(record_options);
  platform::PlatformConfig config = resolve(platform_options);
  require_firmware_heuristic(run_options.heuristic);
  const ResolvedRun run = resolve(run_options);
  apply(run, config);
  std::unique_ptr<record::OutputFile> list;
  cosim::CosimSinks sinks;
  if (!run_options.evictions.empty()) {
    list = std::make_unique<record::OutputFile>(run_options.evictions);
    sinks.evictions = &list->stream();
  }
  std::optional<recording::Recording> recording;
  std::optional<Decisions> decisions;
  if (request.anything()) {
    check_outputs(run_options, run, request);
    recording.emplace(request, run.schedule, config);
    if (!request.decisions.empty()) sinks.decisions = &decisions.emplace(*recording);
  }
  const std::optional<IssReference> on_iss = iss_reference(run.schedule, config);
  const auto begin = std::chrono::steady_clock::now();
  cosim::CosimReport report;
  {
    ProgressSink progress("cosim", run.schedule);
    sinks.events = &progress;
    report = cosim::run_cosim(run.schedule, config, sinks);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  if (list && report.failed_checks.empty()) list->commit();
  if (recording) { // kept of a run that failed a check as well: it shows what led there
    recording->finish(report.platform);
    recording->commit();
  }
  const profile::FunctionProfile* const profile = recording ? recording->profile() : nullptr;

  const double mips = static_cast<double>(report.platform.instructions) / wall.count() / 1e6;
  if (run_options.json) {
    Json out = golden_fields(run, report.record, false);
    out.update(cosim::platform_fields(report.platform, config));
    if (!report.failed_checks.empty()) { // such a run has no status
      out["status"] = nullptr;
      out["failed_checks"] = report.failed_checks;
    }
    if (on_iss) out["controller"]["iss_cycles"] = on_iss->cycles;
    if (profile != nullptr) out["profile"] = profile_json(*profile);
    out["host"] = {{"wall_s", wall.count()}, {"mips", mips}};
    std::cout << out.dump() << '\n';
  } else {
    Table table = golden_table(run, report.record);
    for (auto& row : table) {
      if (row.first == "status" && !report.failed_checks.empty()) row.second = "none: a check failed, see below";
    }
    for (auto& row : platform_table(report.platform, config)) table.push_back(std::move(row));
    if (on_iss) table.emplace_back("controller cycles", compare_cycles(report.platform.cycles, *on_iss));
    std::cout << format_table(table);
    if (profile != nullptr) std::cout << '\n' << recording::format_profile(*profile);
  }
  const int failed = report_failed_checks(report);
  return failed != 0 ? failed : exit_code(run_options, report.record.status);
}

std::function<int()> set_up(CLI::App& app) {
  auto run = std::make_shared<RunOptions>();
  auto platform = std::make_shared<PlatformOptions>();
  add_run_options(app, *run);
  auto record = std::make_shared<RecordOptions>();
  add_platform_options(app, *platform);
  add_debug_options(app, *platform);
  add_record_options(app, *record);
  return [run, platform, record] { return run_cosim_command(*run, *platform, *record); };
}

} // namespace

extern const Command kCosimCommand;
const Command kCosimCommand = {"cosim", "replay a trace on the SystemC platform: firmware, scoring unit, accelerator",
                               "dtrmc cosim resnet32 --ratio 0.3 --heuristic dtr-eq --scorer rtl --unit exact-l4",
                               set_up};

} // namespace dtrmc::cli
