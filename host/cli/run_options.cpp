// SPDX-License-Identifier: Apache-2.0
#include "host/cli/run_options.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "host/cli/quantity.h"
#include "host/cli/usage_error.h"
#include "host/sim/simulator.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"

namespace dtrmc::cli {

std::string file_name(const std::string& text) { return text.empty() ? "needs the name of a file" : ""; }

void add_run_options(CLI::App& app, RunOptions& options) {
  std::string heuristics;
  for (const std::string& name : sim::heuristic_names()) heuristics += (heuristics.empty() ? "" : ", ") + name;
  app.add_option("TRACE", options.trace, "trace file, or name of one in traces/ or $DTRMC_SHARED/traces/public")
      ->required();
  app.add_option("--budget", options.budget, "memory in bytes: 2012235830, 2.5G, 900M, 64MiB");
  app.add_option("--ratio", options.ratio, "memory as a part of the baseline's peak, above 0 up to 1");
  app.add_option("--baseline", options.baseline,
                 "of --ratio: self (unlimited run of v2-eager) or simrd (unlimited run of v1); default self");
  app.add_option("--heuristic", options.heuristic,
                 "who is evicted: " + heuristics + "; simrd's class names too; default dtr-eq");
  app.add_option("--runtime", options.runtime,
                 "v2-eager (frees at the last release), v2 (lazy) or v1 (banishes); default v2-eager");
  app.add_option("--overhead-limit", options.overhead_limit,
                 "give up (status thrash) once clock / baseline compute passes this, at least 1; default none");
  app.add_option("--evictions", options.evictions,
                 "write the list of evictions (p or e, clock, storage) to this file, compressed if it ends in .gz")
      ->check(file_name);
  app.add_option("--require", options.require, "exit with 3 unless the run ends so: ok, oom, thrash, metadata_full");
  app.add_flag("--json", options.json, "print one JSON object");
}

namespace {

void check_require(const std::string& text, bool identical) {
  if (text.empty() || (identical && text == kRequireIdentical)) return;
  for (const auto status :
       {record::Status::kOk, record::Status::kOom, record::Status::kThrash, record::Status::kMetadataFull}) {
    if (text == record::to_string(status)) return;
  }
  throw UsageError(fmt::format("--require {}: unknown status; known: ok, oom, thrash, metadata_full{}",
                               trace::in_quotes(text), identical ? ", identical" : ""));
}

} // namespace

ResolvedRun resolve(const RunOptions& options) {
  ResolvedRun run;
  // Everything cheap is checked before the trace is read.
  try {
    run.heuristic = sim::parse_heuristic(options.heuristic);
    run.runtime = sim::parse_runtime(options.runtime);
    sim::require_supported(run.heuristic, run.runtime);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  check_require(options.require, options.may_require_identical);
  if (options.budget.empty() == options.ratio.empty()) {
    throw UsageError("give exactly one of --budget BYTES and --ratio R");
  }
  if (options.baseline != "self" && options.baseline != "simrd") {
    throw UsageError(fmt::format("--baseline {}: unknown; known: self, simrd", trace::in_quotes(options.baseline)));
  }
  if (!options.ratio.empty()) {
    run.ratio = parse_number(options.ratio, "--ratio");
    if (!(*run.ratio > 0 && *run.ratio <= 1)) {
      throw UsageError(fmt::format("--ratio {}: must be above 0 and at most 1", options.ratio));
    }
  } else {
    run.budget = parse_bytes(options.budget, "--budget");
  }
  if (!options.overhead_limit.empty()) {
    run.overhead_limit = parse_number(options.overhead_limit, "--overhead-limit");
    if (*run.overhead_limit < 1) {
      throw UsageError(fmt::format("--overhead-limit {}: must be at least 1 (no run is faster than the baseline)",
                                   options.overhead_limit));
    }
  }

  run.trace_path = trace::find_trace(options.trace);
  std::error_code ignored;
  if (!options.evictions.empty() && std::filesystem::equivalent(options.evictions, run.trace_path, ignored)) {
    throw UsageError("--evictions names the trace itself; it would be overwritten");
  }
  run.schedule = trace::parse_file(run.trace_path);
  run.remat_limit = run.overhead_limit ? sim::remat_limit(run.schedule, *run.overhead_limit) : sim::kNoLimit;
  if (run.ratio) {
    run.baseline_peak =
        sim::unlimited_peak(run.schedule, options.baseline == "simrd" ? sim::Runtime::kV1 : sim::Runtime::kV2Eager);
    run.budget = static_cast<std::uint64_t>(std::floor(static_cast<double>(*run.baseline_peak) * *run.ratio));
  }
  return run;
}

int exit_code(const RunOptions& options, record::Status status) {
  return options.require.empty() || options.require == record::to_string(status) ? 0 : 3;
}

} // namespace dtrmc::cli
