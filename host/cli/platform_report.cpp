// SPDX-License-Identifier: Apache-2.0
#include "host/cli/platform_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/quantity.h"
#include "systemc/platform/activity.h"

namespace dtrmc::cli {

namespace {

// "5394024 ns: deciding 61.2 % (costs 20.1 %, ...), ...": the causes of which there are any, most first.
std::string stall_text(const platform::StallTimes& times, std::uint64_t total) {
  using platform::StallCause;
  if (total == 0) return "never";
  const auto ps = [&](StallCause cause) { return times[static_cast<std::size_t>(cause)]; };
  const auto part = [&](std::uint64_t value) {
    return fmt::format("{:.1f} %", 100 * static_cast<double>(value) / static_cast<double>(total));
  };
  const std::uint64_t deciding = ps(StallCause::kDecisionCost) + ps(StallCause::kDecisionScore) +
                                 ps(StallCause::kDecisionSearch) + ps(StallCause::kDecisionUnit);
  std::vector<std::pair<std::uint64_t, std::string>> parts;
  parts.emplace_back(deciding,
                     fmt::format("waiting for decisions {} (costs {}, table {}, search {}, unit {})", part(deciding),
                                 part(ps(StallCause::kDecisionCost)), part(ps(StallCause::kDecisionScore)),
                                 part(ps(StallCause::kDecisionSearch)), part(ps(StallCause::kDecisionUnit))));
  const auto add = [&](StallCause cause, const char* text) {
    parts.emplace_back(ps(cause), fmt::format("{} {}", text, part(ps(cause))));
  };
  add(StallCause::kCommands, "commands");
  add(StallCause::kMetadata, "metadata");
  add(StallCause::kCost, "cost upkeep");
  add(StallCause::kCompletion, "noticing completions");
  add(StallCause::kNoCommand, "no command");
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [value, words] : parts) {
    if (value != 0) text += (text.empty() ? "" : ", ") + words;
  }
  return text;
}

} // namespace

Table platform_table(const platform::PlatformResult& result, const platform::PlatformConfig& config) {
  Table table;
  const dtrmc_shared& firmware = result.firmware;
  const bool with_unit = platform::has_unit(config.scorer);
  table.emplace_back("controller",
                     fmt::format("{}{}, {} MHz, queue depth {}, {} RAM", config.cpu_profile,
                                 config.cpu == "iss" ? "" : " (" + config.cpu + ")", config.controller_mhz,
                                 config.queue_depth, human_bytes(config.ram_bytes)));
  table.emplace_back("scorer",
                     with_unit ? fmt::format("{}, unit {}: {}, {} lanes, {} slots", platform::to_string(config.scorer),
                                             config.unit, result.unit_arithmetic, result.unit_lanes, result.unit_depth)
                               : std::string("firmware, exact"));
  table.emplace_back("staleness",
                     fmt::format("{}, ticks of {} ns", config.time == DTRMC_TIME_DEVICE ? "device time" : "model clock",
                                 config.tick_ns));
  const std::uint64_t exposed_ps = result.device_time_ps - result.accelerator_busy_ns * 1000;
  table.emplace_back("device time",
                     fmt::format("{} = accelerator {} + controller {}", human_time(result.device_time_ps / 1000),
                                 human_time(result.accelerator_busy_ns), human_time(exposed_ps / 1000)));
  table.emplace_back("accelerator stalled", stall_text(result.stall, exposed_ps));
  table.emplace_back("controller cycles", fmt::format("{}, {} instructions", result.cycles, result.instructions));
  for (int i = 0; i < DTRMC_ACTIVITY_COUNT; ++i) {
    table.emplace_back(fmt::format("  {}", platform::kActivityNames[i]), fmt::format("{}", result.activity_cycles[i]));
  }
  const platform::DecisionCycles& d = result.decisions;
  table.emplace_back("decisions", fmt::format("{}; candidates: mean {:.1f}, max {}", d.count,
                                              firmware.decisions == 0 ? 0.0
                                                                      : static_cast<double>(firmware.candidates) /
                                                                            static_cast<double>(firmware.decisions),
                                              firmware.candidates_max));
  table.emplace_back("cycles a decision",
                     fmt::format("min {}, median {}, 90 % {}, 99 % {}, max {}", d.min, d.p50, d.p90, d.p99, d.max));
  if (with_unit) {
    table.emplace_back("unit", fmt::format("{} search cycles, {} overflow scans, {} decided again in firmware",
                                           firmware.search_cycles, firmware.overflow_scans, firmware.redecided));
    const platform::UnitTraffic& traffic = result.unit_traffic;
    table.emplace_back("unit's bus",
                       fmt::format("{} cycles, of them {} of held off writes; {} accesses, {} table writes",
                                   traffic.bus_cycles, traffic.stall_cycles, traffic.accesses, traffic.table_writes));
  }
  table.emplace_back("metadata peak", human_bytes(firmware.metadata_peak));
  return table;
}

int report_failed_checks(const cosim::CosimReport& report) {
  for (const std::string& text : report.failed_checks) std::cerr << "dtrmc: check failed: " << text << '\n';
  for (const std::string& line : report.platform.failure_details) std::cerr << "  " << line << '\n';
  return report.failed_checks.empty() ? 0 : 1;
}

} // namespace dtrmc::cli
