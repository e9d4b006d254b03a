// SPDX-License-Identifier: Apache-2.0
// Instruction-set simulator: RV32IM + Zicsr + Zifencei, machine mode only, cycle counts by a timing profile.
//
// Interrupt priority, highest first (as in Ibex): platform lines 16, 17, .. 31, then external (11), software (3),
// timer (7).
//
// Protocol with whoever drives the core through time (the wrapper):
// * run(until) executes instructions until cycle() >= until; the last one may end later. State and cycle counts do
//   not depend on how time is cut into runs, as long as the two rules below are kept.
// * Rule 1: while interruptible() is true, `until` must not lie beyond the next cycle at which an interrupt line can
//   change by itself. The core samples the lines at the entry of run(), then only when an instruction may have
//   changed something: it then returns kCycleLimit early (after an MMIO access, MRET, WFI, a write of mstatus or mie
//   that leaves the core interruptible), so that the wrapper can bound the next run. Reading mip samples too.
// * Rule 2: Environment::interrupt_lines(c) is the level at cycle c.
// * kWaitForInterrupt: the core sleeps in WFI since cycle(). The wrapper finds the first cycle w >= cycle() at which
//   interrupt_lines(w) & mie() is not 0, whatever mstatus.MIE says, and calls wake(w). It may let time
//   pass in pieces with idle_until(). A run() of a sleeping core samples the lines at cycle() and wakes by itself.
// * Single step: run(cycle() + 1) executes exactly one instruction, or enters one interrupt.
// * An exception thrown by the Environment leaves the core at the start of the accessing instruction.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "firmware/protocol.h"
#include "systemc/cpu/csr.h"
#include "systemc/cpu/decode.h"
#include "systemc/cpu/environment.h"
#include "systemc/cpu/processor.h"
#include "systemc/cpu/ram_view.h"
#include "systemc/cpu/timing_profile.h"

namespace dtrmc::cpu {

// Which traps end the run as Stop::kFault instead of entering the handler.
enum class FaultPolicy : uint8_t {
  kWithoutHandler, // those taken while mtvec is 0
  kExceptions,     // the same, and every exception but ECALL and EBREAK: for firmware that never expects one
  kNever           // none: as hardware, which would go on at address 0
};

class Core final : public Processor {
 public:
  // Keeps references to `environment` and the RAM's bytes. Throws std::invalid_argument for a RAM that is empty,
  // not word aligned, larger than 2 GiB or reaching beyond the address space. Call reset() before run().
  Core(const TimingProfile& profile, const RamView& ram, Environment& environment);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // All registers, CSRs and counters 0, execution at `pc` (a multiple of 4), cycle 0.
  void reset(uint32_t pc) override;

  Stop run(uint64_t until_cycle) override;
  // From inside an Environment call or the observer: the run ends after the current instruction. Otherwise the next
  // run ends at once.
  void request_stop() override { stop_requested_ = true; }

  bool set_ram_wait_states(uint32_t wait_states) override;

  uint64_t cycle() const override { return cycle_; }
  uint64_t instructions() const override { return retired_; } // retired since reset; traps retire nothing

  bool waiting() const override { return waiting_; }
  // Ends WFI: the core slept until max(cycle, cycle()), then takes the profile's wake-up time. Only while waiting().
  void wake(uint64_t cycle) override;
  // Lets time pass in WFI without waking. Only while waiting(); earlier cycles than cycle() change nothing.
  void idle_until(uint64_t cycle) override;

  // An interrupt line that rises could be taken at the next instruction.
  bool interruptible() const override { return (mstatus_ & mstatus::kMie) != 0 && mie_ != 0; }
  uint32_t mie() const override { return mie_; } // the enabled lines: those that end WFI

  // Cycles since reset by activity, up to cycle(); they add up to cycle().
  std::array<uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles() const override;
  uint32_t activity() const override { return activity_; } // the CSR's value
  void set_activity_observer(ActivityObserver observer) override { observer_ = std::move(observer); }

  void set_fault_policy(FaultPolicy policy) { fault_policy_ = policy; }
  // Lowest value that sp may be moved to; 0: no check. An instruction that adds to sp (every compiler allocates stack
  // frames so) and would leave it below ends the run as a fault before anything is stored there. Other instructions
  // take no part, so the check costs them nothing.
  void set_stack_limit(uint32_t lowest);
  bool faulted() const override { return fault_.has_value(); }
  const Fault& fault() const override; // after Stop::kFault; throws std::logic_error otherwise

  // State for tests and debuggers. Register numbers 0..31; writes to x0 are ignored.
  uint32_t pc() const override { return pc_; }
  void set_pc(uint32_t pc); // throws std::invalid_argument unless a multiple of 4
  uint32_t reg(unsigned number) const { return number == 0 ? 0 : x_.at(number); }
  void set_reg(unsigned number, uint32_t value);
  // As the CSR instructions, at no cost in time; nothing / false: no such CSR, or the write is illegal. Reading mip
  // asks the Environment. A counter written reads back the value written.
  std::optional<uint32_t> read_csr(uint32_t number);
  bool write_csr(uint32_t number, uint32_t value);

