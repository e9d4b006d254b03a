// SPDX-License-Identifier: Apache-2.0
// The interpreter's loop over blocks: cycles and instructions of everything up to the end of a block are added when it
// is entered, and taken back where it is left earlier (a branch that is taken, an access outside RAM, a store into
// code). Nothing is counted and no limit looked at in between. Blocks are entered only where they end before the
// limit whatever happens in them; execute() does the rest, one instruction at a time.
//
// Frequent pairs of instructions are carried out as one (fused()).
#include <algorithm>
#include <cstring>

#include "systemc/cpu/arithmetic.h"
#include "systemc/cpu/core.h"

// Each instruction jumps to the next one's code by itself, which branch predictors like better than one common switch.
// Labels as values are an extension of GCC and Clang.
#pragma GCC diagnostic ignored "-Wpedantic"

namespace dtrmc::cpu {

namespace {

constexpr uint32_t kLongestBlock = 4096; // instructions

bool ends_block(Op op) { return op == Op::kJal || op == Op::kJalr || op >= Op::kFirstSlow; }

// Labels behind those of Op, in the order of the table in execute_blocks().
enum Fused : std::size_t {
  kLwLw = static_cast<std::size_t>(Op::kCount),
  kSwSw,
  kLwAddi,
  kLwSub,
  kSubAddi,
  kSubSub,
  kAddiAddi,
  kAddiLw,
  kAddiSw,
  kSwAddi,
  kAddiMulhu,
  kMulhuLw,
  kSwLw,
  kLwBeq,
  kLwBne,
  kLwBlt,
  kLwBltu,
  kLwBgeu,
  kAddiBeq,
  kAddiBne,
  kAddiBlt,
  kAddiBltu,
  kSrlBltu,
  kOrBeq,
  kAddLw,
  kAddiBgeu,
  kBeqLw,
  kBneLw,
  kAddiJal,
  kAddiJalr,
  kSlliAdd,
  kLwSw,
  kBeqLbu,
  kLbuBeq,
  kBeqAddi,
  kSrliAddi,
  kSrliAndi,
  kLwOr,
  kAddiAdd,
  kLabels
};

struct Pair {
  Op first, second;
  Fused label;
};
constexpr Pair kPairs[] = {
    {Op::kLw, Op::kLw, kLwLw},         {Op::kSw, Op::kSw, kSwSw},           {Op::kLw, Op::kAddi, kLwAddi},
    {Op::kLw, Op::kSub, kLwSub},       {Op::kSub, Op::kAddi, kSubAddi},     {Op::kSub, Op::kSub, kSubSub},
    {Op::kAddi, Op::kAddi, kAddiAddi}, {Op::kAddi, Op::kLw, kAddiLw},       {Op::kAddi, Op::kSw, kAddiSw},
    {Op::kSw, Op::kAddi, kSwAddi},     {Op::kAddi, Op::kMulhu, kAddiMulhu}, {Op::kMulhu, Op::kLw, kMulhuLw},
    {Op::kSw, Op::kLw, kSwLw},         {Op::kLw, Op::kBeq, kLwBeq},         {Op::kLw, Op::kBne, kLwBne},
    {Op::kLw, Op::kBlt, kLwBlt},       {Op::kLw, Op::kBltu, kLwBltu},       {Op::kLw, Op::kBgeu, kLwBgeu},
    {Op::kAddi, Op::kBeq, kAddiBeq},   {Op::kAddi, Op::kBne, kAddiBne},     {Op::kAddi, Op::kBlt, kAddiBlt},
    {Op::kAddi, Op::kBltu, kAddiBltu}, {Op::kSrl, Op::kBltu, kSrlBltu},     {Op::kOr, Op::kBeq, kOrBeq},
    {Op::kAdd, Op::kLw, kAddLw},       {Op::kAddi, Op::kBgeu, kAddiBgeu},   {Op::kBeq, Op::kLw, kBeqLw},
    {Op::kBne, Op::kLw, kBneLw},       {Op::kAddi, Op::kJal, kAddiJal},     {Op::kAddi, Op::kJalr, kAddiJalr},
    {Op::kSlli, Op::kAdd, kSlliAdd},   {Op::kLw, Op::kSw, kLwSw},           {Op::kBeq, Op::kLbu, kBeqLbu},
    {Op::kLbu, Op::kBeq, kLbuBeq},     {Op::kBeq, Op::kAddi, kBeqAddi},     {Op::kSrli, Op::kAddi, kSrliAddi},
    {Op::kSrli, Op::kAndi, kSrliAndi}, {Op::kLw, Op::kOr, kLwOr},           {Op::kAddi, Op::kAdd, kAddiAdd}};

std::size_t fused(Op first, Op second) {
  for (const Pair& pair : kPairs) {
    if (pair.first == first && pair.second == second) return pair.label;
  }
  return static_cast<std::size_t>(first);
}

} // namespace

// Cycles that `d` waits for a register of `before`.
uint32_t Core::wait_behind(const Decoded& before, const Decoded& d) const {
  const bool loads = before.op >= Op::kLb && before.op <= Op::kLhu;
  if (loads) return d.rs1 == before.rd || d.rs2 == before.rd ? cycles(CycleClass::kLoadUse) : 0;
  return d.op == Op::kJalr && d.rs1 == before.rd ? cycles(CycleClass::kJumpRegisterUse) : 0;
}

// Fills in the sums, and where each instruction is carried out, from `index` to the end of its block.
template <bool kHazards>
void Core::add_up_block(uint32_t index, const void* const* labels) {
  uint32_t end = index; // the first instruction whose sum is known, or that ends the block
  for (;; ++end) {
    if (sums_[end].longest != 0) break;
    if (code_[end].op == Op::kUndecoded) decode_at(end);
    if (ends_block(code_[end].op)) break;
    if (end - index == kLongestBlock) {
      sums_[index] = {0, 0, kNotInBlock, 0};
      return;
    }
  }
  // The wait for a register of whatever comes before the block, and the one that tells a known sum.
  const uint32_t margin =
      1 + (kHazards ? std::max(cycles(CycleClass::kLoadUse), cycles(CycleClass::kJumpRegisterUse)) : 0);
  if (sums_[end].longest == 0) {
    const auto op = static_cast<uint8_t>(code_[end].op);
    const bool counts = code_[end].op < Op::kFirstSlow; // the others count for themselves
    sums_[end] = {op_cycles_[op], counts ? 1u : 0u, op_cycles_[op] + margin, 0};
    code_[end].block_code = labels[op];
  }
  for (uint32_t i = end; i-- > index;) {
    Decoded& d = code_[i];
    const Decoded& next = code_[i + 1];
    const BlockSum& rest = sums_[i + 1];
    const auto op = static_cast<uint8_t>(d.op);
    if (rest.longest == kNotInBlock || rest.instructions >= kLongestBlock) {
      sums_[i].longest = kNotInBlock;
      continue;
    }
    const uint32_t wait = kHazards ? wait_behind(d, next) : 0;
    sums_[i] = {op_cycles_[op] + wait + rest.cycles, 1 + rest.instructions,
                op_cycles_[op] + op_slack_[op] + wait + rest.longest, 0};
    d.block_code = labels[fused(d.op, next.op)];
  }
}

template <bool kHazards>
Core::Exit Core::execute_blocks(uint64_t until) {
  static const void* const labels[] = {&&undecoded,  &&constant,
                                       &&addi,       &&slti,
                                       &&sltiu,      &&xori,
                                       &&ori,        &&andi,
                                       &&slli,       &&srli,
                                       &&srai,       &&add,
                                       &&sub,        &&sll,
                                       &&slt,        &&sltu,
                                       &&xor_,       &&srl,
                                       &&sra,        &&or_,
                                       &&and_,       &&mul,
                                       &&mulh,       &&mulhsu,
                                       &&mulhu,      &&div,
                                       &&divu,       &&rem,
                                       &&remu,       &&lb,
                                       &&lh,         &&lw,
                                       &&lbu,        &&lhu,
                                       &&sb,         &&sh,
                                       &&sw,         &&beq,
                                       &&bne,        &&blt,
                                       &&bge,        &&bltu,
                                       &&bgeu,       &&jal,
                                       &&jalr,       &&stack_allocate,
                                       &&slow,       &&slow,
                                       &&slow,       &&slow,
                                       &&slow,       &&slow,
                                       &&slow,       &&slow,
                                       &&slow,       &&slow,
                                       &&slow,       &&slow,
                                       &&lw_lw,      &&sw_sw,
                                       &&lw_addi,    &&lw_sub,
                                       &&sub_addi,   &&sub_sub,
                                       &&addi_addi,  &&addi_lw,
                                       &&addi_sw,    &&sw_addi,
                                       &&addi_mulhu, &&mulhu_lw,
                                       &&sw_lw,      &&lw_beq,
                                       &&lw_bne,     &&lw_blt,
                                       &&lw_bltu,    &&lw_bgeu,
                                       &&addi_beq,   &&addi_bne,
                                       &&addi_blt,   &&addi_bltu,
                                       &&srl_bltu,   &&or_beq,
                                       &&add_lw,     &&addi_bgeu,
                                       &&beq_lw,     &&bne_lw,
                                       &&addi_jal,   &&addi_jalr,
                                       &&slli_add,   &&lw_sw,
                                       &&beq_lbu,    &&lbu_beq,
                                       &&beq_addi,   &&srli_addi,
                                       &&srli_andi,  &&lw_or,
                                       &&addi_add};
  static_assert(sizeof labels / sizeof labels[0] == kLabels, "a label for every Op and every pair");
  static_assert(Op::kConstant == static_cast<Op>(1) && Op::kMul == static_cast<Op>(21) &&
                    Op::kLb == static_cast<Op>(29) && Op::kBeq == static_cast<Op>(37) &&
                    Op::kStackAllocate == static_cast<Op>(45) && Op::kFirstSlow == static_cast<Op>(46),
                "labels in the order of Op");

  Decoded* const code = code_.get();
  uint32_t* const x = x_.data();
  uint8_t* const memory = ram_.data;
  const uint32_t base = ram_.base;
  const uint32_t size = ram_.size;
  const uint32_t words = size / 4;
  static_assert(sizeof(BlockSum) == sizeof(Decoded), "sum_of() relies on it");
  const auto sums = reinterpret_cast<const char*>(sums_.get()) - reinterpret_cast<const char*>(code);
  const auto sum_of = [sums](const Decoded* at) -> const BlockSum& {
    return *reinterpret_cast<const BlockSum*>(reinterpret_cast<const char*>(at) + sums);
  };
  const auto address_of = [&](const Decoded* at) { return base + 4 * static_cast<uint32_t>(at - code); };
  const uint32_t taken_cycles = cycles(CycleClass::kBranchTaken);
  const auto load_split_extra = [this] {
    return uint64_t{cycles(CycleClass::kLoadSplit)} - cycles(CycleClass::kLoad) + ram_.wait_states;
  };
  const auto store_split_extra = [this] {
    return uint64_t{cycles(CycleClass::kStoreSplit)} - cycles(CycleClass::kStore) + ram_.wait_states;
  };
  const auto division_extra = [this](uint32_t divisor, bool is_signed) -> uint64_t {
    if (divisor == 0) return uint64_t{cycles(CycleClass::kDivByZero)} - cycles(CycleClass::kDiv);
    const uint32_t magnitude = is_signed && as_signed(divisor) < 0 ? 0u - divisor : divisor;
    return uint64_t{cycles(CycleClass::kDivPerLeadingZero)} * static_cast<uint64_t>(__builtin_clz(magnitude));
  };

  const Decoded* ip = code + (pc_ - base) / 4;
  uint64_t left = until - cycle_; // cycles up to the limit
  uint64_t retired = retired_;
  // RAM above all decoded words, where a store cannot hit code; in words.
  uint32_t plain_base = 0;
  uint32_t plain_words = 0;
  const auto look_at_code = [&] {
    plain_base = base + code_high_;
    plain_words = words - code_high_ / 4;
  };
  look_at_code();
  const auto save = [&] {
    pc_ = address_of(ip);
    cycle_ = until - left;
    retired_ = retired;
  };

#define GO() goto * ip->block_code
#define NEXT(n) \
  do {          \
    ip += (n);  \
    GO();       \
  } while (false)
#define IMM(p) static_cast<uint32_t>((p)->imm)
#define RD(p) x[(p)->rd]
#define RS1(p) x[(p)->rs1]
#define RS2(p) x[(p)->rs2]
// Word number of an offset; a misaligned one becomes larger than any.
#define TURNED(offset) ((offset) >> 2 | (offset) << 30)

// One instruction at p. Those that cannot go on as usual make p the current one and leave the fast path.
#define DO_ADDI(p) RD(p) = RS1(p) + IMM(p)
#define DO_ADD(p) RD(p) = RS1(p) + RS2(p)
#define DO_SLLI(p) RD(p) = RS1(p) << IMM(p)
#define DO_SRLI(p) RD(p) = RS1(p) >> IMM(p)
#define DO_ANDI(p) RD(p) = RS1(p) & IMM(p)
#define DO_SUB(p) RD(p) = RS1(p) - RS2(p)
#define DO_SRL(p) RD(p) = RS1(p) >> (RS2(p) & 31u)
#define DO_OR(p) RD(p) = RS1(p) | RS2(p)
#define DO_MULHU(p) RD(p) = static_cast<uint32_t>((uint64_t{RS1(p)} * RS2(p)) >> 32)
#define DO_LW(p)                                        \
  do {                                                  \
    const uint32_t offset = RS1(p) + IMM(p) - base;     \
    if (__builtin_expect(TURNED(offset) >= words, 0)) { \
      ip = (p);                                         \
      goto unusual_lw;                                  \
    }                                                   \
    RD(p) = load_from<uint32_t>(memory + offset);       \
  } while (false)
#define DO_SW(p)                                                  \
  do {                                                            \
    const uint32_t address = RS1(p) + IMM(p);                     \
    const uint32_t above = address - plain_base;                  \
    if (__builtin_expect(TURNED(above) >= plain_words, 0)) {      \
      ip = (p);                                                   \
      goto unusual_sw;                                            \
    }                                                             \
    const uint32_t value = RS2(p);                                \
    std::memcpy(memory + (address - base), &value, sizeof value); \
  } while (false)
// Where a branch is taken, the rest of the block is taken back.
#define DO_BRANCH(p, condition)        \
  do {                                 \
    if (condition) {                   \
      const BlockSum& sum = sum_of(p); \
      left += sum.cycles;              \
      left -= taken_cycles;            \
      retired -= sum.instructions - 1; \
      ip = (p) + (p)->imm + 1;         \
      goto enter;                      \
    }                                  \
  } while (false)
#define DO_LBU(p)                                   \
  do {                                              \
    const uint32_t offset = RS1(p) + IMM(p) - base; \
    if (__builtin_expect(offset >= size, 0)) {      \
      ip = (p);                                     \
      goto slow;                                    \
    }                                               \
    RD(p) = memory[offset];                         \
  } while (false)
#define DO_JAL(p)                                   \
  do {                                              \
    RD(p) = address_of(p) + 4;                      \
    if constexpr (kHazards) last_result_ = (p)->rd; \
    ip = (p) + (p)->imm;                            \
    goto enter;                                     \
  } while (false)
#define DO_JALR(p)                                                   \
  do {                                                               \
    const uint32_t offset = ((RS1(p) + IMM(p)) & ~1u) - base;        \
    if (TURNED(offset) >= words) { /* the base is a multiple of 4 */ \
      ip = (p);                                                      \
      goto slow;                                                     \
    }                                                                \
    RD(p) = address_of(p) + 4;                                       \
    if constexpr (kHazards) last_result_ = (p)->rd;                  \
    ip = code + offset / 4;                                          \
    goto enter;                                                      \
  } while (false)
#define DO_BEQ(p) DO_BRANCH(p, RS1(p) == RS2(p))
#define DO_BNE(p) DO_BRANCH(p, RS1(p) != RS2(p))
#define DO_BLT(p) DO_BRANCH(p, as_signed(RS1(p)) < as_signed(RS2(p)))
#define DO_BGE(p) DO_BRANCH(p, as_signed(RS1(p)) >= as_signed(RS2(p)))
#define DO_BLTU(p) DO_BRANCH(p, RS1(p) < RS2(p))
#define DO_BGEU(p) DO_BRANCH(p, RS1(p) >= RS2(p))

#define SINGLE(label, DO) \
  label:                  \
  DO(ip);                 \
  NEXT(1);
#define PAIR(label, FIRST, SECOND) \
  label:                           \
  FIRST(ip);                       \
  SECOND(ip + 1);                  \
  NEXT(2);
#define OPERATION(label, value) \
  label:                        \
  RD(ip) = (value);             \
  NEXT(1);
#define NARROW_LOAD(label, type)                                      \
  label : {                                                           \
    const uint32_t offset = RS1(ip) + IMM(ip) - base;                 \
    if (offset > size - sizeof(type)) goto slow;                      \
    if (is_split(offset, sizeof(type))) left -= load_split_extra();   \
    RD(ip) = static_cast<uint32_t>(load_from<type>(memory + offset)); \
  }                                                                   \
  NEXT(1);
#define STORE(label, type)                                           \
  label : {                                                          \
    const uint32_t offset = RS1(ip) + IMM(ip) - base;                \
    if (offset > size - sizeof(type)) goto slow;                     \
    if (is_split(offset, sizeof(type))) left -= store_split_extra(); \
    const auto value = static_cast<type>(RS2(ip));                   \
    std::memcpy(memory + offset, &value, sizeof value);              \
    if (offset + 3 - code_low_ < code_high_ - code_low_ + 3) {       \
      stored_offset = offset;                                        \
      stored_bytes = sizeof(type);                                   \
      goto stored_near_code;                                         \
    }                                                                \
  }                                                                  \
  NEXT(1);

  uint32_t stored_offset = 0;
  uint32_t stored_bytes = 0;

enter : {
  const BlockSum& sum = sum_of(ip);
  if (__builtin_expect(uint64_t{sum.longest} - 1 >= left, 0)) goto unknown_or_limit;
  if constexpr (kHazards) {
    // What the instruction before may have left, which add_up_block could not see.
    if (ip->rs1 == last_load_ || ip->rs2 == last_load_) {
      left -= cycles(CycleClass::kLoadUse);
    } else if (ip->op == Op::kJalr && ip->rs1 == last_result_) {
      left -= cycles(CycleClass::kJumpRegisterUse);
    }
    last_load_ = last_result_ = kSink;
  }
  left -= sum.cycles;
  retired += sum.instructions;
  GO();
}

unknown_or_limit:
  if (left != 0 && left <= until && sum_of(ip).longest == 0) {
    add_up_block<kHazards>(static_cast<uint32_t>(ip - code), labels);
    look_at_code();
    goto enter;
  }
  save();
  return cycle_ >= until ? Exit::kLimit : execute<kHazards>(until);

undecoded: // a block is decoded as a whole
  goto enter;

  OPERATION(constant, IMM(ip))
  SINGLE(addi, DO_ADDI)
  OPERATION(slti, as_signed(RS1(ip)) < ip->imm ? 1 : 0)
  OPERATION(sltiu, RS1(ip) < IMM(ip) ? 1 : 0)
  OPERATION(xori, RS1(ip) ^ IMM(ip))
  OPERATION(ori, RS1(ip) | IMM(ip))
  SINGLE(andi, DO_ANDI)
  SINGLE(slli, DO_SLLI)
  SINGLE(srli, DO_SRLI)
  OPERATION(srai, shift_right_arithmetic(RS1(ip), IMM(ip)))
  SINGLE(add, DO_ADD)
  SINGLE(sub, DO_SUB)
  OPERATION(sll, RS1(ip) << (RS2(ip) & 31u))
  OPERATION(slt, as_signed(RS1(ip)) < as_signed(RS2(ip)) ? 1 : 0)
  OPERATION(sltu, RS1(ip) < RS2(ip) ? 1 : 0)
  OPERATION(xor_, RS1(ip) ^ RS2(ip))
  SINGLE(srl, DO_SRL)
  OPERATION(sra, shift_right_arithmetic(RS1(ip), RS2(ip) & 31u))
  SINGLE(or_, DO_OR)
  OPERATION(and_, RS1(ip) & RS2(ip))
  OPERATION(mul, RS1(ip) * RS2(ip))
  OPERATION(mulh, high_product(as_signed(RS1(ip)), as_signed(RS2(ip))))
  OPERATION(mulhsu, high_product(as_signed(RS1(ip)), RS2(ip)))
  SINGLE(mulhu, DO_MULHU)
div:
  left -= division_extra(RS2(ip), true);
  RD(ip) = divide(RS1(ip), RS2(ip));
  NEXT(1);
divu:
  left -= division_extra(RS2(ip), false);
  RD(ip) = RS2(ip) == 0 ? 0xffffffffu : RS1(ip) / RS2(ip);
  NEXT(1);
rem:
  left -= division_extra(RS2(ip), true);
  RD(ip) = remainder(RS1(ip), RS2(ip));
  NEXT(1);
remu:
  left -= division_extra(RS2(ip), false);
  RD(ip) = RS2(ip) == 0 ? RS1(ip) : RS1(ip) % RS2(ip);
  NEXT(1);

  NARROW_LOAD(lb, int8_t)
  SINGLE(lbu, DO_LBU)
  NARROW_LOAD(lh, int16_t)
  NARROW_LOAD(lhu, uint16_t)
  SINGLE(lw, DO_LW)
  NARROW_LOAD(unusual_lw, uint32_t)
  STORE(sb, uint8_t)
  STORE(sh, uint16_t)
  SINGLE(sw, DO_SW)
  STORE(unusual_sw, uint32_t)

  SINGLE(beq, DO_BEQ)
  SINGLE(bne, DO_BNE)
  SINGLE(blt, DO_BLT)
  SINGLE(bge, DO_BGE)
  SINGLE(bltu, DO_BLTU)
  SINGLE(bgeu, DO_BGEU)

  PAIR(lw_lw, DO_LW, DO_LW)
  PAIR(sw_sw, DO_SW, DO_SW)
  PAIR(lw_addi, DO_LW, DO_ADDI)
  PAIR(lw_sub, DO_LW, DO_SUB)
  PAIR(sub_addi, DO_SUB, DO_ADDI)
  PAIR(sub_sub, DO_SUB, DO_SUB)
  PAIR(addi_addi, DO_ADDI, DO_ADDI)
  PAIR(addi_lw, DO_ADDI, DO_LW)
  PAIR(addi_sw, DO_ADDI, DO_SW)
  PAIR(sw_addi, DO_SW, DO_ADDI)
  PAIR(addi_mulhu, DO_ADDI, DO_MULHU)
  PAIR(mulhu_lw, DO_MULHU, DO_LW)
  PAIR(sw_lw, DO_SW, DO_LW)
  PAIR(lw_beq, DO_LW, DO_BEQ)
  PAIR(lw_bne, DO_LW, DO_BNE)
  PAIR(lw_blt, DO_LW, DO_BLT)
  PAIR(lw_bltu, DO_LW, DO_BLTU)
  PAIR(lw_bgeu, DO_LW, DO_BGEU)
  PAIR(addi_beq, DO_ADDI, DO_BEQ)
  PAIR(addi_bne, DO_ADDI, DO_BNE)
  PAIR(addi_blt, DO_ADDI, DO_BLT)
  PAIR(addi_bltu, DO_ADDI, DO_BLTU)
  PAIR(srl_bltu, DO_SRL, DO_BLTU)
  PAIR(or_beq, DO_OR, DO_BEQ)
  PAIR(add_lw, DO_ADD, DO_LW)
  PAIR(addi_bgeu, DO_ADDI, DO_BGEU)
  PAIR(beq_lw, DO_BEQ, DO_LW)
  PAIR(bne_lw, DO_BNE, DO_LW)
  PAIR(addi_jal, DO_ADDI, DO_JAL)
  PAIR(addi_jalr, DO_ADDI, DO_JALR)
  PAIR(slli_add, DO_SLLI, DO_ADD)
  PAIR(lw_sw, DO_LW, DO_SW)
  PAIR(beq_lbu, DO_BEQ, DO_LBU)
  PAIR(lbu_beq, DO_LBU, DO_BEQ)
  PAIR(beq_addi, DO_BEQ, DO_ADDI)
  PAIR(srli_addi, DO_SRLI, DO_ADDI)
  PAIR(srli_andi, DO_SRLI, DO_ANDI)
  PAIR(lw_or, DO_LW, DO_OR)
  PAIR(addi_add, DO_ADDI, DO_ADD)

jal:
  DO_JAL(ip);
jalr:
  DO_JALR(ip);

stack_allocate : {
  const uint32_t sp = RD(ip) + IMM(ip);
  if (sp < stack_limit_) goto slow;
  RD(ip) = sp;
  NEXT(1);
}

stored_near_code : {
  const BlockSum sum = sum_of(ip);
  if (!code_changed(stored_offset, stored_bytes)) NEXT(1);
  // The rest of the block may be another one now.
  left += sum.cycles - op_cycles_[static_cast<uint8_t>(ip->op)];
  retired -= sum.instructions - 1;
  if constexpr (kHazards) last_result_ = ip->rd;
  ++ip;
  goto enter;
}

slow : {
  const Decoded d = *ip;
  const BlockSum& sum = sum_of(ip);
  left += sum.cycles; // the start of this instruction, after what it waited for
  retired -= sum.instructions;
  save();
  if constexpr (kHazards) {
    last_load_ = kSink;
    last_result_ = d.rd;
  }
  const Exit exit = execute_slow(d);
  if (exit != Exit::kContinue) return exit;
  if (cycle_ >= until || stop_requested_) return Exit::kLimit;
  ip = code + (pc_ - base) / 4;
  left = until - cycle_;
  retired = retired_;
  look_at_code();
  goto enter;
}

#undef GO
#undef NEXT
#undef IMM
#undef RD
#undef RS1
#undef RS2
#undef TURNED
#undef DO_ADDI
#undef DO_SUB
#undef DO_ADD
#undef DO_SLLI
#undef DO_SRLI
#undef DO_ANDI
#undef DO_LBU
#undef DO_JAL
#undef DO_JALR
#undef DO_SRL
#undef DO_OR
#undef DO_MULHU
#undef DO_LW
#undef DO_SW
#undef DO_BRANCH
#undef DO_BEQ
#undef DO_BNE
#undef DO_BLT
#undef DO_BGE
#undef DO_BLTU
#undef DO_BGEU
#undef SINGLE
#undef PAIR
#undef OPERATION
#undef NARROW_LOAD
#undef STORE
}

template Core::Exit Core::execute_blocks<false>(uint64_t until);
template Core::Exit Core::execute_blocks<true>(uint64_t until);

} // namespace dtrmc::cpu
