// SPDX-License-Identifier: Apache-2.0
// dtrmc demo: what README's first command shows. One recorded trace at a tight budget, in the simulator and twice on
// the platform: the score search in firmware, then in the scoring unit.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "host/cli/command.h"
#include "host/cli/compared_run.h"
#include "host/cli/platform_options.h"
#include "host/cli/quantity.h"
#include "host/cli/report.h"
#include "host/report/step_plot.h"
#include "systemc/platform/child_process.h"

namespace dtrmc::cli {

namespace {

constexpr std::size_t kColumns = 72;
constexpr std::size_t kRows = 9;

class MemorySamples : public cosim::MemorySink {
 public:
  void on_memory(std::uint64_t device_time_ps, std::uint64_t bytes) override { maxima.add(device_time_ps, bytes); }
  report::StepMaxima maxima{kColumns};
};

// One platform run in a process of its own (SystemC elaborates once per process), as JSON.
Json platform_run(const ResolvedRun& run, platform::PlatformConfig config) {
  const std::string text = platform::run_in_child([&] {
    MemorySamples memory;
    CompareExtras extras;
    extras.memory = &memory;
    const ComparedRun compared = compare_run(run, config, extras);
    Json out = cosim::platform_fields(compared.platform.platform, config);
    out["status"] = record::to_string(compared.platform.record.status);
    out["identical"] = compared.identical;
    out["events"] = compared.events;
    out["first_runs"] = compared.counts.first_runs;
    out["rematerializations"] = compared.counts.rematerializations;
    out["policy_evictions"] = compared.counts.policy_evictions;
    out["eager_evictions"] = compared.counts.eager_evictions;
    out["context"] = compared.context;
    out["failed_checks"] = compared.platform.failed_checks;
    out["memory"] = memory.maxima.finish(compared.platform.platform.device_time_ps);
    return out.dump();
  });
  return Json::parse(text);
}

bool terminal_has_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos || text.find("utf8") != std::string_view::npos;
  }
  return false;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string row(const std::string& label, const std::string& left, const std::string& right) {
  return fmt::format("  {:<34} {:>18} {:>18}\n", label, left, right);
}

void print_verdict(const char* name, const Json& run) {
  if (run.at("identical").get<bool>()) {
    std::cout << fmt::format("  {:<28} identical: {} events\n", name, grouped(run.at("events").get<std::uint64_t>()));
    return;
  }
  std::cout << fmt::format("  {:<28} DIFFERENT after {} equal events:\n", name, run.at("events").get<std::uint64_t>());
  for (const auto& line : run.at("context")) std::cout << "  " << line.get<std::string>() << '\n';
}

void print_cycles(const Json& firmware, const Json& unit) {
  const auto cycles = [](const Json& run, const char* name) {
    return grouped(run.at("controller").at("cycles").at(name).get<std::uint64_t>());
  };
  std::cout << '\n' << row("controller cycles by activity", "search: firmware", "search: unit");
  constexpr std::pair<const char*, const char*> kActivities[] = {{"commands", "taking commands, posting actions"},
                                                                 {"metadata", "tensors, storages, locks, pool"},
                                                                 {"cost", "equivalence classes"},
                                                                 {"score", "preparing a search"},
                                                                 {"search", "search in firmware"},
                                                                 {"wait_unit", "waiting for the unit"},
                                                                 {"idle", "idle, no command"},
                                                                 {"wait_accelerator", "waiting for the accelerator"}};
  for (const auto& [name, text] : kActivities) std::cout << row(text, cycles(firmware, name), cycles(unit, name));
  const Json& bus = unit.at("unit");
  std::cout << fmt::format(
      "  the unit's table is written at each change: {} stores, {} bus cycles within the above, {} of them held off\n",
      grouped(bus.at("table_writes").get<std::uint64_t>()), grouped(bus.at("bus_cycles").get<std::uint64_t>()),
      grouped(bus.at("stall_cycles").get<std::uint64_t>()));
  std::cout << '\n' << row("cycles per eviction decision", "search: firmware", "search: unit");
  const auto decision = [](const Json& run, const char* name) {
    return run.at("decisions").at("cycles").at(name).get<std::uint64_t>();
  };
  for (const char* name : {"p50", "p90", "max"}) {
    std::cout << row(std::string_view(name) == "p50"   ? "median"
                     : std::string_view(name) == "p90" ? "90 % are below"
                                                       : "largest",
                     grouped(decision(firmware, name)), grouped(decision(unit, name)));
  }
  const std::uint64_t with_unit = decision(unit, "p50");
  if (with_unit != 0) {
    std::cout << fmt::format(
        "  the unit makes the median decision {:.1f} times shorter ({:.0f} candidates on average)\n",
        static_cast<double>(decision(firmware, "p50")) / static_cast<double>(with_unit),
        unit.at("decisions").at("candidates").at("mean").get<double>());
  }
  const auto exposed = [](const Json& run) { return run.at("exposed_controller_ns").get<double>() / 1e6; };
  const double busy = unit.at("accelerator_busy_ns").get<double>() / 1e6;
  std::cout << fmt::format(
      "\n  device time: accelerator {:.2f} ms; the controller adds {:.2f} ms without the unit, {:.2f} ms with it\n",
      busy, exposed(firmware), exposed(unit));
}

int run_demo(const RunOptions& options) {
  platform::PlatformConfig config = resolve(PlatformOptions{});
  const ResolvedRun run = resolve(options);
  apply(run, config);
  std::cout << fmt::format("trace      {}: {} operators, {} tensors, {} of compute\n", run.schedule.name,
                           run.schedule.operators.size(), run.schedule.tensors.size(),
                           human_time(run.schedule.total_cost));
  std::cout << fmt::format("budget     {}", human_bytes(run.budget));
  if (run.ratio) std::cout << fmt::format(", {:g} of the peak without a budget", *run.ratio);
  std::cout << fmt::format(
      "\nheuristic  {}\nplatform   firmware on an RV32IM instruction-set simulator ({}, {} MHz), "
      "scoring unit {} in Verilator\n\n",
      run.heuristic.name, config.cpu_profile, config.controller_mhz, config.unit);
  std::cout.flush();

  config.scorer = platform::Scorer::kFirmware;
  const Json firmware = platform_run(run, config);
  config.scorer = platform::Scorer::kRtl;
  const Json unit = platform_run(run, config);

  std::cout << "platform against the software simulator, event by event\n";
  print_verdict("search in firmware", firmware);
  print_verdict("search in the scoring unit", unit);
  std::cout << fmt::format(
      "  ({} first runs, {} rematerializations, {} evictions by the heuristic, {} eager)\n",
      unit.at("first_runs").get<std::uint64_t>(), unit.at("rematerializations").get<std::uint64_t>(),
      unit.at("policy_evictions").get<std::uint64_t>(), unit.at("eager_evictions").get<std::uint64_t>());
  const double busy = unit.at("accelerator_busy_ns").get<double>();
  std::cout << fmt::format("\n  status {}, compute overhead {:.2f} % over a run with unlimited memory\n",
                           unit.at("status").get<std::string>(),
                           100.0 * (busy / static_cast<double>(run.schedule.total_cost) - 1.0));
  print_cycles(firmware, unit);

  std::cout << "\nmemory in use over device time (platform with the scoring unit)\n";
  report::PlotOptions plot;
  plot.height = kRows;
  plot.unicode = terminal_has_unicode();
  plot.x_left = "0";
  plot.x_right = fmt::format("{:.1f} ms", unit.at("device_time_ns").get<double>() / 1e6);
  for (const std::string& line : report::plot(unit.at("memory").get<std::vector<std::uint64_t>>(), run.budget, plot)) {
    std::cout << line << '\n';
  }
  int code = 0;
  for (const Json* one : {&firmware, &unit}) {
    for (const auto& text : one->at("failed_checks")) {
      std::cerr << "dtrmc: check failed: " << text.get<std::string>() << '\n';
      code = 1;
    }
    if (!one->at("identical").get<bool>()) code = 1;
  }
  return code;
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  options->trace = "cifar-resnet32-224";
  options->ratio = "0.3";
  app.add_option("TRACE", options->trace, "trace file or name; default cifar-resnet32-224");
  app.add_option("--ratio", options->ratio, "memory as a part of the peak; default 0.3");
  app.add_option("--heuristic", options->heuristic, "dtr-eq, dtr-local, lru or size; default dtr-eq");
  return [options] { return run_demo(*options); };
}

} // namespace

extern const Command kDemoCommand;
const Command kDemoCommand = {"demo", "the whole platform on one recorded trace, explained", "dtrmc demo", set_up};

} // namespace dtrmc::cli
