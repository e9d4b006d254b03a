// SPDX-License-Identifier: Apache-2.0
// Instruction words of RV32IM + Zicsr + Zifencei, written out by the formats of the ISA manual and independently of
// the decoder under test. Offsets in bytes; immediates are cut to their fields.
#pragma once

#include <cstdint>

namespace dtrmc::cpu::test {

// Registers by their ABI names.
enum Reg : uint32_t {
  zero,
  ra,
  sp,
  gp,
  tp,
  t0,
  t1,
  t2,
  s0,
  s1,
  a0,
  a1,
  a2,
  a3,
  a4,
  a5,
  a6,
  a7,
  s2,
  s3,
  s4,
  s5,
  s6,
  s7,
  s8,
  s9,
  s10,
  s11,
  t3,
  t4,
  t5,
  t6
};

constexpr uint32_t r_type(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return (funct7 << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
}
constexpr uint32_t i_type(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm) {
  return (static_cast<uint32_t>(imm) << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
}
constexpr uint32_t s_type(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t offset) {
  const auto imm = static_cast<uint32_t>(offset);
  return (((imm >> 5) & 0x7fu) << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | ((imm & 0x1fu) << 7) | 0x23u;
}
constexpr uint32_t b_type(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t offset) {
  const auto imm = static_cast<uint32_t>(offset);
  return (((imm >> 12) & 1u) << 31) | (((imm >> 5) & 0x3fu) << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) |
         (((imm >> 1) & 0xfu) << 8) | (((imm >> 11) & 1u) << 7) | 0x63u;
}
constexpr uint32_t jal(uint32_t rd, int32_t offset) {
  const auto imm = static_cast<uint32_t>(offset);
  return (((imm >> 20) & 1u) << 31) | (((imm >> 1) & 0x3ffu) << 21) | (((imm >> 11) & 1u) << 20) |
         (((imm >> 12) & 0xffu) << 12) | (rd << 7) | 0x6fu;
}
// `value` holds the upper 20 bits in place.
constexpr uint32_t lui(uint32_t rd, uint32_t value) { return (value & 0xfffff000u) | (rd << 7) | 0x37u; }
constexpr uint32_t auipc(uint32_t rd, uint32_t value) { return (value & 0xfffff000u) | (rd << 7) | 0x17u; }
constexpr uint32_t jalr(uint32_t rd, uint32_t rs1, int32_t offset) { return i_type(0x67, 0, rd, rs1, offset); }

constexpr uint32_t beq(uint32_t rs1, uint32_t rs2, int32_t offset) { return b_type(0, rs1, rs2, offset); }
constexpr uint32_t bne(uint32_t rs1, uint32_t rs2, int32_t offset) { return b_type(1, rs1, rs2, offset); }
constexpr uint32_t blt(uint32_t rs1, uint32_t rs2, int32_t offset) { return b_type(4, rs1, rs2, offset); }
constexpr uint32_t bge(uint32_t rs1, uint32_t rs2, int32_t offset) { return b_type(5, rs1, rs2, offset); }
constexpr uint32_t bltu(uint32_t rs1, uint32_t rs2, int32_t offset) { return b_type(6, rs1, rs2, offset); }
constexpr uint32_t bgeu(uint32_t rs1, uint32_t rs2, int32_t offset) { return b_type(7, rs1, rs2, offset); }

constexpr uint32_t lb(uint32_t rd, uint32_t rs1, int32_t offset) { return i_type(0x03, 0, rd, rs1, offset); }
constexpr uint32_t lh(uint32_t rd, uint32_t rs1, int32_t offset) { return i_type(0x03, 1, rd, rs1, offset); }
constexpr uint32_t lw(uint32_t rd, uint32_t rs1, int32_t offset) { return i_type(0x03, 2, rd, rs1, offset); }
constexpr uint32_t lbu(uint32_t rd, uint32_t rs1, int32_t offset) { return i_type(0x03, 4, rd, rs1, offset); }
constexpr uint32_t lhu(uint32_t rd, uint32_t rs1, int32_t offset) { return i_type(0x03, 5, rd, rs1, offset); }
constexpr uint32_t sb(uint32_t rs2, uint32_t rs1, int32_t offset) { return s_type(0, rs1, rs2, offset); }
constexpr uint32_t sh(uint32_t rs2, uint32_t rs1, int32_t offset) { return s_type(1, rs1, rs2, offset); }
constexpr uint32_t sw(uint32_t rs2, uint32_t rs1, int32_t offset) { return s_type(2, rs1, rs2, offset); }

constexpr uint32_t addi(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 0, rd, rs1, imm); }
constexpr uint32_t slti(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 2, rd, rs1, imm); }
constexpr uint32_t sltiu(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 3, rd, rs1, imm); }
constexpr uint32_t xori(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 4, rd, rs1, imm); }
constexpr uint32_t ori(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 6, rd, rs1, imm); }
constexpr uint32_t andi(uint32_t rd, uint32_t rs1, int32_t imm) { return i_type(0x13, 7, rd, rs1, imm); }
constexpr uint32_t slli(uint32_t rd, uint32_t rs1, uint32_t n) { return r_type(0x13, 1, 0, rd, rs1, n); }
constexpr uint32_t srli(uint32_t rd, uint32_t rs1, uint32_t n) { return r_type(0x13, 5, 0, rd, rs1, n); }
constexpr uint32_t srai(uint32_t rd, uint32_t rs1, uint32_t n) { return r_type(0x13, 5, 0x20, rd, rs1, n); }

