// SPDX-License-Identifier: Apache-2.0
#include "systemc/profile/stepper.h"

#include <cstring>

namespace dtrmc::profile {

cpu::Stop run_stepped(cpu::Core& core, std::uint64_t until, StepObserver& observer) {
  const cpu::RamView& ram = core.ram();
  do {
    const bool asleep = core.waiting();
    const std::uint64_t retired = core.instructions();
    Step step;
    step.pc = core.pc();
    step.begin = core.cycle();
    const std::uint32_t offset = step.pc - ram.base;
    if (offset < ram.size) std::memcpy(&step.word, ram.data + offset, sizeof step.word);
    const cpu::Stop stop = core.run(core.cycle() + 1);
    step.next_pc = core.pc();
    step.end = core.cycle();
    step.retired = core.instructions() != retired;
    // A core that wakes by itself takes its wake-up time first; that belongs to the WFI.
    if ((!asleep || step.retired) && (step.retired || step.end != step.begin)) observer.on_step(core, step);
    if (stop != cpu::Stop::kCycleLimit) return stop;
    // Whoever drives the core may have to find a nearer bound now: see the protocol in core.h.
    if (core.interruptible()) return stop;
  } while (core.cycle() < until);
  return cpu::Stop::kCycleLimit;
}

} // namespace dtrmc::profile
