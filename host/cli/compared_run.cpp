// SPDX-License-Identifier: Apache-2.0
#include "host/cli/compared_run.h"

#include <fmt/format.h>

#include "host/cli/progress_sink.h"

namespace dtrmc::cli {

namespace {

template <typename T>
void compare_field(const char* name, const T& simulator, const T& platform, std::vector<std::string>& lines) {
  if (simulator != platform) {
    lines.push_back(fmt::format("  {}: {} in the simulator, {} on the platform", name, simulator, platform));
  }
}

} // namespace

ComparedRun compare_run(const ResolvedRun& run, const platform::PlatformConfig& config, cosim::MemorySink* memory) {
  ComparedRun result;
  compare::EventList reference;
  {
    ProgressSink progress("simulator", run.schedule, &reference);
    sim::Settings settings;
    settings.heuristic = run.heuristic;
    settings.runtime = run.runtime;
    settings.budget = run.budget;
    settings.remat_limit = run.remat_limit;
    settings.events = &progress;
    result.simulator = sim::simulate(run.schedule, settings);
  }
  compare::Aligner aligner(reference.events());
  {
    ProgressSink progress("platform", run.schedule, &aligner);
    cosim::CosimSinks sinks;
    sinks.events = &progress;
    sinks.memory = memory;
    result.platform = cosim::run_cosim(run.schedule, config, sinks);
  }
  aligner.finish();
  result.events = aligner.aligned();
  result.counts = aligner.counts();
  result.difference = aligner.difference();
  result.context = aligner.context(run.schedule, 4, 3);

  // The alignment alone decides about events; the records are compared as well, since they are what is published.
  const record::RunRecord& s = result.simulator.record;
  const record::RunRecord& p = result.platform.record;
  compare_field("status", std::string(record::to_string(s.status)), std::string(record::to_string(p.status)),
                result.context);
  compare_field("clock", s.clock, p.clock, result.context);
  compare_field("peak memory", s.max_memory, p.max_memory, result.context);
  compare_field("policy_sha256", s.policy_sha256, p.policy_sha256, result.context);
  compare_field("all_sha256", s.all_sha256, p.all_sha256, result.context);
  result.identical = result.context.empty();
  return result;
}

} // namespace dtrmc::cli
