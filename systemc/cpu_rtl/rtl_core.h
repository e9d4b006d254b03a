// SPDX-License-Identifier: Apache-2.0
// A Verilated core with its RAM and its bus, as a cpu::Processor: takes the place of the instruction-set simulator
// and shares its view of time. Cycle 0 is the first in which the instruction at the entry is in the decode stage, so
// that counts compare directly; what the core spends on reset before that is not counted.
//
// Memory: instruction fetch and RAM answer in the next cycle, RAM after `wait_states` more; everything else is the
// Environment's, accessed in the cycle of the request. Requests are granted at once and answered in order.
//
// Differences from the simulator, all of the core itself: the activity mark (CSR 0x7c0) is the core's own
// "cpuctrlsts", in which the marks hit no bit that exists; it is recorded as it is written. The core's own mcycle
// stands still in WFI, since its clock does. An interrupt is taken after the instruction in the decode stage, not
// before it.
#pragma once

#include <memory>
#include <optional>

#include "systemc/cpu/environment.h"
#include "systemc/cpu/processor.h"
#include "systemc/cpu/ram_view.h"
#include "systemc/cpu_rtl/tile.h"

namespace dtrmc::cpu_rtl {

class RtlCore final : public cpu::Processor {
 public:
  // Keeps references to the RAM's bytes and the environment. Call reset() before run().
  RtlCore(std::unique_ptr<Tile> tile, const cpu::RamView& ram, cpu::Environment& environment);

  void reset(uint32_t pc) override; // throws std::invalid_argument: not within reach of the reset address
  cpu::Stop run(uint64_t until_cycle) override;
  void request_stop() override { stop_requested_ = true; }

  uint64_t cycle() const override { return cycle_; }
  uint64_t instructions() const override { return retired_; }
  bool waiting() const override { return waiting_; }
  void wake(uint64_t cycle) override;
  void idle_until(uint64_t cycle) override;
  bool interruptible() const override;
  uint32_t mie() const override { return tile_->pins().enabled_lines; }
  std::array<uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles() const override;
  uint32_t activity() const override { return activity_; }
  void set_activity_observer(ActivityObserver observer) override { observer_ = std::move(observer); }
  bool faulted() const override { return fault_.has_value(); }
  const cpu::Fault& fault() const override;
  uint32_t pc() const override { return pc_; }

  // For tests: exceptions are taken by the program's handler instead of ending the run.
  void take_exceptions() { exceptions_end_run_ = false; }

 private:
  struct Answer {
    uint64_t cycle = 0;
    uint32_t data = 0;
    bool error = false;
    bool mmio = false;
  };
  void fetch(const TilePins& pins, TileAnswers& answers) const;
  void access(const TilePins& pins);
  Answer access_ram(const TilePins& pins);
  Answer access_bus(const TilePins& pins);
  void mark(uint32_t value);
  void advance(TileAnswers& answers);

  std::unique_ptr<Tile> tile_;
  cpu::RamView ram_;
  cpu::Environment& environment_;
  uint64_t cycle_ = 0;
  uint64_t retired_ = 0;
  uint32_t pc_ = 0;
  bool booting_ = false;
  uint32_t entry_ = 0;

  std::array<Answer, 2> pending_{}; // data accesses without answer, oldest first
  unsigned pending_count_ = 0;
  uint64_t answered_ = 0; // cycle of the last answer

  bool waiting_ = false;
  bool stop_requested_ = false;
  bool exceptions_end_run_ = true;
  std::optional<cpu::Fault> fault_;

  uint32_t activity_ = 0;
  uint64_t activity_since_ = 0;
  std::array<uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles_{};
  ActivityObserver observer_;
};

} // namespace dtrmc::cpu_rtl
