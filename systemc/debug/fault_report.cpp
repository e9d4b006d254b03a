// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/fault_report.h"

#include <fmt/format.h>

#include "systemc/debug/describe.h"
#include "systemc/debug/registers.h"
#include "systemc/debug/run_control.h"

namespace dtrmc::debug {

namespace {

void append_lines(const std::string& text, std::vector<std::string>& lines) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
}

} // namespace

std::vector<std::string> fault_report(cpu::Core& core, const Locator& locator, const Snapshot& snapshot) {
  constexpr unsigned kReturnAddress = 1;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("device time {}, cycle {}, instruction {}, activity {}",
                              describe_time(snapshot.device_time_ps), snapshot.cycles, snapshot.instructions,
                              describe_activity(snapshot.activity)));
  lines.push_back(fmt::format("pc {:#010x} in {}", core.pc(), locator.describe(core.pc())));
  // What ra holds is a return address only where the function has not used it for something else.
  lines.push_back(
      fmt::format("ra {:#010x} in {}", core.reg(kReturnAddress), locator.describe(core.reg(kReturnAddress) - 4)));
  append_lines(register_table(core), lines);
  append_lines(command_list(snapshot, kReportedSteps), lines);
  append_lines(action_list(snapshot), lines);
  return lines;
}

int signal_of(std::uint32_t cause) {
  switch (cause) {
    case cpu::cause::kIllegalInstruction:
      return signal::kIllegal;
    case cpu::cause::kMisalignedFetch:
      return signal::kBus;
    case cpu::cause::kFetchFault:
    case cpu::cause::kLoadFault:
    case cpu::cause::kStoreFault:
    case cpu::cause::kStackOverflow:
      return signal::kSegment;
    default:
      return signal::kTrap;
  }
}

} // namespace dtrmc::debug
