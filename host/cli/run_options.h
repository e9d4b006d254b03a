// SPDX-License-Identifier: Apache-2.0
// The options that every command that runs a trace shares, and what they resolve to.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "host/record/run_record.h"
#include "host/sim/heuristic.h"
#include "host/trace/schedule.h"

namespace dtrmc::cli {

inline constexpr const char* kRequireIdentical = "identical"; // of --require

struct RunOptions {
  std::string trace;
  std::string budget;
  std::string ratio;
  std::string baseline = "self";
  std::string heuristic = "dtr-eq";
  std::string runtime = "v2-eager";
  std::string overhead_limit;
  std::string evictions;              // file for the eviction list; empty: none
  std::string require;                // status that is expected; empty: any
  bool may_require_identical = false; // compare: kRequireIdentical as well
  bool json = false;
};

// A check for options that name a file to write: an empty name is an error, not "no file".
std::string file_name(const std::string& text);

// Registers all of them on a subcommand.
void add_run_options(CLI::App& app, RunOptions& options);

struct ResolvedRun {
  trace::Schedule schedule;
  std::string trace_path;
  sim::Heuristic heuristic;
  sim::Runtime runtime = sim::Runtime::kV2Eager;
  std::uint64_t budget = 0;                   // bytes
  std::optional<double> ratio;                // where the budget was given as one
  std::optional<std::uint64_t> baseline_peak; // bytes, where a ratio was given
  std::optional<double> overhead_limit;
  std::uint64_t remat_limit = 0; // ns, sim::kNoLimit without one
};

// Reads the trace and works out the budget. Throws UsageError, trace::TraceError.
ResolvedRun resolve(const RunOptions& options);

// 0, or 3 where --require names another status.
int exit_code(const RunOptions& options, record::Status status);

} // namespace dtrmc::cli
