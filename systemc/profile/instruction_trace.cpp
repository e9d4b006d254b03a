// SPDX-License-Identifier: Apache-2.0
#include "systemc/profile/instruction_trace.h"

#include <fmt/format.h>

#include <iterator>

#include "systemc/profile/disassembler.h"

namespace dtrmc::profile {

namespace {

// The register that the instruction writes, 0: none. Branches, stores, FENCE and what has no rd write none.
unsigned written_register(std::uint32_t word) {
  switch (word & 0x7f) {
    case 0x63:
    case 0x23:
    case 0x0f:
      return 0;
    case 0x73:
      return (word >> 12 & 7) == 0 ? 0 : word >> 7 & 31;
    default:
      return word >> 7 & 31;
  }
}

} // namespace

InstructionTrace::InstructionTrace(const cpu::ElfImage& image, const record::Window& window, std::uint64_t period_ps,
                                   record::OutputFile& out)
    : functions_(image), window_(window), period_ps_(period_ps), out_(out) {
  out_.write("# cycle pc word function+offset instruction register=value\n");
}

void InstructionTrace::on_step(const cpu::Core& core, const Step& step) {
  if (!window_.contains(step.begin * period_ps_)) return;
  const FunctionId function = functions_.at(step.pc);
  const std::string place = function == functions_.unknown() ? functions_.name(function)
                                                             : fmt::format("{}+0x{:x}", functions_.name(function),
                                                                           step.pc - functions_.address(function));
  line_.clear();
  if (!step.retired) {
    fmt::format_to(std::back_inserter(line_), "{:>12} {:08x} {:08x} {:<32} (trap to {:08x})\n", step.begin, step.pc,
                   step.word, place, step.next_pc);
  } else {
    const std::string text = disassemble(step.word, step.pc);
    fmt::format_to(std::back_inserter(line_), "{:>12} {:08x} {:08x} {:<32} ", step.begin, step.pc, step.word, place);
    const unsigned rd = written_register(step.word);
    if (rd != 0) {
      fmt::format_to(std::back_inserter(line_), "{:<28} {}={:08x}\n", text, register_name(rd), core.reg(rd));
    } else {
      line_ += text;
      line_ += '\n';
    }
  }
  out_.write(line_);
}

} // namespace dtrmc::profile
