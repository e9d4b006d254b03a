// SPDX-License-Identifier: Apache-2.0
// The core's control and status registers.
#include "systemc/cpu/csr.h"

#include "systemc/cpu/core.h"

namespace dtrmc::cpu {
namespace {

bool within(uint32_t number, uint32_t first, uint32_t last) { return number >= first && number <= last; }

// Event counters exist, as the specification demands, and are hard-wired to 0.
bool is_event_counter(uint32_t number) {
  return within(number, csr::kMhpmevent3, csr::kMhpmevent31) ||
         within(number, csr::kMhpmcounter3, csr::kMhpmcounter31) ||
         within(number, csr::kMhpmcounter3h, csr::kMhpmcounter31h) ||
         within(number, csr::kHpmcounter3, csr::kHpmcounter31) ||
         within(number, csr::kHpmcounter3h, csr::kHpmcounter31h);
}

// Those that flush the pipeline where CycleClass::kCsrSerializing differs from kCsr (CV32E40P's list).
bool is_serializing(uint32_t number) {
  switch (number) {
    case csr::kMstatus:
    case csr::kMtvec:
    case csr::kMepc:
    case csr::kMcause:
    case csr::kMcountinhibit:
    case csr::kMcycle:
    case csr::kMcycleh:
    case csr::kMinstret:
    case csr::kMinstreth:
      return true;
    default:
      return is_event_counter(number);
  }
}

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
uint64_t with_low(uint64_t value, uint32_t word) { return (value & ~uint64_t{0xffffffffu}) | word; }
uint64_t with_high(uint64_t value, uint32_t word) { return (value & 0xffffffffu) | (uint64_t{word} << 32); }

} // namespace

const char* cause_text(uint32_t mcause) {
  if ((mcause & cause::kInterrupt) != 0) return "interrupt";
  switch (mcause) {
    case cause::kMisalignedFetch:
      return "jump to a misaligned address";
    case cause::kFetchFault:
      return "instruction fetch outside RAM";
    case cause::kIllegalInstruction:
      return "illegal instruction";
    case cause::kBreakpoint:
      return "breakpoint (EBREAK)";
    case cause::kLoadFault:
      return "load access fault";
    case cause::kStoreFault:
      return "store access fault";
    case cause::kEcallMachine:
      return "environment call (ECALL)";
    case cause::kStackOverflow:
      return "stack overflow";
    default:
      return "unknown cause";
  }
}

bool Core::csr_exists(uint32_t number) const {
  switch (number) {
    case csr::kMstatus:
    case csr::kMisa:
    case csr::kMie:
    case csr::kMtvec:
    case csr::kMstatush:
    case csr::kMcountinhibit:
    case csr::kMscratch:
    case csr::kMepc:
    case csr::kMcause:
    case csr::kMtval:
    case csr::kMip:
    case csr::kMcycle:
    case csr::kMcycleh:
    case csr::kMinstret:
    case csr::kMinstreth:
    case csr::kCycle:
    case csr::kCycleh:
    case csr::kTime:
    case csr::kTimeh:
    case csr::kInstret:
    case csr::kInstreth:
    case csr::kMvendorid:
    case csr::kMarchid:
    case csr::kMimpid:
    case csr::kMhartid:
    case csr::kMconfigptr:
    case DTRMC_CSR_ACTIVITY:
      return true;
    default:
      return is_event_counter(number);
  }
}

uint32_t Core::csr_value(uint32_t number) {
  switch (number) {
    case csr::kMstatus:
      return mstatus_ | mstatus::kMpp;
    case csr::kMisa:
      return (1u << 30) | (1u << ('i' - 'a')) | (1u << ('m' - 'a')); // MXL = 32 bit, I, M
    case csr::kMie:
      return mie_;
    case csr::kMtvec:
      return mtvec_;
    case csr::kMscratch:
      return mscratch_;
    case csr::kMepc:
      return mepc_;
    case csr::kMcause:
      return mcause_;
    case csr::kMtval:
      return mtval_;
    case csr::kMip:
      return environment_.interrupt_lines(cycle_) & kInterruptMask;
    case csr::kMcycle:
    case csr::kCycle:
      return low(cycle_ + mcycle_offset_);
    case csr::kMcycleh:
    case csr::kCycleh:
      return high(cycle_ + mcycle_offset_);
    case csr::kMinstret:
    case csr::kInstret:
      return low(retired_ + minstret_offset_);
    case csr::kMinstreth:
    case csr::kInstreth:
      return high(retired_ + minstret_offset_);
    // The platform's mtime counts controller clock cycles from reset, as cycle_ does; mcycle can be written.
    case csr::kTime:
      return low(cycle_);
    case csr::kTimeh:
      return high(cycle_);
    case DTRMC_CSR_ACTIVITY:
      return activity_;
    default:
      return 0; // identification registers and hard-wired zeros
  }
}

// `cycle_after` and `retired_after` are the counts after the writing instruction: a write of a counter replaces that
// instruction's own increment, so the next instruction reads the value written.
bool Core::csr_store(uint32_t number, uint32_t value, uint64_t cycle_after, uint64_t retired_after) {
  switch (number) {
    case csr::kMstatus:
      mstatus_ = value & (mstatus::kMie | mstatus::kMpie);
      return true;
    case csr::kMie:
      mie_ = value & kInterruptMask;
      return true;
    case csr::kMtvec:
      mtvec_ = value & ~2u;
      return true; // modes: 0 direct, 1 vectored
    case csr::kMscratch:
      mscratch_ = value;
      return true;
    case csr::kMepc:
      mepc_ = value & ~3u;
      return true;
    case csr::kMcause:
      mcause_ = value;
      return true;
    case csr::kMtval:
      mtval_ = value;
      return true;
    case csr::kMcycle:
      mcycle_offset_ = with_low(cycle_ + mcycle_offset_, value) - cycle_after;
      return true;
    case csr::kMcycleh:
      mcycle_offset_ = with_high(cycle_ + mcycle_offset_, value) - cycle_after;
      return true;
    case csr::kMinstret:
      minstret_offset_ = with_low(retired_ + minstret_offset_, value) - retired_after;
      return true;
    case csr::kMinstreth:
      minstret_offset_ = with_high(retired_ + minstret_offset_, value) - retired_after;
      return true;
    case DTRMC_CSR_ACTIVITY:
      if ((value & 0xfu) >= DTRMC_ACTIVITY_COUNT) return false; // there is nothing to charge the cycles to
      set_activity(value & (0xfu | DTRMC_IN_DECISION));
      return true;
    default:
      return true; // mip, misa and the hard-wired zeros ignore writes
  }
}

void Core::set_activity(uint32_t value) {
  const uint32_t old = activity_;
  activity_cycles_[old & 0xfu] += cycle_ - activity_since_;
  activity_since_ = cycle_;
  activity_ = value;
  if (observer_) observer_(old, value, cycle_);
}

std::array<uint64_t, DTRMC_ACTIVITY_COUNT> Core::activity_cycles() const {
  auto cycles = activity_cycles_;
  cycles[activity_ & 0xfu] += cycle_ - activity_since_;
  return cycles;
}

Core::Exit Core::execute_csr(const Decoded& d) {
  const CsrFields fields = csr_fields(d.imm);
  const bool immediate = (fields.funct3 & 4u) != 0;
  const uint32_t operation = fields.funct3 & 3u; // 1 write, 2 set, 3 clear
  const uint32_t operand = immediate ? fields.immediate : x_[d.rs1];
  // What is zero in the encoding, not the register's value, decides whether anything is written.
  const bool writes = operation == 1 || (immediate ? fields.immediate != 0 : d.rs1 != 0);
  const bool reads = operation != 1 || d.rd != kSink;
  const bool read_only = (fields.csr >> 10) == 3;
  if (!csr_exists(fields.csr) || (writes && read_only)) return trap(cause::kIllegalInstruction, ram_word(pc_));

  uint32_t cost = cycles(is_serializing(fields.csr) ? CycleClass::kCsrSerializing : CycleClass::kCsr);
  const bool flushes = writes && operation != 3 && (fields.csr == csr::kMstatus || fields.csr == csr::kMie);
  if (flushes) cost += cycles(CycleClass::kCsrInterruptFlush);
  const uint32_t old = reads ? csr_value(fields.csr) : 0;
  if (writes) {
    const uint32_t value = operation == 1 ? operand : operation == 2 ? old | operand : old & ~operand;
    if (!csr_store(fields.csr, value, cycle_ + cost, retired_ + 1)) {
      return trap(cause::kIllegalInstruction, ram_word(pc_));
    }
  }
  x_[d.rd] = old;
  last_result_ = d.rd;
  retire(cost);
  if (flushes) flushed_at_ = cycle_;
  const bool enables = writes && (fields.csr == csr::kMstatus || fields.csr == csr::kMie);
  return enables && interruptible() ? Exit::kBoundAnew : Exit::kContinue;
}

std::optional<uint32_t> Core::read_csr(uint32_t number) {
  if (!csr_exists(number)) return std::nullopt;
  return csr_value(number);
}

bool Core::write_csr(uint32_t number, uint32_t value) {
  const bool read_only = (number >> 10) == 3;
  return csr_exists(number) && !read_only && csr_store(number, value, cycle_, retired_);
}

} // namespace dtrmc::cpu
