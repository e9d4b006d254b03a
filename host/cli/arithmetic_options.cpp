// SPDX-License-Identifier: Apache-2.0
#include "host/cli/arithmetic_options.h"

#include <fmt/format.h>

#include <stdexcept>

#include "host/cli/quantity.h"
#include "host/cli/usage_error.h"

namespace dtrmc::cli {

void add_arithmetic_options(CLI::App& app, ArithmeticOptions& options) {
  app.add_option("--arithmetic", options.arithmetic, kArithmeticHelp);
  app.add_option("--tick-ns", options.tick_ns, kTickHelp);
}

void apply(const ArithmeticOptions& options, sim::Settings& settings) {
  try {
    settings.arithmetic = arithmetic::parse(options.arithmetic);
    sim::require_supported(settings.heuristic, settings.arithmetic);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--arithmetic: {}", error.what()));
  }
  settings.tick_ns = parse_count(options.tick_ns, "--tick-ns", 1, 1'000'000'000);
}

} // namespace dtrmc::cli
