// SPDX-License-Identifier: Apache-2.0
// The options of cosim that watch a run.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "host/cli/run_options.h"
#include "systemc/record/recording.h"

namespace dtrmc::cli {

struct RecordOptions {
  std::string decisions;
  std::string profile; // file of --profile
  CLI::Option* profile_option = nullptr;
  std::string record;
  std::string from;
  std::string to;
  std::string wave;
  std::string instructions;
};

void add_record_options(CLI::App& app, RecordOptions& options);

// Throws UsageError.
recording::RecordingRequest resolve(const RecordOptions& options);

// Two outputs to one file, or over the trace: throws UsageError.
void check_outputs(const RunOptions& run_options, const ResolvedRun& run, const recording::RecordingRequest& request);

} // namespace dtrmc::cli
