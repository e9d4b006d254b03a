// SPDX-License-Identifier: Apache-2.0
#include "host/cli/platform_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>

#include "firmware/image.h"
#include "host/cli/quantity.h"
#include "host/cli/usage_error.h"
#include "host/sim/simulator.h"
#include "host/trace/trace_error.h"
#include "rtl/model/rtl_unit.h"
#include "systemc/cpu/elf_loader.h"
#include "systemc/cpu/timing_profile.h"
#include "systemc/cpu_rtl/rtl_core.h"
#include "systemc/cpu_rtl/tiles.h"
#include "systemc/debug/gdb_server.h"

namespace dtrmc::cli {

namespace {

struct FirmwareHeuristic {
  const char* name;
  dtrmc_heuristic id;
};
constexpr std::array<FirmwareHeuristic, DTRMC_HEURISTIC_COUNT> kHeuristics{{{"dtr-eq", DTRMC_HEURISTIC_DTR_EQ},
                                                                            {"dtr-local", DTRMC_HEURISTIC_DTR_LOCAL},
                                                                            {"lru", DTRMC_HEURISTIC_LRU},
                                                                            {"size", DTRMC_HEURISTIC_SIZE},
                                                                            {"dtr", DTRMC_HEURISTIC_DTR},
                                                                            {"msps", DTRMC_HEURISTIC_MSPS}}};

template <typename Names>
std::string join(const Names& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string firmware_heuristics() {
  std::vector<std::string> names;
  for (const FirmwareHeuristic& h : kHeuristics) names.emplace_back(h.name);
  return join(names);
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const cpu::TimingProfile* profile : cpu::timing_profiles()) names.push_back(profile->name());
  return names;
}

platform::Scorer parse_scorer(const std::string& name) {
  std::vector<std::string> known;
  for (const platform::ScorerName& entry : platform::kScorers) {
    if (name == entry.name) return entry.scorer;
    known.emplace_back(entry.name);
  }
  throw UsageError(fmt::format("--scorer {}: unknown; known: {}", trace::in_quotes(name), join(known)));
}

void resolve_cpu(const PlatformOptions& options, platform::PlatformConfig& config) {
  config.cpu = options.cpu;
  if (options.cpu == "iss") return;
  if (options.cpu != "ibex-rtl") {
    throw UsageError(fmt::format("--cpu {}: unknown; known: iss, ibex-rtl", trace::in_quotes(options.cpu)));
  }
  const std::string& core = options.cpu_profile;
  if (core != "ibex-small" && core != "ibex-maxperf") {
    throw UsageError(
        fmt::format("--cpu ibex-rtl: --cpu-profile {} is not Ibex; choose ibex-small or ibex-maxperf", core));
  }
  const std::vector<std::string> built = cpu_rtl::tile_names();
  if (std::find(built.begin(), built.end(), core) == built.end()) {
    throw UsageError(fmt::format("--cpu ibex-rtl: {}", cpu_rtl::how_to_get(core)));
  }
  if (!options.gdb.empty()) throw UsageError("--cpu ibex-rtl: --gdb attaches to the instruction-set simulator alone");
  config.make_cpu = [core](const cpu::RamView& ram, cpu::Environment& environment) {
    return std::make_unique<cpu_rtl::RtlCore>(cpu_rtl::make_tile(core), ram, environment);
  };
}

void read_firmware(const std::string& path, platform::PlatformConfig& config) {
  if (path.empty()) {
    const firmware::Image image = firmware::image();
    config.firmware.assign(image.data, image.data + image.size);
    config.firmware_name = "built-in firmware";
    return;
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw UsageError(fmt::format("{}: no such firmware file", path));
  if (std::filesystem::is_directory(path, error)) {
    throw UsageError(fmt::format("{}: is a directory; --firmware takes an ELF file", path));
  }
  if (!std::filesystem::is_regular_file(path, error)) { // a device may never end
    throw UsageError(fmt::format("{}: is no ordinary file; --firmware takes an ELF file", path));
  }
  if (std::filesystem::file_size(path, error) > cpu::ElfImage::kMaxFileBytes) {
    throw UsageError(fmt::format("{}: is larger than {} bytes; --firmware takes an ELF file for the controller", path,
                                 cpu::ElfImage::kMaxFileBytes));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("{}: the firmware file cannot be read", path));
  config.firmware.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  config.firmware_name = path;
}

std::shared_ptr<debug::RunControl> make_gdb_server(const std::string& port) {
  const auto number = static_cast<std::uint16_t>(parse_count(port, "--gdb", 0, 65535));
  try {
    return std::make_shared<debug::GdbServer>(number,
                                              [](const std::string& line) { std::cerr << "dtrmc: " << line << '\n'; });
  } catch (const debug::PortError& error) {
    throw UsageError(fmt::format("--gdb: {}", error.what()));
  }
}

} // namespace

void add_platform_options(CLI::App& app, PlatformOptions& options) {
  if (CLI::Option* const heuristic = app.get_option_no_throw("--heuristic")) {
    heuristic->description("who is evicted, of what the firmware has: " + firmware_heuristics() +
                           "; simrd's class names too; default dtr-eq");
  }
  app.add_option(
      "--scorer", options.scorer,
      "who finds the smallest score: rtl (the Verilated scoring unit), tlm (its behavioural model: the same "
      "cycles, faster), rtl-pins (the RTL behind AXI4-Lite signals of a free-running clock: the same cycles, "
      "slow) or firmware (in C); default rtl");
  app.add_option("--unit", options.unit,
                 "scoring unit for --scorer rtl, tlm and rtl-pins: " + join(unit::unit_names()) + "; default exact-l4");
  app.add_option("--queue-depth", options.queue_depth,
                 "commands in flight; 1: controller and accelerator take turns; default 1");
  app.add_option("--controller-mhz", options.controller_mhz, "clock of the controller; default 1000");
  app.add_option("--cpu", options.cpu,
                 "what runs the firmware: iss (instruction-set simulator) or ibex-rtl (the Verilated core of the "
                 "profile, ibex-small or ibex-maxperf; four million cycles a second while awake); default iss");
  app.add_option("--cpu-profile", options.cpu_profile,
                 "cycles per instruction: " + join(profile_names()) + "; default ibex-small");
  app.add_option("--ram", options.ram, "controller RAM, such as 256KiB; default 64MiB");
  app.add_option("--ram-wait", options.ram_wait, "wait states of a RAM access, controller cycles; default 0");
  app.add_option("--mmio-wait", options.mmio_wait,
                 "bus latency of mailbox and timer, controller cycles beyond a RAM access; default 2");
  app.add_option("--unit-wait", options.unit_wait,
                 "bus latency on the way to the scoring unit, controller cycles beside the two of its own; default 0");
  app.add_option("--unit-mhz", options.unit_mhz, "clock of the scoring unit; default the controller's");
  app.add_option("--firmware", options.firmware, "ELF file to run in place of the built-in image");
  app.add_option("--time", options.time,
                 "what staleness counts: model (the sum of operator costs, as the simulator) or device (the platform's "
                 "time with the controller's own latency; evictions may then differ); default model");
  app.add_option("--tick-ns", options.tick_ns,
                 "staleness counts whole ticks of so many ns, 1 to 1000000000: clock / N rounded down; default 1");
  app.add_option("--watchdog-cycles", options.watchdog_cycles,
                 "end the run as a firmware fault after this many controller cycles without progress (0: never): no "
                 "bus access, or no command taken and no action posted while nothing is pending; default 2000000000");
  app.add_option("--quantum", options.quantum,
                 "cycles that the CPU may run ahead of the platform; changes speed, never results; default 10000");
}

void add_debug_options(CLI::App& app, PlatformOptions& options) {
  app.add_option("--gdb", options.gdb,
                 "wait for gdb on this port of 127.0.0.1 (0: any free one) before the firmware's first instruction; "
                 "then: gdb-multiarch -ex 'target remote 127.0.0.1:PORT'");
}

void require_firmware_heuristic(const std::string& name) {
  try {
    sim::parse_heuristic(name);
  } catch (const std::invalid_argument&) {
    throw UsageError(fmt::format("--heuristic {}: unknown; the firmware has {}, also by simrd's class names",
                                 trace::in_quotes(name), firmware_heuristics()));
  }
}

platform::PlatformConfig resolve(const PlatformOptions& options) {
  platform::PlatformConfig config;
  config.scorer = parse_scorer(options.scorer);
  if (config.scorer == platform::Scorer::kFirmware && !(options.unit.empty() && options.unit_mhz.empty())) {
    throw UsageError(fmt::format("{}: --scorer firmware has no scoring unit; drop one of the two",
                                 options.unit.empty() ? "--unit-mhz" : "--unit"));
  }
  if (!options.unit.empty()) config.unit = options.unit;
  const std::vector<std::string> units = unit::unit_names();
  if (std::find(units.begin(), units.end(), config.unit) == units.end()) {
    throw UsageError(fmt::format("--unit {}: unknown; built: {}", trace::in_quotes(options.unit), join(units)));
  }
  if (config.scorer == platform::Scorer::kTlm) {
    const std::string why = unit::why_no_behavioural_unit(config.unit);
    if (!why.empty()) {
      throw UsageError(
          fmt::format("--scorer tlm: unit {} has no behavioural model ({}); use --scorer rtl", config.unit, why));
    }
  }
  config.queue_depth =
      static_cast<std::uint32_t>(parse_count(options.queue_depth, "--queue-depth", 1, DTRMC_MAILBOX_ACTION_SLOTS));
  config.controller_mhz = parse_number(options.controller_mhz, "--controller-mhz");
  if (!(config.controller_mhz >= 0.001 && config.controller_mhz <= 100000)) {
    throw UsageError(fmt::format("--controller-mhz {}: must lie between 0.001 and 100000", options.controller_mhz));
  }
  config.cpu_profile = options.cpu_profile;
  const std::vector<std::string> profiles = profile_names();
  if (std::find(profiles.begin(), profiles.end(), options.cpu_profile) == profiles.end()) {
    throw UsageError(
        fmt::format("--cpu-profile {}: unknown; known: {}", trace::in_quotes(options.cpu_profile), join(profiles)));
  }
  resolve_cpu(options, config);
  const auto wait_states = [](const std::string& text, const char* option) {
    return static_cast<std::uint32_t>(parse_count(text, option, 0, platform::kMostWaitStates));
  };
  config.ram_wait_states = wait_states(options.ram_wait, "--ram-wait");
  config.mmio_wait_states = wait_states(options.mmio_wait, "--mmio-wait");
  config.unit_wait_states = wait_states(options.unit_wait, "--unit-wait");
  if (!options.unit_mhz.empty()) {
    config.unit_mhz = parse_number(options.unit_mhz, "--unit-mhz");
    if (!(config.unit_mhz >= 0.001 && config.unit_mhz <= 100000)) {
      throw UsageError(fmt::format("--unit-mhz {}: must lie between 0.001 and 100000", options.unit_mhz));
    }
  }
  const std::uint64_t ram = parse_bytes(options.ram, "--ram");
  if (ram < platform::kSmallestRam || ram > platform::kLargestRam || ram % 16 != 0) {
    throw UsageError(fmt::format("--ram {}: must be a multiple of 16 bytes from {} to {}", options.ram,
                                 platform::kSmallestRam, platform::kLargestRam));
  }
  config.ram_bytes = static_cast<std::uint32_t>(ram);
  config.quantum = parse_count(options.quantum, "--quantum", 1, 1000000000);
  if (options.time == "device") {
    config.time = DTRMC_TIME_DEVICE;
  } else if (options.time != "model") {
    throw UsageError(fmt::format("--time {}: unknown; known: model, device", trace::in_quotes(options.time)));
  }
  config.tick_ns = parse_count(options.tick_ns, "--tick-ns", 1, platform::kLongestTick);
  config.watchdog = parse_count(options.watchdog_cycles, "--watchdog-cycles", 0, 1000000000000000000u);
  read_firmware(options.firmware, config);
  if (!options.gdb.empty()) config.run_control = make_gdb_server(options.gdb);
  return config;
}

void apply(const ResolvedRun& run, platform::PlatformConfig& config) {
  const auto* found = std::find_if(kHeuristics.begin(), kHeuristics.end(),
                                   [&](const FirmwareHeuristic& h) { return run.heuristic.name == h.name; });
  if (found == kHeuristics.end()) {
    throw UsageError(fmt::format("--heuristic {}: the firmware does not have it; it has {} (dtrmc sim has all)",
                                 run.heuristic.name, firmware_heuristics()));
  }
  if (run.runtime != sim::Runtime::kV2Eager) {
    throw UsageError(fmt::format("--runtime {}: the firmware runs v2-eager alone (dtrmc sim has the others)",
                                 sim::to_string(run.runtime)));
  }
  config.heuristic = found->id;
  config.budget = run.budget;
  config.remat_limit = run.remat_limit; // sim::kNoLimit is DTRMC_NO_LIMIT
  static_assert(sim::kNoLimit == DTRMC_NO_LIMIT, "one value means no limit on both sides");
}

} // namespace dtrmc::cli
