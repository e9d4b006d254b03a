// SPDX-License-Identifier: Apache-2.0
// RV32IM + Zicsr + Zifencei instruction words to the compact form that the interpreter executes.
#pragma once

#include <cstdint>

#include "systemc/cpu/ram_view.h"

namespace dtrmc::cpu {

// From kFirstSlow on, the interpreter leaves its fast loop.
enum class Op : uint8_t {
  kUndecoded = 0, // zero-filled memory is an empty cache
  kConstant,      // LUI, AUIPC: the value is known at decode time
  kAddi,
  kSlti,
  kSltiu,
  kXori,
  kOri,
  kAndi,
  kSlli,
  kSrli,
  kSrai,
  kAdd,
  kSub,
  kSll,
  kSlt,
  kSltu,
  kXor,
  kSrl,
  kSra,
  kOr,
  kAnd,
  kMul,
  kMulh,
  kMulhsu,
  kMulhu,
  kDiv,
  kDivu,
  kRem,
  kRemu,
  kLb,
  kLh,
  kLw,
  kLbu,
  kLhu,
  kSb,
  kSh,
  kSw,
  kBeq,
  kBne,
  kBlt,
  kBge,
  kBltu,
  kBgeu,
  kJal,
  kJalr,
  kStackAllocate, // addi sp, sp, -n under a stack limit (Core::set_stack_limit)
  kFirstSlow,
  kBranchOut = kFirstSlow, // a branch whose target is misaligned or outside RAM
  kJalOut,                 // a JAL likewise
  kFence,
  kFenceI,
  kCsr,
  kEcall,
  kEbreak,
  kMret,
  kWfi,
  kIllegal,
  kStackMove, // add or sub (imm 1) to sp under a stack limit
  kPastEnd,   // the word after the last of RAM
  kCount
};

// x0 as a destination becomes this scratch slot of the register array, so that no write needs a test.
constexpr uint8_t kSink = 32;

struct Decoded {
  Op op = Op::kUndecoded;
  uint8_t rd = kSink; // kSink where nothing is written
  uint8_t rs1 = 0;    // 0 where no register is read
  uint8_t rs2 = 0;
  // Immediate; kConstant: the value; branches and kJal: target as distance in instructions; the branches minus 1;
  // kBranchOut: byte distance * 8 + funct3; kJalOut: byte distance; kCsr: see csr_fields.
  int32_t imm = 0;
  const void* block_code = nullptr; // where execute_blocks.cpp carries it out
};
static_assert(sizeof(Decoded) == 16, "decoded words and block sums lie at the same distances");

// kCsr packs its fields into imm.
struct CsrFields {
  uint32_t csr;
  uint32_t funct3;
  uint32_t immediate;
};
constexpr CsrFields csr_fields(int32_t imm) {
  const auto bits = static_cast<uint32_t>(imm);
  return {bits & 0xfffu, (bits >> 12) & 7u, (bits >> 16) & 31u};
}

// Decodes the instruction `word` at address `pc`; the RAM's extent decides which jump targets are plain.
Decoded decode(uint32_t word, uint32_t pc, const RamView& ram);

} // namespace dtrmc::cpu
