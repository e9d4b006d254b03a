// SPDX-License-Identifier: Apache-2.0
#include "systemc/cpu/decode.h"

namespace dtrmc::cpu {
namespace {

// Bits high:low of a word.
constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & (0xffffffffu >> (31u - (high - low)));
}
constexpr int32_t sign_extend(uint32_t value, unsigned width) {
  const uint32_t sign = 1u << (width - 1u);
  return static_cast<int32_t>((value ^ sign) - sign);
}
constexpr int32_t imm_i(uint32_t word) { return sign_extend(bits(word, 31, 20), 12); }
constexpr int32_t imm_s(uint32_t word) { return sign_extend((bits(word, 31, 25) << 5) | bits(word, 11, 7), 12); }
constexpr int32_t imm_b(uint32_t word) {
  return sign_extend(
      (bits(word, 31, 31) << 12) | (bits(word, 7, 7) << 11) | (bits(word, 30, 25) << 5) | (bits(word, 11, 8) << 1), 13);
}
constexpr int32_t imm_j(uint32_t word) {
  return sign_extend(
      (bits(word, 31, 31) << 20) | (bits(word, 19, 12) << 12) | (bits(word, 20, 20) << 11) | (bits(word, 30, 21) << 1),
      21);
}

bool is_plain_target(uint32_t target, const RamView& ram) { return (target & 3u) == 0 && target - ram.base < ram.size; }

Decoded decode_branch(uint32_t word, uint32_t pc, const RamView& ram) {
  static constexpr Op ops[8] = {Op::kBeq, Op::kBne, Op::kIllegal, Op::kIllegal,
                                Op::kBlt, Op::kBge, Op::kBltu,    Op::kBgeu};
  const uint32_t funct3 = bits(word, 14, 12);
  Decoded d;
  d.op = ops[funct3];
  if (d.op == Op::kIllegal) return d;
  d.rs1 = static_cast<uint8_t>(bits(word, 19, 15));
  d.rs2 = static_cast<uint8_t>(bits(word, 24, 20));
  const int32_t offset = imm_b(word);
  if (is_plain_target(pc + static_cast<uint32_t>(offset), ram)) {
    d.imm = offset / 4 - 1;
  } else {
    d.op = Op::kBranchOut;
    d.imm = offset * 8 + static_cast<int32_t>(funct3);
  }
  return d;
}

Decoded decode_jal(uint32_t word, uint32_t pc, const RamView& ram, uint8_t rd) {
  Decoded d;
  d.rd = rd;
  const int32_t offset = imm_j(word);
  const bool plain = is_plain_target(pc + static_cast<uint32_t>(offset), ram);
  d.op = plain ? Op::kJal : Op::kJalOut;
  d.imm = plain ? offset / 4 : offset;
  return d;
}

Op op_immediate(uint32_t word) {
  const uint32_t funct7 = bits(word, 31, 25);
  switch (bits(word, 14, 12)) {
    case 0:
      return Op::kAddi;
    case 1:
      return funct7 == 0 ? Op::kSlli : Op::kIllegal;
    case 2:
      return Op::kSlti;
    case 3:
      return Op::kSltiu;
    case 4:
      return Op::kXori;
    case 5:
      return funct7 == 0 ? Op::kSrli : funct7 == 0x20 ? Op::kSrai : Op::kIllegal;
    case 6:
      return Op::kOri;
    default:
      return Op::kAndi;
  }
}

Op op_register(uint32_t word) {
  static constexpr Op base[8] = {Op::kAdd, Op::kSll, Op::kSlt, Op::kSltu, Op::kXor, Op::kSrl, Op::kOr, Op::kAnd};
  static constexpr Op muldiv[8] = {Op::kMul, Op::kMulh, Op::kMulhsu, Op::kMulhu,
                                   Op::kDiv, Op::kDivu, Op::kRem,    Op::kRemu};
  const uint32_t funct3 = bits(word, 14, 12);
  switch (bits(word, 31, 25)) {
    case 0x00:
      return base[funct3];
    case 0x01:
      return muldiv[funct3];
    case 0x20:
      return funct3 == 0 ? Op::kSub : funct3 == 5 ? Op::kSra : Op::kIllegal;
    default:
      return Op::kIllegal;
  }
}

Decoded decode_system(uint32_t word, uint8_t rd, uint8_t rs1) {
  Decoded d;
  const uint32_t funct3 = bits(word, 14, 12);
  if ((funct3 & 3u) != 0) {
    d.op = Op::kCsr;
    d.rd = rd;
    const bool immediate = (funct3 & 4u) != 0;
    d.rs1 = immediate ? uint8_t{0} : rs1;
    d.imm = static_cast<int32_t>(bits(word, 31, 20) | (funct3 << 12) | (immediate ? uint32_t{rs1} << 16 : 0u));
    return d;
  }
  switch (word) {
    case 0x00000073u:
      d.op = Op::kEcall;
      break;
    case 0x00100073u:
      d.op = Op::kEbreak;
      break;
    case 0x30200073u:
      d.op = Op::kMret;
      break;
    case 0x10500073u:
      d.op = Op::kWfi;
      break;
    default:
      d.op = Op::kIllegal;
      break;
  }
  return d;
}

} // namespace

