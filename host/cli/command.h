// SPDX-License-Identifier: Apache-2.0
// A subcommand is one file that defines one Command, and one line in commands.cpp that lists it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

namespace dtrmc::cli {

struct Command {
  const char* name;
  const char* summary;
  const char* example; // shown at the end of --help
  // Adds the options to the subcommand; what it returns is called once the line is parsed and gives the exit code.
  // Output goes to std::cout; errors are thrown (UsageError and the input errors: exit code 2).
  std::function<int()> (*set_up)(CLI::App& app);
};

const std::vector<Command>& commands();

} // namespace dtrmc::cli
