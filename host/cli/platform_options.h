// SPDX-License-Identifier: Apache-2.0
// The options of the commands that run the platform, and the platform configuration they resolve to.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "host/cli/run_options.h"
#include "systemc/platform/platform.h"

namespace dtrmc::cli {

struct PlatformOptions {
  std::string scorer = "rtl";
  std::string unit; // empty: exact-l4
  std::string queue_depth = "1";
  std::string controller_mhz = "1000";
  std::string cpu = "iss";
  std::string cpu_profile = "ibex-small";
  std::string ram = "64MiB";
  std::string ram_wait = "0";
  std::string mmio_wait = "2";
  std::string unit_wait = "0";
  std::string unit_mhz; // empty: the controller's
  std::string quantum = "10000";
  std::string firmware; // ELF file; empty: the built-in image
  std::string time = "model";
  std::string tick_ns = "1";
  std::string watchdog_cycles = "2000000000";
  std::string gdb; // port; empty: no debugger
};

void add_platform_options(CLI::App& app, PlatformOptions& options);
// --gdb, for commands whose runs a person may follow.
void add_debug_options(CLI::App& app, PlatformOptions& options);

// Throws UsageError for a name that no heuristic has, and says which ones the firmware has.
void require_firmware_heuristic(const std::string& name);

// Checks what can be checked before a trace is read. Throws UsageError.
platform::PlatformConfig resolve(const PlatformOptions& options);

// Completes `config` with what the run decides. Throws UsageError where the firmware lacks the heuristic or runtime.
void apply(const ResolvedRun& run, platform::PlatformConfig& config);

} // namespace dtrmc::cli