Decoded decode(uint32_t word, uint32_t pc, const RamView& ram) {
  static constexpr Op loads[8] = {Op::kLb,  Op::kLh,  Op::kLw,      Op::kIllegal,
                                  Op::kLbu, Op::kLhu, Op::kIllegal, Op::kIllegal};
  static constexpr Op stores[8] = {Op::kSb,      Op::kSh,      Op::kSw,      Op::kIllegal,
                                   Op::kIllegal, Op::kIllegal, Op::kIllegal, Op::kIllegal};
  const uint32_t funct3 = bits(word, 14, 12);
  const auto rs1 = static_cast<uint8_t>(bits(word, 19, 15));
  const auto rs2 = static_cast<uint8_t>(bits(word, 24, 20));
  const uint32_t rd_field = bits(word, 11, 7);
  const uint8_t rd = rd_field == 0 ? kSink : static_cast<uint8_t>(rd_field);

  Decoded illegal;
  illegal.op = Op::kIllegal;
  Decoded d;
  switch (bits(word, 6, 0)) {
    case 0x37: // LUI
      d.op = Op::kConstant;
      d.rd = rd;
      d.imm = static_cast<int32_t>(word & 0xfffff000u);
      break;
    case 0x17: // AUIPC
      d.op = Op::kConstant;
      d.rd = rd;
      d.imm = static_cast<int32_t>(pc + (word & 0xfffff000u));
      break;
    case 0x6f:
      return decode_jal(word, pc, ram, rd);
    case 0x67: // JALR
      d.op = funct3 == 0 ? Op::kJalr : Op::kIllegal;
      d.rd = rd;
      d.rs1 = rs1;
      d.imm = imm_i(word);
      break;
    case 0x63:
      return decode_branch(word, pc, ram);
    case 0x03: // LOAD
      d.op = loads[funct3];
      d.rd = rd;
      d.rs1 = rs1;
      d.imm = imm_i(word);
      break;
    case 0x23: // STORE
      d.op = stores[funct3];
      d.rs1 = rs1;
      d.rs2 = rs2;
      d.imm = imm_s(word);
      break;
    case 0x13: // OP-IMM
      d.op = op_immediate(word);
      d.rd = rd;
      d.rs1 = rs1;
      d.imm = (funct3 & 3u) == 1 ? static_cast<int32_t>(bits(word, 24, 20)) : imm_i(word);
      break;
    case 0x33: // OP
      d.op = op_register(word);
      d.rd = rd;
      d.rs1 = rs1;
      d.rs2 = rs2;
      break;
    case 0x0f: // MISC-MEM; reserved fields of fences are to be ignored
      d.op = funct3 == 0 ? Op::kFence : funct3 == 1 ? Op::kFenceI : Op::kIllegal;
      break;
    case 0x73:
      return decode_system(word, rd, rs1);
    default:
      break;
  }
  return d.op == Op::kIllegal || d.op == Op::kUndecoded ? illegal : d;
}

} // namespace dtrmc::cpu
