// SPDX-License-Identifier: Apache-2.0
// Runs a core one instruction at a time and tells an observer of each. It uses the core's public single step alone,
// so the core's own loop knows nothing of it and a run that nobody watches pays nothing.
#pragma once

#include <cstdint>

#include "systemc/cpu/core.h"

namespace dtrmc::profile {

struct Step {
  std::uint32_t pc = 0;
  std::uint32_t word = 0;    // the instruction, 0 where pc lies outside RAM
  std::uint32_t next_pc = 0; // where execution goes on
  std::uint64_t begin = 0;   // first cycle of the instruction
  std::uint64_t end = 0;     // first cycle after it; sleep that follows a WFI is not in it
  bool retired = false;      // false: a trap or interrupt was entered instead
};

class StepObserver {
 public:
  virtual ~StepObserver() = default;
  // After the step. The cycles from one step's end to the next one's begin were slept in WFI.
  virtual void on_step(const cpu::Core& core, const Step& step) = 0;
};

// As Core::run(until), with the same results and the same reasons to stop.
cpu::Stop run_stepped(cpu::Core& core, std::uint64_t until, StepObserver& observer);

} // namespace dtrmc::profile
