// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/registers.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace dtrmc::debug {

namespace {

constexpr const char* kNames[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                                    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

struct CsrName {
  std::uint32_t number;
  const char* name;
};
// Numbered from kGeneralRegisters on, in this order.
constexpr std::array<CsrName, 15> kCsrs{{{cpu::csr::kMstatus, "mstatus"},
                                         {cpu::csr::kMisa, "misa"},
                                         {cpu::csr::kMie, "mie"},
                                         {cpu::csr::kMtvec, "mtvec"},
                                         {cpu::csr::kMscratch, "mscratch"},
                                         {cpu::csr::kMepc, "mepc"},
                                         {cpu::csr::kMcause, "mcause"},
                                         {cpu::csr::kMtval, "mtval"},
                                         {cpu::csr::kMip, "mip"},
                                         {cpu::csr::kMcycle, "mcycle"},
                                         {cpu::csr::kMcycleh, "mcycleh"},
                                         {cpu::csr::kMinstret, "minstret"},
                                         {cpu::csr::kMinstreth, "minstreth"},
                                         {cpu::csr::kMhartid, "mhartid"},
                                         {DTRMC_CSR_ACTIVITY, "dtrmc_activity"}}};

std::string make_description() {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
      "<architecture>riscv:rv32</architecture>\n<feature name=\"org.gnu.gdb.riscv.cpu\">\n";
  for (unsigned number = 0; number < 32; ++number) {
    const char* type = number == 1 ? "code_ptr" : number >= 2 && number <= 4 ? "data_ptr" : "int";
    xml += fmt::format("<reg name=\"{}\" bitsize=\"32\" type=\"{}\" regnum=\"{}\"/>\n", kNames[number], type, number);
  }
  xml += fmt::format("<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" regnum=\"{}\"/>\n</feature>\n", kPcNumber);
  const auto csrs = [&xml](const char* feature, std::size_t begin, std::size_t end) {
    xml += fmt::format("<feature name=\"{}\">\n", feature);
    for (std::size_t i = begin; i < end; ++i) {
      xml += fmt::format("<reg name=\"{}\" bitsize=\"32\" type=\"int\" regnum=\"{}\" save-restore=\"no\"/>\n",
                         kCsrs[i].name, kGeneralRegisters + i);
    }
    xml += "</feature>\n";
  };
  csrs("org.gnu.gdb.riscv.csr", 0, kCsrs.size() - 1);
  csrs("org.dtrmc.controller", kCsrs.size() - 1, kCsrs.size());
  return xml + "</target>\n";
}

} // namespace

unsigned register_count() { return kGeneralRegisters + static_cast<unsigned>(kCsrs.size()); }

std::optional<std::uint32_t> read_register(cpu::Core& core, unsigned number) {
  if (number < kPcNumber) return core.reg(number);
  if (number == kPcNumber) return core.pc();
  if (number < register_count()) return core.read_csr(kCsrs[number - kGeneralRegisters].number);
  return std::nullopt;
}

bool write_register(cpu::Core& core, unsigned number, std::uint32_t value) {
  if (number < kPcNumber) {
    core.set_reg(number, value);
    return true;
  }
  if (number == kPcNumber) {
    if (value % 4 != 0) return false;
    if (value != core.pc()) core.set_pc(value); // setting it forgets the pipeline's state
    return true;
  }
  return number < register_count() && core.write_csr(kCsrs[number - kGeneralRegisters].number, value);
}

const std::string& target_description() {
  static const std::string xml = make_description();
  return xml;
}

const char* register_name(unsigned number) { return kNames[number]; }

std::string register_table(cpu::Core& core) {
  std::string text;
  constexpr unsigned kColumns = 6;
  for (unsigned number = 0; number < 32; ++number) {
    const bool last = number % kColumns == kColumns - 1 || number == 31;
    text += fmt::format("{:<4} {:08x}{}", kNames[number], core.reg(number), last ? "\n" : "  ");
  }
  text += fmt::format("{:<4} {:08x}", "pc", core.pc());
  for (const CsrName& csr : kCsrs) {
    switch (csr.number) {
      case cpu::csr::kMstatus:
      case cpu::csr::kMie:
      case cpu::csr::kMepc:
      case cpu::csr::kMcause:
      case cpu::csr::kMtval:
        text += fmt::format("  {} {:x}", csr.name, core.read_csr(csr.number).value_or(0));
        break;
      default:
        break;
    }
  }
  return text + "\n";
}

} // namespace dtrmc::debug
