// SPDX-License-Identifier: Apache-2.0
// One line of text per executed instruction: cycle, pc, word, function+offset, disassembly, register written.
#pragma once

#include <cstdint>
#include <string>

#include "host/record/output_file.h"
#include "host/record/window.h"
#include "systemc/profile/function_map.h"
#include "systemc/profile/stepper.h"

namespace dtrmc::profile {

class InstructionTrace : public StepObserver {
 public:
  // `period_ps`: of the core's clock, for windows given as times. The references must outlive the trace.
  InstructionTrace(const cpu::ElfImage& image, const record::Window& window, std::uint64_t period_ps,
                   record::OutputFile& out);

  void on_step(const cpu::Core& core, const Step& step) override;

 private:
  FunctionMap functions_;
  const record::Window& window_;
  std::uint64_t period_ps_;
  record::OutputFile& out_;
  std::string line_;
};

} // namespace dtrmc::profile
