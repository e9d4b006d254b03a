// SPDX-License-Identifier: Apache-2.0
#include "systemc/profile/disassembler.h"

#include <fmt/format.h>

#include "firmware/protocol.h"
#include "systemc/cpu/csr.h"

namespace dtrmc::profile {

namespace {

struct Fields {
  std::uint32_t word;
  unsigned rd() const { return word >> 7 & 31; }
  unsigned rs1() const { return word >> 15 & 31; }
  unsigned rs2() const { return word >> 20 & 31; }
  unsigned funct3() const { return word >> 12 & 7; }
  unsigned funct7() const { return word >> 25; }
  std::int32_t imm_i() const { return static_cast<std::int32_t>(word) >> 20; }
  std::int32_t imm_s() const {
    return (static_cast<std::int32_t>(word & 0xfe000000) >> 20) | static_cast<std::int32_t>(rd());
  }
  std::int32_t imm_b() const {
    return (static_cast<std::int32_t>(word & 0x80000000) >> 19) |
           static_cast<std::int32_t>((word & 0x80) << 4 | (word >> 20 & 0x7e0) | (word >> 7 & 0x1e));
  }
  std::int32_t imm_j() const {
    return (static_cast<std::int32_t>(word & 0x80000000) >> 11) |
           static_cast<std::int32_t>((word & 0xff000) | (word >> 9 & 0x800) | (word >> 20 & 0x7fe));
  }
};

std::string csr_name(std::uint32_t number) {
  namespace csr = cpu::csr;
  switch (number) {
    case csr::kMstatus:
      return "mstatus";
    case csr::kMisa:
      return "misa";
    case csr::kMie:
      return "mie";
    case csr::kMtvec:
      return "mtvec";
    case csr::kMscratch:
      return "mscratch";
    case csr::kMepc:
      return "mepc";
    case csr::kMcause:
      return "mcause";
    case csr::kMtval:
      return "mtval";
    case csr::kMip:
      return "mip";
    case csr::kMcycle:
      return "mcycle";
    case csr::kMcycleh:
      return "mcycleh";
    case csr::kMinstret:
      return "minstret";
    case csr::kMinstreth:
      return "minstreth";
    case csr::kMhartid:
      return "mhartid";
    default:
      return fmt::format("0x{:x}", number);
  }
}

std::string unknown(std::uint32_t word) { return fmt::format(".word 0x{:08x}", word); }

std::string three(const char* name, unsigned a, unsigned b, unsigned c) {
  return fmt::format("{} {},{},{}", name, register_name(a), register_name(b), register_name(c));
}

std::string op_immediate(const Fields& f) {
  static constexpr const char* kNames[] = {"addi", "slli", "slti", "sltiu", "xori", "srli", "ori", "andi"};
  const char* name = kNames[f.funct3()];
  if (f.funct3() == 1 || f.funct3() == 5) {
    if (f.funct7() == 0x20 && f.funct3() == 5) {
      name = "srai";
    } else if (f.funct7() != 0) {
      return unknown(f.word);
    }
    return fmt::format("{} {},{},0x{:x}", name, register_name(f.rd()), register_name(f.rs1()), f.rs2());
  }
  return fmt::format("{} {},{},{}", name, register_name(f.rd()), register_name(f.rs1()), f.imm_i());
}

std::string op_register(const Fields& f) {
  static constexpr const char* kBase[] = {"add", "sll", "slt", "sltu", "xor", "srl", "or", "and"};
  static constexpr const char* kMultiply[] = {"mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"};
  const char* name = nullptr;
  if (f.funct7() == 0) name = kBase[f.funct3()];
  if (f.funct7() == 1) name = kMultiply[f.funct3()];
  if (f.funct7() == 0x20 && f.funct3() == 0) name = "sub";
  if (f.funct7() == 0x20 && f.funct3() == 5) name = "sra";
  return name == nullptr ? unknown(f.word) : three(name, f.rd(), f.rs1(), f.rs2());
}

std::string fence(const Fields& f) {
  if (f.funct3() == 1) return "fence.i";
  if (f.funct3() != 0) return unknown(f.word);
  const auto set = [](unsigned bits) {
    std::string text;
    for (unsigned i = 0; i < 4; ++i) {
      if ((bits & 8u >> i) != 0) text += "iorw"[i];
    }
    return text.empty() ? std::string("unknown") : text;
  };
  return fmt::format("fence {},{}", set(f.word >> 24 & 15), set(f.word >> 20 & 15));
}

std::string system(const Fields& f) {
  switch (f.word) {
    case 0x00000073:
      return "ecall";
    case 0x00100073:
      return "ebreak";
    case 0x30200073:
      return "mret";
    case 0x10500073:
      return "wfi";
    default:
      break;
  }
  static constexpr const char* kNames[] = {nullptr, "csrrw", "csrrs", "csrrc", nullptr, "csrrwi", "csrrsi", "csrrci"};
  const char* name = kNames[f.funct3()];
  if (name == nullptr) return unknown(f.word);
  const std::string csr = csr_name(f.word >> 20);
  if (f.funct3() > 4) return fmt::format("{} {},{},{}", name, register_name(f.rd()), csr, f.rs1());
  return fmt::format("{} {},{},{}", name, register_name(f.rd()), csr, register_name(f.rs1()));
}

} // namespace

const char* register_name(unsigned number) {
  static constexpr const char* kNames[] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                           "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                           "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return kNames[number & 31];
}

std::string disassemble(std::uint32_t word, std::uint32_t pc) {
  const Fields f{word};
  switch (word & 0x7f) {
    case 0x37:
      return fmt::format("lui {},0x{:x}", register_name(f.rd()), word >> 12);
    case 0x17:
      return fmt::format("auipc {},0x{:x}", register_name(f.rd()), word >> 12);
    case 0x6f:
      return fmt::format("jal {},{:x}", register_name(f.rd()), pc + static_cast<std::uint32_t>(f.imm_j()));
    case 0x67:
      if (f.funct3() != 0) break;
      return fmt::format("jalr {},{}({})", register_name(f.rd()), f.imm_i(), register_name(f.rs1()));
    case 0x63: {
      static constexpr const char* kNames[] = {"beq", "bne", nullptr, nullptr, "blt", "bge", "bltu", "bgeu"};
      if (kNames[f.funct3()] == nullptr) break;
      return fmt::format("{} {},{},{:x}", kNames[f.funct3()], register_name(f.rs1()), register_name(f.rs2()),
                         pc + static_cast<std::uint32_t>(f.imm_b()));
    }
    case 0x03: {
      static constexpr const char* kNames[] = {"lb", "lh", "lw", nullptr, "lbu", "lhu", nullptr, nullptr};
      if (kNames[f.funct3()] == nullptr) break;
      return fmt::format("{} {},{}({})", kNames[f.funct3()], register_name(f.rd()), f.imm_i(), register_name(f.rs1()));
    }
    case 0x23: {
      static constexpr const char* kNames[] = {"sb", "sh", "sw"};
      if (f.funct3() > 2) break;
      return fmt::format("{} {},{}({})", kNames[f.funct3()], register_name(f.rs2()), f.imm_s(), register_name(f.rs1()));
    }
    case 0x13:
      return op_immediate(f);
    case 0x33:
      return op_register(f);
    case 0x0f:
      return fence(f);
    case 0x73:
      return system(f);
    default:
      break;
  }
  return unknown(word);
}

} // namespace dtrmc::profile
