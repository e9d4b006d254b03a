// SPDX-License-Identifier: Apache-2.0
// --arithmetic and --tick-ns of the commands that run the software simulator: how scores are compared, and in what unit
// staleness is counted.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "host/sim/simulator.h"

namespace dtrmc::cli {

struct ArithmeticOptions {
  std::string arithmetic = "exact";
  std::string tick_ns = "1";
};

inline constexpr const char* kArithmeticHelp =
    "how scores are compared: exact (as simrd), or as the scoring units do: log2[:FRACTION_BITS[:SEGMENTS]], "
    "mitchell[:FRACTION_BITS], fpBITS such as fp24; default exact";
inline constexpr const char* kTickHelp =
    "staleness counts ticks of so many ns of the model clock: floor(clock / N) - floor(last access / N); default 1";

void add_arithmetic_options(CLI::App& app, ArithmeticOptions& options);

// Throws UsageError, also where the settings' heuristic (set before) does not have it.
void apply(const ArithmeticOptions& options, sim::Settings& settings);

} // namespace dtrmc::cli
