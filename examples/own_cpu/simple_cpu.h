// SPDX-License-Identifier: Apache-2.0
// A CPU model of our own in place of dtrmc's instruction-set simulator: RV32IM, as simple as one can be. Every
// instruction takes 2 cycles, memory accesses 4, multiplications and divisions 16. It takes no interrupts (the
// firmware only ever waits for them with WFI).
#pragma once

#include <array>
#include <cstdint>

#include "systemc/cpu/processor.h"

class SimpleCpu final : public dtrmc::cpu::Processor {
 public:
  SimpleCpu(const dtrmc::cpu::RamView& ram, dtrmc::cpu::Environment& environment) : ram_(ram), bus_(environment) {}

  void reset(std::uint32_t pc) override;
  dtrmc::cpu::Stop run(std::uint64_t until) override;
  void request_stop() override { stop_ = true; }
  std::uint64_t cycle() const override { return cycle_; }
  std::uint64_t instructions() const override { return instructions_; }
  bool waiting() const override { return waiting_; }
  void wake(std::uint64_t cycle) override;
  void idle_until(std::uint64_t cycle) override;
  bool interruptible() const override { return false; }
  std::uint32_t mie() const override { return mie_; }
  std::array<std::uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles() const override;
  std::uint32_t activity() const override { return activity_; }
  void set_activity_observer(ActivityObserver observer) override { observer_ = std::move(observer); }
  bool faulted() const override { return faulted_; }
  const dtrmc::cpu::Fault& fault() const override { return fault_; }
  std::uint32_t pc() const override { return pc_; }

 private:
  void step();
  void execute(std::uint32_t word);
  std::uint32_t arithmetic(std::uint32_t word, std::uint32_t a, std::uint32_t b, bool immediate);
  static std::uint32_t multiply_divide(std::uint32_t function, std::uint32_t a, std::uint32_t b);
  bool load(std::uint32_t address, unsigned bytes, std::uint32_t& value);
  bool store(std::uint32_t address, unsigned bytes, std::uint32_t value);
  std::uint32_t csr(std::uint32_t number, std::uint32_t function, std::uint32_t operand);
  void fail(std::uint32_t cause, std::uint32_t value);

  dtrmc::cpu::RamView ram_;
  dtrmc::cpu::Environment& bus_;
  std::array<std::uint32_t, 32> x_{};
  std::uint32_t pc_ = 0, next_pc_ = 0;
  std::uint32_t mie_ = 0, mtvec_ = 0;
  std::uint64_t cycle_ = 0, instructions_ = 0;
  bool waiting_ = false, stop_ = false, faulted_ = false;
  dtrmc::cpu::Fault fault_;
  std::uint32_t activity_ = 0;
  std::uint64_t activity_since_ = 0;
  std::array<std::uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles_{};
  ActivityObserver observer_;
};
