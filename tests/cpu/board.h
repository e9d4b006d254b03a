// SPDX-License-Identifier: Apache-2.0
// A test board around the core: RAM and a few devices whose interrupt lines are a pure function of the cycle and of
// what the program wrote, and a driver that cuts time into runs as a platform would.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "systemc/cpu/core.h"
#include "tests/cpu/board_map.h"

namespace dtrmc::cpu::test {

class Board : public Environment {
 public:
  explicit Board(const TimingProfile& profile, uint32_t wait_states = 0);

  // Puts `words` at `address` and starts there. The rest of RAM is kept.
  void load(std::initializer_list<uint32_t> words, uint32_t address = BOARD_RAM_BASE);
  void load(const std::vector<uint32_t>& words, uint32_t address = BOARD_RAM_BASE);
  // Loads tests/cpu/programs/<name>.S as built.
  void load_program(const std::string& name);

  enum class End { kExit, kFault, kDeadlock, kCycles };
  // Runs until the program exits, or `max_cycles`. `quantum`: longest run in cycles. With `nap` > 0, WFI sleeps in
  // pieces of that many cycles. With `vary`, run lengths change from run to run, at most `quantum`.
  End run(uint64_t quantum, uint64_t max_cycles = 1000000, uint64_t nap = 0, bool vary = false);
  // One instruction or interrupt entry; how many cycles it took.
  uint64_t step();

  uint32_t exit_code() const { return exit_code_; }
  Core& core() { return core_; }
  std::vector<uint8_t>& ram() { return ram_; }
  uint32_t word(uint32_t address) const;
  void set_word(uint32_t address, uint32_t value);
  void set_levels(uint32_t levels) { levels_ = levels; }
  void set_pulse(uint32_t lines, uint64_t begin, uint64_t length) { pulses_.push_back({lines, begin, begin + length}); }
  uint64_t runs() const { return runs_; } // calls of Core::run so far

  // One line per access: for comparing runs.
  const std::string& log() const { return log_; }

  MmioResult read(uint32_t address, unsigned bytes, uint64_t cycle) override;
  MmioResult write(uint32_t address, unsigned bytes, uint32_t data, uint64_t cycle) override;
  uint32_t interrupt_lines(uint64_t cycle) override { return lines_at(cycle); }

 private:
  struct Pulse {
    uint32_t lines;
    uint64_t begin;
    uint64_t end;
  };
  uint32_t lines_at(uint64_t cycle) const;
  uint64_t next_change(uint64_t cycle) const; // first cycle after `cycle` at which a line may change by itself

  std::vector<uint8_t> ram_;
  Core core_;
  bool exited_ = false;
  uint32_t exit_code_ = 0;
  uint64_t runs_ = 0;
  uint32_t timecmp_ = 0xffffffffu;
  uint32_t levels_ = 0;
  uint32_t delay_ = 0;
  uint32_t length_ = 0;
  uint32_t scratch_ = 0;
  std::vector<Pulse> pulses_;
  std::string log_;
};

} // namespace dtrmc::cpu::test