constexpr uint32_t add(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 0, 0, rd, rs1, rs2); }
constexpr uint32_t sub(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 0, 0x20, rd, rs1, rs2); }
constexpr uint32_t sll(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 1, 0, rd, rs1, rs2); }
constexpr uint32_t slt(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 2, 0, rd, rs1, rs2); }
constexpr uint32_t sltu(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 3, 0, rd, rs1, rs2); }
constexpr uint32_t xor_(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 4, 0, rd, rs1, rs2); }
constexpr uint32_t srl(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 5, 0, rd, rs1, rs2); }
constexpr uint32_t sra(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 5, 0x20, rd, rs1, rs2); }
constexpr uint32_t or_(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 6, 0, rd, rs1, rs2); }
constexpr uint32_t and_(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 7, 0, rd, rs1, rs2); }
constexpr uint32_t mul(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 0, 1, rd, rs1, rs2); }
constexpr uint32_t mulh(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 1, 1, rd, rs1, rs2); }
constexpr uint32_t mulhsu(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 2, 1, rd, rs1, rs2); }
constexpr uint32_t mulhu(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 3, 1, rd, rs1, rs2); }
constexpr uint32_t div(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 4, 1, rd, rs1, rs2); }
constexpr uint32_t divu(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 5, 1, rd, rs1, rs2); }
constexpr uint32_t rem(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 6, 1, rd, rs1, rs2); }
constexpr uint32_t remu(uint32_t rd, uint32_t rs1, uint32_t rs2) { return r_type(0x33, 7, 1, rd, rs1, rs2); }

constexpr uint32_t csrrw(uint32_t rd, uint32_t number, uint32_t rs1) {
  return i_type(0x73, 1, rd, rs1, static_cast<int32_t>(number));
}
constexpr uint32_t csrrs(uint32_t rd, uint32_t number, uint32_t rs1) {
  return i_type(0x73, 2, rd, rs1, static_cast<int32_t>(number));
}
constexpr uint32_t csrrc(uint32_t rd, uint32_t number, uint32_t rs1) {
  return i_type(0x73, 3, rd, rs1, static_cast<int32_t>(number));
}
constexpr uint32_t csrrwi(uint32_t rd, uint32_t number, uint32_t imm) {
  return i_type(0x73, 5, rd, imm, static_cast<int32_t>(number));
}
constexpr uint32_t csrrsi(uint32_t rd, uint32_t number, uint32_t imm) {
  return i_type(0x73, 6, rd, imm, static_cast<int32_t>(number));
}
constexpr uint32_t csrrci(uint32_t rd, uint32_t number, uint32_t imm) {
  return i_type(0x73, 7, rd, imm, static_cast<int32_t>(number));
}
constexpr uint32_t csrr(uint32_t rd, uint32_t number) { return csrrs(rd, number, zero); }
constexpr uint32_t csrw(uint32_t number, uint32_t rs1) { return csrrw(zero, number, rs1); }

constexpr uint32_t ecall() { return 0x00000073u; }
constexpr uint32_t ebreak() { return 0x00100073u; }
constexpr uint32_t mret() { return 0x30200073u; }
constexpr uint32_t wfi() { return 0x10500073u; }
constexpr uint32_t fence() { return 0x0ff0000fu; }
constexpr uint32_t fence_i() { return 0x0000100fu; }
constexpr uint32_t nop() { return addi(zero, zero, 0); }

} // namespace dtrmc::cpu::test
