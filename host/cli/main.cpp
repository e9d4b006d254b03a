// SPDX-License-Identifier: Apache-2.0
// The one binary. Exit codes: 0 the command did its work; 1 an internal check failed; 2 bad usage or input, said in
// one line on stderr; 3 a --require was not met.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>

#include "host/cli/command.h"
#include "host/cli/usage_error.h"
#include "host/record/atomic_file.h"
#include "host/sim/simulator.h"
#include "host/trace/trace_error.h"
#include "systemc/platform/platform.h"

namespace {

int report(const std::string& message, int code) {
  std::string line = message;
  while (!line.empty() && line.back() == '\n') line.pop_back();
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  std::cout.flush();
  std::cerr << "dtrmc: error: " << line << '\n';
  return code;
}

int run(const std::function<int()>& command) {
  try {
    const int code = command();
    std::cout.flush();
    if (!std::cout) return report("standard output cannot be written; is the disk full?", 2);
    return code;
  } catch (const dtrmc::cli::UsageError& error) {
    return report(error.what(), 2);
  } catch (const dtrmc::trace::TraceError& error) {
    return report(error.what(), 2);
  } catch (const dtrmc::record::FileError& error) {
    return report(error.what(), 2);
  } catch (const dtrmc::sim::ClockOverflow& error) {
    return report(error.what(), 2);
  } catch (const dtrmc::platform::InputError& error) {
    return report(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return report("out of memory; the trace is too large for this machine", 2);
  } catch (const std::exception& error) {
    return report(fmt::format("internal: {}", error.what()), 1);
  }
}

int run_line(int argc, char** argv) {
  CLI::App app("dtrmc: a memory controller that evicts tensors, modelled in SystemC, RTL and firmware", "dtrmc");
  app.require_subcommand(1);
  app.set_version_flag("--version", DTRMC_VERSION);
  app.footer("Every command has --help with an example.");
  std::function<int()> chosen;
  for (const dtrmc::cli::Command& command : dtrmc::cli::commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    sub->footer(fmt::format("Example:\n  {}", command.example));
    const std::function<int()> action = command.set_up(*sub);
    sub->callback([&chosen, action] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
    if (app.get_subcommands().empty() && !app.remaining().empty()) {
      std::string known;
      for (const dtrmc::cli::Command& command : dtrmc::cli::commands()) known += fmt::format(" {}", command.name);
      return report(fmt::format("unknown command or option {}; commands:{}",
                                dtrmc::trace::in_quotes(app.remaining().front()), known),
                    2);
    }
    return report(fmt::format("{} (dtrmc --help and dtrmc COMMAND --help list what there is)", error.what()), 2);
  }
  return run(chosen);
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run_line(argc, argv);
  } catch (...) { // nothing above throws but for lack of memory
    std::fputs("dtrmc: error: out of memory\n", stderr);
    return 2;
  }
}
