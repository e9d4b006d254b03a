// SPDX-License-Identifier: Apache-2.0
// The timing profiles against the RTL: each snippet takes the same number of cycles on the instruction-set simulator
// as on the Verilated core. On a difference the whole table is printed.
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "systemc/cpu/core.h"
#include "systemc/cpu_rtl/rtl_core.h"
#include "systemc/cpu_rtl/tiles.h"
#include "tests/cpu_rtl/built_or_skip.h"
#include "tests/cpu_rtl/marks_board.h"
#include "tests/cpu_rtl/snippets.h"

namespace dtrmc::test {

namespace {

constexpr unsigned kRepeats = 8;

uint64_t between_marks(const std::vector<MarksBoard::Mark>& marks) {
  if (marks.size() != 2) throw std::runtime_error("the program left " + std::to_string(marks.size()) + " marks");
  return marks[1].cycle - marks[0].cycle;
}

uint64_t on_iss(const std::string& profile, const Snippet& snippet, unsigned repeats, uint32_t ram_wait,
                uint32_t bus_wait, uint64_t quantum) {
  MarksBoard board(ram_wait, bus_wait);
  cpu::Core core(cpu::timing_profile(profile), board.ram(), board);
  core.set_fault_policy(cpu::FaultPolicy::kNever);
  return between_marks(board.run(core, program(snippet, repeats), quantum));
}

uint64_t on_rtl(const std::string& name, const Snippet& snippet, unsigned repeats, uint32_t ram_wait,
                uint32_t bus_wait) {
  MarksBoard board(ram_wait, bus_wait);
  cpu_rtl::RtlCore core(cpu_rtl::make_tile(name), board.ram(), board);
  core.take_exceptions();
  return between_marks(board.run(core, program(snippet, repeats)));
}

// Cycles of one repetition, in kRepeats-ths.
void compare(const std::string& core, uint32_t ram_wait, uint32_t bus_wait, bool privileged) {
  std::string table;
  unsigned different = 0;
  for (const Snippet& snippet : snippets()) {
    if ((snippet.privileged || snippet.misaligned) && !privileged) continue;
    // The difference of two lengths leaves out how the marks themselves meet the first and last instruction.
    const auto cycles = [&](const auto& run) -> uint64_t {
      try {
        return run(2 * kRepeats) - run(kRepeats);
      } catch (const std::exception& error) {
        table += snippet.name + ": " + error.what() + "\n";
        ++different;
        return 0;
      }
    };
    const uint64_t iss = cycles([&](unsigned n) { return on_iss(core, snippet, n, ram_wait, bus_wait, 1000); });
    const uint64_t rtl = cycles([&](unsigned n) { return on_rtl(core, snippet, n, ram_wait, bus_wait); });
    char line[160];
    std::snprintf(line, sizeof line, "%s %-34s iss %7.3f  rtl %7.3f\n", iss == rtl ? " " : "*", snippet.name.c_str(),
                  static_cast<double>(iss) / kRepeats, static_cast<double>(rtl) / kRepeats);
    table += line;
    if (iss != rtl) ++different;
  }
  INFO(core << ", RAM wait states " << ram_wait << ", bus wait states " << bus_wait << ":\n" << table);
  CHECK(different == 0);
}

} // namespace

TEST_CASE("ibex-small takes the cycles of its RTL") {
  if (!built_or_skip("ibex-small")) return;
  compare("ibex-small", 0, 0, true);
  compare("ibex-small", 0, 2, true);
  compare("ibex-small", 1, 2, true);
  compare("ibex-small", 3, 0, true);
}

TEST_CASE("ibex-maxperf takes the cycles of its RTL") {
  if (!built_or_skip("ibex-maxperf")) return;
  compare("ibex-maxperf", 0, 0, true);
}

TEST_CASE("picorv32 takes the cycles of its RTL") {
  if (!built_or_skip("picorv32")) return;
  compare("picorv32", 0, 0, false);
}

} // namespace dtrmc::test