  // For tests: false runs one instruction at a time, never a block. Results do not depend on it.
  void set_blocks(bool enabled) { blocks_ = enabled; }

  // RAM was written from outside (debugger, loader) where code may be: forget what was decoded there.
  void invalidate_code(uint32_t address, uint32_t bytes);

  const TimingProfile& profile() const { return profile_; }
  const RamView& ram() const { return ram_; }

 private:
  enum class Exit : uint8_t { kContinue, kLimit, kBoundAnew, kSleep, kFault };
  struct FreeDeleter {
    void operator()(void* memory) const;
  };

  template <bool kHazards>
  Exit execute(uint64_t until);
  template <bool kHazards>
  Exit execute_blocks(uint64_t until);
  template <bool kHazards>
  void add_up_block(uint32_t index, const void* const* labels);
  uint32_t wait_behind(const Decoded& before, const Decoded& d) const;
  Exit execute_slow(const Decoded& d);
  Exit execute_mmio(const Decoded& d);
  Exit execute_csr(const Decoded& d);
  Exit execute_wfi();
  Exit jump_out(uint32_t target, uint32_t cycles, uint8_t rd);
  Exit retire(uint32_t cycles);
  Exit take_interrupt(uint32_t pending);
  Exit trap(uint32_t mcause, uint32_t value, uint64_t extra_cycles = 0);

  Exit execute_stack_move(const Decoded& d);
  Exit stack_overflow(uint32_t sp);

  void tabulate();
  uint32_t op_cycles(Op op) const;
  uint32_t op_slack(Op op) const;
  uint32_t cycles(CycleClass cycle_class) const { return profile_.cycles(cycle_class); }
  uint32_t ram_word(uint32_t address) const;
  void decode_at(uint32_t index);
  bool code_changed(uint32_t offset, uint32_t bytes);
  void invalidate_words(uint32_t offset, uint32_t bytes);
  void forget_code();

  bool csr_exists(uint32_t number) const;
  uint32_t csr_value(uint32_t number);
  bool csr_store(uint32_t number, uint32_t value, uint64_t cycle_after, uint64_t retired_after);
  void set_activity(uint32_t value);

  // Hot state first.
  std::array<uint32_t, 33> x_{}; // x_[kSink] swallows writes to x0
  uint32_t pc_ = 0;
  uint64_t cycle_ = 0;
  uint64_t retired_ = 0;
  uint32_t code_low_ = 0;       // decoded words lie in RAM offsets code_low_ .. code_high_
  uint32_t code_high_ = 0;      // exclusive
  uint32_t stack_limit_ = 0;    // see set_stack_limit
  uint8_t last_load_ = kSink;   // register the instruction before loaded, kSink: none
  uint8_t last_result_ = kSink; // register the instruction before wrote otherwise
  RamView ram_;
  std::unique_ptr<Decoded[], FreeDeleter> code_; // one per word of RAM, and kPastEnd
  // What lies between an instruction and the end of its block: the first jump that is always taken, or instruction
  // that the fast loops do not take, from there on. Exact where no branch is taken and no access is split.
  struct BlockSum {
    uint32_t cycles = 0;       // from this instruction on, without what it waits for the one before
    uint32_t instructions = 0; //
    uint32_t longest = 0;      // most cycles that they may take, and one; 0: not added up yet; kNotInBlock: too long
    uint32_t unused = 0;
  };
  static constexpr uint32_t kNotInBlock = 0xffffffffu;
  std::unique_ptr<BlockSum[], FreeDeleter> sums_; // one per word of RAM, and one
  std::array<uint32_t, static_cast<std::size_t>(Op::kCount)> op_cycles_{};
  std::array<uint32_t, static_cast<std::size_t>(Op::kCount)> op_slack_{};

  TimingProfile profile_;
  Environment& environment_;
  bool blocks_ = true;
  bool hazards_ = false; // the profile has penalties that depend on the instruction before
  FaultPolicy fault_policy_ = FaultPolicy::kWithoutHandler;

  bool waiting_ = false;
  bool stop_requested_ = false;
  std::optional<Fault> fault_;

  uint32_t mstatus_ = 0;
  uint32_t mie_ = 0;
  uint32_t mtvec_ = 0;
  uint32_t mscratch_ = 0;
  uint32_t mepc_ = 0;
  uint32_t mcause_ = 0;
  uint32_t mtval_ = 0;
  uint64_t flushed_at_ = ~uint64_t{0}; // cycle at which the pipeline was last empty (kInterruptEntryFlushed)
  uint64_t mcycle_offset_ = 0;         // mcycle = cycle_ + offset
  uint64_t minstret_offset_ = 0;       // minstret = retired_ + offset

  uint32_t activity_ = 0;
  uint64_t activity_since_ = 0; // cycle of the last activity write
  std::array<uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles_{};
  ActivityObserver observer_;
};

} // namespace dtrmc::cpu
