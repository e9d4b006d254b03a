// SPDX-License-Identifier: Apache-2.0
// Cycles by firmware function and by call stack. Every cycle of the run is charged exactly once: the self cycles of
// all functions add up to mcycle.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "systemc/profile/call_stack.h"
#include "systemc/profile/function_map.h"
#include "systemc/profile/stepper.h"

namespace dtrmc::profile {

struct FunctionCycles {
  std::string name;
  std::uint64_t self = 0;  // cycles in the function itself
  std::uint64_t total = 0; // and in what it called; a recursive function counts its cycles once
  std::uint64_t calls = 0; // entries, tail calls included
};

class FunctionProfile : public StepObserver {
 public:
  explicit FunctionProfile(const cpu::ElfImage& image);

  void on_step(const cpu::Core& core, const Step& step) override;
  // The run is over at `cycle`, from reset; what follows the last step was slept.
  void finish(std::uint64_t cycle);

  // After finish(). Largest self first, then by name. Sleep in WFI is a function of its own, "(asleep)", called by
  // the one that sleeps.
  std::vector<FunctionCycles> functions() const;
  // Brendan Gregg's folded format: "outermost;...;innermost CYCLES\n", in lexical order of the stacks.
  std::string folded() const;
  std::uint64_t cycles() const; // sum over all stacks

 private:
  struct Charge {
    std::uint64_t awake = 0;
    std::uint64_t asleep = 0;
  };
  void charge_sleep(std::uint64_t until);
  Charge& charge(StackId stack);

  FunctionMap functions_;
  CallStack stack_;
  std::vector<Charge> charges_; // by stack
  StackId last_ = CallStack::kRoot;
  std::uint64_t charged_until_ = 0; // cycle
};

} // namespace dtrmc::profile
