// SPDX-License-Identifier: Apache-2.0
// A small board on which any cpu::Processor runs a short program and says in which cycles it stored to the mark
// address. RAM at 0x80000000; a timer line; wait states that the program cannot see.
#pragma once

#include <cstdint>
#include <vector>

#include "systemc/cpu/environment.h"
#include "systemc/cpu/processor.h"
#include "systemc/cpu/ram_view.h"

namespace dtrmc::test {

class MarksBoard : public cpu::Environment {
 public:
  static constexpr uint32_t kRamBase = 0x80000000u;
  static constexpr uint32_t kRamBytes = 0x10000;
  static constexpr uint32_t kMark = 0x10000000u;      // WO: records cycle and value
  static constexpr uint32_t kEnd = 0x10000004u;       // WO: ends the run
  static constexpr uint32_t kTimerIn = 0x10000008u;   // WO: line 7 rises so many cycles after the store begins
  static constexpr uint32_t kTimerStop = 0x1000000cu; // WO: line 7 falls, never to rise again

  explicit MarksBoard(uint32_t ram_wait = 0, uint32_t bus_wait = 0) : ram_(kRamBytes), bus_wait_(bus_wait) {
    view_ = {ram_.data(), kRamBase, kRamBytes, ram_wait};
  }
  const cpu::RamView& ram() const { return view_; }

  struct Mark {
    uint64_t cycle;
    uint32_t value;
  };

  // Runs `program` from the start of RAM on `processor`, which was made on ram() and this environment.
  std::vector<Mark> run(cpu::Processor& processor, const std::vector<uint32_t>& program, uint64_t quantum = 1000);

 private:
  cpu::MmioResult read(uint32_t address, unsigned bytes, uint64_t cycle) override;
  cpu::MmioResult write(uint32_t address, unsigned bytes, uint32_t data, uint64_t cycle) override;
  uint32_t interrupt_lines(uint64_t cycle) override { return cycle >= timer_ ? 1u << 7 : 0; }

  std::vector<uint8_t> ram_;
  cpu::RamView view_;
  uint32_t bus_wait_;
  uint64_t timer_ = ~uint64_t{0};
  std::vector<Mark> marks_;
  bool ended_ = false;
  cpu::Processor* processor_ = nullptr;
};

} // namespace dtrmc::test
