// SPDX-License-Identifier: Apache-2.0
// The interpreter's loop over predecoded instructions, one at a time: the plain meaning of every instruction. Whole
// blocks run in execute_blocks.cpp, with the same results; this loop takes what is left before a cycle limit.
#include <cstring>

#include "systemc/cpu/arithmetic.h"
#include "systemc/cpu/core.h"

namespace dtrmc::cpu {

// Runs from pc_, which lies in RAM, until the cycle limit or an event that run() must look at. State lives in local
// variables and is written back before anything outside the loop can see it.
template <bool kHazards>
Core::Exit Core::execute(uint64_t until) {
  Decoded* const code = code_.get();
  uint32_t* const x = x_.data();
  uint8_t* const memory = ram_.data;
  const uint32_t base = ram_.base;
  const uint32_t size = ram_.size;
  const uint32_t* const op_cycles = op_cycles_.data();
  const uint64_t taken_extra = uint64_t{cycles(CycleClass::kBranchTaken)} - cycles(CycleClass::kBranchNotTaken);
  const uint64_t load_split_extra =
      uint64_t{cycles(CycleClass::kLoadSplit)} - cycles(CycleClass::kLoad) + ram_.wait_states;
  const uint64_t store_split_extra =
      uint64_t{cycles(CycleClass::kStoreSplit)} - cycles(CycleClass::kStore) + ram_.wait_states;
  const uint64_t div_zero_extra = uint64_t{cycles(CycleClass::kDivByZero)} - cycles(CycleClass::kDiv);
  const uint64_t div_per_zero = cycles(CycleClass::kDivPerLeadingZero);
  const uint32_t load_use = cycles(CycleClass::kLoadUse);
  const uint32_t jump_register_use = cycles(CycleClass::kJumpRegisterUse);

  const Decoded* ip = code + (pc_ - base) / 4;
  uint64_t cycle = cycle_;
  uint64_t retired = retired_;
  uint8_t last_load = last_load_;     // used with hazards only
  uint8_t last_result = last_result_; //

  const auto address_of = [&](const Decoded* at) { return base + 4 * static_cast<uint32_t>(at - code); };
  const auto save = [&] {
    pc_ = address_of(ip);
    cycle_ = cycle;
    retired_ = retired;
    last_load_ = last_load;
    last_result_ = last_result;
  };
  const auto division_cycles = [&](uint32_t divisor, bool is_signed) -> uint64_t {
    if (divisor == 0) return div_zero_extra;
    if (div_per_zero == 0) return 0;
    const uint32_t magnitude = is_signed && as_signed(divisor) < 0 ? 0u - divisor : divisor;
    return div_per_zero * static_cast<uint64_t>(__builtin_clz(magnitude));
  };
  // A store into decoded words makes them undecoded; checked a little too wide, for any size of access.
  const auto stored = [&](uint32_t offset, uint32_t bytes) {
    if (offset + 3 - code_low_ < code_high_ - code_low_ + 3) code_changed(offset, bytes);
  };

  for (;;) {
    const Decoded d = *ip;
    const auto imm = static_cast<uint32_t>(d.imm);
    const uint8_t before_load = last_load;
    const uint8_t before_result = last_result;
    if constexpr (kHazards) {
      if (d.rs1 == last_load || d.rs2 == last_load) {
        cycle += load_use;
      } else if (d.op == Op::kJalr && d.rs1 == last_result) {
        cycle += jump_register_use;
      }
      last_load = kSink;
      last_result = d.rd;
    }
    const uint64_t start = cycle;
    cycle += op_cycles[static_cast<uint8_t>(d.op)];
    switch (d.op) {
      case Op::kUndecoded:
        decode_at(static_cast<uint32_t>(ip - code));
        last_load = before_load;
        last_result = before_result;
        continue;

      case Op::kConstant:
        x[d.rd] = imm;
        break;
      case Op::kAddi:
        x[d.rd] = x[d.rs1] + imm;
        break;
      case Op::kSlti:
        x[d.rd] = as_signed(x[d.rs1]) < d.imm ? 1 : 0;
        break;
      case Op::kSltiu:
        x[d.rd] = x[d.rs1] < imm ? 1 : 0;
        break;
      case Op::kXori:
        x[d.rd] = x[d.rs1] ^ imm;
        break;
      case Op::kOri:
        x[d.rd] = x[d.rs1] | imm;
        break;
      case Op::kAndi:
        x[d.rd] = x[d.rs1] & imm;
        break;
      case Op::kSlli:
        x[d.rd] = x[d.rs1] << imm;
        break;
      case Op::kSrli:
        x[d.rd] = x[d.rs1] >> imm;
        break;
      case Op::kSrai:
        x[d.rd] = shift_right_arithmetic(x[d.rs1], imm);
        break;

      case Op::kAdd:
        x[d.rd] = x[d.rs1] + x[d.rs2];
        break;
      case Op::kSub:
        x[d.rd] = x[d.rs1] - x[d.rs2];
        break;
      case Op::kSll:
        x[d.rd] = x[d.rs1] << (x[d.rs2] & 31u);
        break;
      case Op::kSlt:
        x[d.rd] = as_signed(x[d.rs1]) < as_signed(x[d.rs2]) ? 1 : 0;
        break;
      case Op::kSltu:
        x[d.rd] = x[d.rs1] < x[d.rs2] ? 1 : 0;
        break;
      case Op::kXor:
        x[d.rd] = x[d.rs1] ^ x[d.rs2];
        break;
      case Op::kSrl:
        x[d.rd] = x[d.rs1] >> (x[d.rs2] & 31u);
        break;
      case Op::kSra:
        x[d.rd] = shift_right_arithmetic(x[d.rs1], x[d.rs2] & 31u);
        break;
      case Op::kOr:
        x[d.rd] = x[d.rs1] | x[d.rs2];
        break;
      case Op::kAnd:
        x[d.rd] = x[d.rs1] & x[d.rs2];
        break;

      case Op::kMul:
        x[d.rd] = x[d.rs1] * x[d.rs2];
        break;
      case Op::kMulh:
        x[d.rd] = high_product(as_signed(x[d.rs1]), as_signed(x[d.rs2]));
        break;
      case Op::kMulhsu:
        x[d.rd] = high_product(as_signed(x[d.rs1]), x[d.rs2]);
        break;
      case Op::kMulhu:
        x[d.rd] = static_cast<uint32_t>((uint64_t{x[d.rs1]} * x[d.rs2]) >> 32);
        break;
      case Op::kDiv:
        cycle += division_cycles(x[d.rs2], true);
        x[d.rd] = divide(x[d.rs1], x[d.rs2]);
        break;
      case Op::kDivu:
        cycle += division_cycles(x[d.rs2], false);
        x[d.rd] = x[d.rs2] == 0 ? 0xffffffffu : x[d.rs1] / x[d.rs2];
        break;
      case Op::kRem:
        cycle += division_cycles(x[d.rs2], true);
        x[d.rd] = remainder(x[d.rs1], x[d.rs2]);
        break;
      case Op::kRemu:
        cycle += division_cycles(x[d.rs2], false);
        x[d.rd] = x[d.rs2] == 0 ? x[d.rs1] : x[d.rs1] % x[d.rs2];
        break;

      case Op::kLb: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset >= size) goto slow;
        x[d.rd] = (uint32_t{memory[offset]} ^ 0x80u) - 0x80u; // sign extension
        last_load = d.rd;
        break;
      }
      case Op::kLbu: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset >= size) goto slow;
        x[d.rd] = memory[offset];
        last_load = d.rd;
        break;
      }
      case Op::kLh: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset > size - 2) goto slow;
        if (is_split(offset, 2)) cycle += load_split_extra;
        x[d.rd] = static_cast<uint32_t>(load_from<int16_t>(memory + offset));
        last_load = d.rd;
        break;
      }
      case Op::kLhu: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset > size - 2) goto slow;
        if (is_split(offset, 2)) cycle += load_split_extra;
        x[d.rd] = load_from<uint16_t>(memory + offset);
        last_load = d.rd;
        break;
      }
      case Op::kLw: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset > size - 4) goto slow;
        if (is_split(offset, 4)) cycle += load_split_extra;
        x[d.rd] = load_from<uint32_t>(memory + offset);
        last_load = d.rd;
        break;
      }
      case Op::kSb: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset >= size) goto slow;
        memory[offset] = static_cast<uint8_t>(x[d.rs2]);
        stored(offset, 1);
        break;
      }
      case Op::kSh: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset > size - 2) goto slow;
        if (is_split(offset, 2)) cycle += store_split_extra;
        const auto value = static_cast<uint16_t>(x[d.rs2]);
        std::memcpy(memory + offset, &value, sizeof value);
        stored(offset, 2);
        break;
      }
      case Op::kSw: {
        const uint32_t offset = x[d.rs1] + imm - base;
        if (offset > size - 4) goto slow;
        if (is_split(offset, 4)) cycle += store_split_extra;
        std::memcpy(memory + offset, &x[d.rs2], 4);
        stored(offset, 4);
        break;
      }

      case Op::kBeq:
        if (x[d.rs1] != x[d.rs2]) break;
        ip += d.imm;
        cycle += taken_extra;
        break;
      case Op::kBne:
        if (x[d.rs1] == x[d.rs2]) break;
        ip += d.imm;
        cycle += taken_extra;
        break;
      case Op::kBlt:
        if (as_signed(x[d.rs1]) >= as_signed(x[d.rs2])) break;
        ip += d.imm;
        cycle += taken_extra;
        break;
      case Op::kBge:
        if (as_signed(x[d.rs1]) < as_signed(x[d.rs2])) break;
        ip += d.imm;
        cycle += taken_extra;
        break;
      case Op::kBltu:
        if (x[d.rs1] >= x[d.rs2]) break;
        ip += d.imm;
        cycle += taken_extra;
        break;
      case Op::kBgeu:
        if (x[d.rs1] < x[d.rs2]) break;
        ip += d.imm;
        cycle += taken_extra;
        break;

      case Op::kJal:
        x[d.rd] = address_of(ip) + 4;
        ip += d.imm - 1;
        break;
      case Op::kJalr: {
        const uint32_t offset = ((x[d.rs1] + imm) & ~1u) - base;
        if ((offset & 3u) != 0 || offset >= size) goto slow; // the base is a multiple of 4
        x[d.rd] = address_of(ip) + 4;
        ip = code + offset / 4 - 1;
        break;
      }

      case Op::kStackAllocate: {
        const uint32_t sp = x[d.rd] + imm;
        if (sp < stack_limit_) goto slow;
        x[d.rd] = sp;
        break;
      }

      default:
      slow : {
        cycle = start;
        save();
        const Exit exit = execute_slow(d);
        if (exit != Exit::kContinue) return exit;
        ip = code + (pc_ - base) / 4;
        cycle = cycle_;
        retired = retired_;
        last_load = last_load_;
        last_result = last_result_;
        if (cycle >= until || stop_requested_) return Exit::kLimit;
        continue;
      }
    }
    ++ip;
    ++retired;
    if (cycle >= until) break;
  }
  save();
  return Exit::kLimit;
}

template Core::Exit Core::execute<false>(uint64_t until);
template Core::Exit Core::execute<true>(uint64_t until);

} // namespace dtrmc::cpu
