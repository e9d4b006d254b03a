// SPDX-License-Identifier: Apache-2.0
// What drives a CPU through time, whatever the CPU is: the instruction-set simulator (core.h) or a Verilated core
// (systemc/cpu_rtl). The protocol is explained in core.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "firmware/protocol.h"
#include "systemc/cpu/environment.h"
#include "systemc/cpu/ram_view.h"

namespace dtrmc::cpu {

enum class Stop : uint8_t {
  kCycleLimit,       // cycle() >= until, or the bound must be found anew
  kWaitForInterrupt, // asleep in WFI
  kFault,            // a trap that has nowhere to go; fault() says which; stays so until reset()
  kRequested         // request_stop() was called
};

struct Fault {
  uint32_t pc = 0;    // of the faulting or interrupted instruction
  uint32_t cause = 0; // as in mcause
  uint32_t value = 0; // as in mtval
  std::string text;   // one line, for people
};

// "store access fault, address 0x..., at pc 0x..."
std::string fault_text(uint32_t pc, uint32_t mcause, uint32_t value);

class Processor {
 public:
  // Old and new value of DTRMC_CSR_ACTIVITY; `cycle` is the first cycle charged to the new one (that of the write).
  using ActivityObserver = std::function<void(uint32_t old_value, uint32_t new_value, uint64_t cycle)>;

  virtual ~Processor() = default;

  // All registers, CSRs and counters 0, execution at `pc` (a multiple of 4), cycle 0.
  virtual void reset(uint32_t pc) = 0;
  virtual Stop run(uint64_t until_cycle) = 0;
  // From inside an Environment call or the observer: the run ends after the current instruction. Otherwise the next
  // run ends at once.
  virtual void request_stop() = 0;

  // Between runs: the RAM takes so many cycles beyond the one-cycle answer from now on. False: this CPU cannot do that.
  virtual bool set_ram_wait_states(uint32_t) { return false; }

  virtual uint64_t cycle() const = 0;
  virtual uint64_t instructions() const = 0; // retired since reset; traps retire nothing

  virtual bool waiting() const = 0;
  // Ends WFI: the core slept until max(cycle, cycle()). Only while waiting().
  virtual void wake(uint64_t cycle) = 0;
  // Lets time pass in WFI without waking. Only while waiting(); earlier cycles than cycle() change nothing.
  virtual void idle_until(uint64_t cycle) = 0;

  // An interrupt line that rises could be taken at the next instruction.
  virtual bool interruptible() const = 0;
  virtual uint32_t mie() const = 0; // the enabled lines: those that end WFI

  // Cycles since reset by activity, up to cycle(); they add up to cycle().
  virtual std::array<uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles() const = 0;
  virtual uint32_t activity() const = 0; // the mark in force
  virtual void set_activity_observer(ActivityObserver observer) = 0;

  virtual bool faulted() const = 0;
  virtual const Fault& fault() const = 0; // after Stop::kFault; throws std::logic_error otherwise
  virtual uint32_t pc() const = 0;        // of the next instruction, or of one in hand
};

// Puts a processor on its RAM and bus, whose references it keeps.
using MakeProcessor = std::function<std::unique_ptr<Processor>(const RamView& ram, Environment& environment)>;

} // namespace dtrmc::cpu
