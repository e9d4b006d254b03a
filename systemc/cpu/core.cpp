// SPDX-License-Identifier: Apache-2.0
// Time, traps, interrupts and the instructions that are not in the fast loop (execute.cpp).
#include "systemc/cpu/core.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace dtrmc::cpu {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "RAM is accessed in place: the host must be little-endian");

namespace {

constexpr uint8_t kStackPointer = 2; // x2, by the calling convention

} // namespace

std::string fault_text(uint32_t pc, uint32_t mcause, uint32_t value) {
  char text[128];
  if ((mcause & cause::kInterrupt) != 0) {
    std::snprintf(text, sizeof text, "interrupt %u at pc 0x%08x", mcause & ~cause::kInterrupt, pc);
  } else if (mcause == cause::kIllegalInstruction) {
    std::snprintf(text, sizeof text, "illegal instruction 0x%08x at pc 0x%08x", value, pc);
  } else if (mcause == cause::kBreakpoint || mcause == cause::kEcallMachine) {
    std::snprintf(text, sizeof text, "%s at pc 0x%08x", cause_text(mcause), pc);
  } else {
    const bool access = mcause == cause::kLoadFault || mcause == cause::kStoreFault;
    const char* const note = access && (value & 3u) != 0 ? " (misaligned for a word)" : "";
    std::snprintf(text, sizeof text, "%s, address 0x%08x%s, at pc 0x%08x", cause_text(mcause), value, note, pc);
  }
  return text;
}

void Core::FreeDeleter::operator()(void* memory) const { std::free(memory); }

Core::Core(const TimingProfile& profile, const RamView& ram, Environment& environment)
    : ram_(ram), profile_(profile), environment_(environment) {
  if (ram.data == nullptr || ram.size == 0) throw std::invalid_argument("CPU core: RAM is empty");
  if ((ram.base & 3u) != 0 || (ram.size & 3u) != 0) {
    throw std::invalid_argument("CPU core: RAM base and size must be multiples of 4 bytes");
  }
  if (ram.size > 0x80000000u) throw std::invalid_argument("CPU core: RAM is larger than 2 GiB");
  if (uint64_t{ram.base} + ram.size > (uint64_t{1} << 32)) {
    throw std::invalid_argument("CPU core: RAM reaches beyond the 32-bit address space");
  }
  // calloc: the operating system hands out zero pages only where code is executed, and zero is Op::kUndecoded.
  const std::size_t words = ram.size / 4;
  code_.reset(static_cast<Decoded*>(std::calloc(words + 1, sizeof(Decoded))));
  sums_.reset(static_cast<BlockSum*>(std::calloc(words + 1, sizeof(BlockSum))));
  if (!code_ || !sums_) throw std::bad_alloc();
  code_[words].op = Op::kPastEnd;

  tabulate();
  hazards_ = cycles(CycleClass::kLoadUse) != 0 || cycles(CycleClass::kJumpRegisterUse) != 0;
  reset(ram.base);
}

void Core::tabulate() {
  for (std::size_t op = 0; op < op_cycles_.size(); ++op) {
    op_cycles_[op] = op_cycles(static_cast<Op>(op));
    op_slack_[op] = op_slack(static_cast<Op>(op));
  }
}

// What the fast loop adds before it looks at operands: the cheaper or usual case of each instruction.
uint32_t Core::op_cycles(Op op) const {
  switch (op) {
    case Op::kMul:
      return cycles(CycleClass::kMul);
    case Op::kMulh:
    case Op::kMulhsu:
    case Op::kMulhu:
      return cycles(CycleClass::kMulh);
    case Op::kDiv:
    case Op::kDivu:
    case Op::kRem:
    case Op::kRemu:
      return cycles(CycleClass::kDiv);
    case Op::kLb:
    case Op::kLh:
    case Op::kLw:
    case Op::kLbu:
    case Op::kLhu:
      return cycles(CycleClass::kLoad) + ram_.wait_states;
    case Op::kSb:
    case Op::kSh:
    case Op::kSw:
      return cycles(CycleClass::kStore) + ram_.wait_states;
    case Op::kBeq:
    case Op::kBne:
    case Op::kBlt:
    case Op::kBge:
    case Op::kBltu:
    case Op::kBgeu:
      return cycles(CycleClass::kBranchNotTaken);
    case Op::kJal:
      return cycles(CycleClass::kJal);
    case Op::kJalr:
      return cycles(CycleClass::kJalr);
    case Op::kUndecoded:
      return 0;
    default:
      return op < Op::kFirstSlow ? cycles(CycleClass::kAlu) : 0; // slow ones count for themselves
  }
}

// By how much an instruction may exceed op_cycles, without the wait for a register.
uint32_t Core::op_slack(Op op) const {
  const auto beyond = [this](CycleClass worst, CycleClass usual, uint32_t more) {
    const uint32_t longest = cycles(worst) + more;
    return longest > cycles(usual) ? longest - cycles(usual) : 0;
  };
  switch (op) {
    case Op::kLh:
    case Op::kLhu:
    case Op::kLw:
      return beyond(CycleClass::kLoadSplit, CycleClass::kLoad, ram_.wait_states);
    case Op::kSh:
    case Op::kSw:
      return beyond(CycleClass::kStoreSplit, CycleClass::kStore, ram_.wait_states);
    case Op::kDiv:
    case Op::kDivu:
    case Op::kRem:
    case Op::kRemu:
      return std::max(beyond(CycleClass::kDivByZero, CycleClass::kDiv, 0), 31 * cycles(CycleClass::kDivPerLeadingZero));
    case Op::kBeq:
    case Op::kBne:
    case Op::kBlt:
    case Op::kBge:
    case Op::kBltu:
    case Op::kBgeu:
      return beyond(CycleClass::kBranchTaken, CycleClass::kBranchNotTaken, 0);
    default:
      return 0;
  }
}

void Core::reset(uint32_t pc) {
  set_pc(pc);
  x_.fill(0);
  cycle_ = 0;
  retired_ = 0;
  waiting_ = false;
  stop_requested_ = false;
  fault_.reset();
  mstatus_ = mie_ = mtvec_ = mscratch_ = mepc_ = mcause_ = mtval_ = 0;
  mcycle_offset_ = minstret_offset_ = 0;
  flushed_at_ = ~uint64_t{0};
  activity_ = 0;
  activity_since_ = 0;
  activity_cycles_.fill(0);
  forget_code();
}

void Core::set_pc(uint32_t pc) {
  if ((pc & 3u) != 0) throw std::invalid_argument("CPU core: the program counter must be a multiple of 4");
  pc_ = pc;
  last_load_ = last_result_ = kSink;
}

void Core::set_reg(unsigned number, uint32_t value) {
  if (number > 31) throw std::invalid_argument("CPU core: registers are x0 to x31");
  if (number != 0) x_[number] = value;
}

void Core::set_stack_limit(uint32_t lowest) {
  stack_limit_ = lowest;
  forget_code();
}

const Fault& Core::fault() const {
  if (!fault_) throw std::logic_error("CPU core: there was no fault");
  return *fault_;
}

Stop Core::run(uint64_t until_cycle) {
  if (fault_) return Stop::kFault;
  const auto stop_asked = [this] {
    const bool asked = stop_requested_;
    stop_requested_ = false;
    return asked;
  };
  if (stop_asked()) return Stop::kRequested;
  if (waiting_) {
    if ((environment_.interrupt_lines(cycle_) & mie_) == 0) {
      return stop_asked() ? Stop::kRequested : Stop::kWaitForInterrupt;
    }
    wake(cycle_);
  }
  while (cycle_ < until_cycle) {
    Exit exit = Exit::kContinue;
    const uint32_t pending = interruptible() ? environment_.interrupt_lines(cycle_) & mie_ : 0;
    if (pending != 0) {
      exit = take_interrupt(pending);
    } else if (pc_ - ram_.base >= ram_.size) {
      exit = trap(cause::kFetchFault, pc_);
    } else {
      constexpr uint64_t kWorthABlock = 16; // cycles; single steps do not even look for one
      if (blocks_ && until_cycle - cycle_ >= kWorthABlock) {
        exit = hazards_ ? execute_blocks<true>(until_cycle) : execute_blocks<false>(until_cycle);
      } else {
        exit = hazards_ ? execute<true>(until_cycle) : execute<false>(until_cycle);
      }
    }
    if (exit == Exit::kFault) return Stop::kFault;
    if (exit == Exit::kSleep) return stop_asked() ? Stop::kRequested : Stop::kWaitForInterrupt;
    if (stop_asked()) return Stop::kRequested;
    if (exit == Exit::kBoundAnew) return Stop::kCycleLimit;
  }
  return Stop::kCycleLimit;
}

void Core::wake(uint64_t cycle) {
  idle_until(cycle);
  waiting_ = false;
  cycle_ += cycles(CycleClass::kWfiWakeUp);
  flushed_at_ = cycle_;
}

void Core::idle_until(uint64_t cycle) {
  if (!waiting_) throw std::logic_error("CPU core: not waiting for an interrupt");
  if (cycle > cycle_) cycle_ = cycle;
}

Core::Exit Core::take_interrupt(uint32_t pending) {
  const auto lowest = [](uint32_t bits) { return static_cast<uint32_t>(__builtin_ctz(bits)); };
  uint32_t number = 7;
  if ((pending & 0xffff0000u) != 0) {
    number = lowest(pending & 0xffff0000u);
  } else if ((pending & (1u << 11)) != 0) {
    number = 11;
  } else if ((pending & (1u << 3)) != 0) {
    number = 3;
  }
  return trap(cause::kInterrupt | number, 0);
}

// The instruction at pc_ has not retired. `extra_cycles`: time it had taken already.
Core::Exit Core::trap(uint32_t mcause, uint32_t value, uint64_t extra_cycles) {
  const bool interrupt = (mcause & cause::kInterrupt) != 0;
  const bool call = mcause == cause::kEcallMachine || mcause == cause::kBreakpoint;
  const bool fatal = fault_policy_ != FaultPolicy::kNever &&
                     (mtvec_ == 0 || (fault_policy_ == FaultPolicy::kExceptions && !interrupt && !call));
  if (fatal) {
    fault_ =
        Fault{pc_, mcause, value, fault_text(pc_, mcause, value) + (mtvec_ == 0 ? ", no trap handler is set" : "")};
    return Exit::kFault;
  }
  mepc_ = pc_;
  mcause_ = mcause;
  mtval_ = value;
  mstatus_ = (mstatus_ & mstatus::kMie) != 0 ? mstatus::kMpie : 0; // MPIE = MIE, MIE = 0
  const uint32_t handlers = mtvec_ & ~3u;
  const bool vectored = (mtvec_ & 1u) != 0 && interrupt;
  pc_ = vectored ? handlers + 4 * (mcause & ~cause::kInterrupt) : handlers;
  last_load_ = last_result_ = kSink;
  const bool access_fault = mcause == cause::kLoadFault || mcause == cause::kStoreFault;
  const CycleClass interrupt_entry =
      cycle_ == flushed_at_ ? CycleClass::kInterruptEntryFlushed : CycleClass::kInterruptEntry;
  cycle_ += extra_cycles + cycles(interrupt      ? interrupt_entry
                                  : access_fault ? CycleClass::kAccessFaultEntry
                                                 : CycleClass::kTrapEntry);
  return Exit::kLimit; // pc_ may lie outside RAM: run() looks
}

Core::Exit Core::retire(uint32_t cycles) {
  pc_ += 4;
  cycle_ += cycles;
  ++retired_;
  return Exit::kContinue;
}

uint32_t Core::ram_word(uint32_t address) const {
  uint32_t word = 0;
  std::memcpy(&word, ram_.data + (address - ram_.base), sizeof word);
  return word;
}

// A jump that the fast loop does not take: to a misaligned address or out of RAM.
Core::Exit Core::jump_out(uint32_t target, uint32_t cycles, uint8_t rd) {
  if ((target & 3u) != 0) return trap(cause::kMisalignedFetch, target);
  x_[rd] = pc_ + 4;
  retire(cycles);
  pc_ = target;
  return Exit::kLimit; // the fetch there fails: run() looks
}

Core::Exit Core::execute_slow(const Decoded& d) {
  switch (d.op) {
    case Op::kBranchOut: {
      const uint32_t a = x_[d.rs1];
      const uint32_t b = x_[d.rs2];
      const auto funct3 = static_cast<uint32_t>(d.imm) & 7u;
      const bool less = (funct3 & 2u) != 0 ? a < b : static_cast<int32_t>(a) < static_cast<int32_t>(b);
      const bool condition = (funct3 & 4u) != 0 ? less : a == b;
      const bool taken = condition != ((funct3 & 1u) != 0);
      if (!taken) return retire(cycles(CycleClass::kBranchNotTaken));
      const int32_t offset = (d.imm - static_cast<int32_t>(funct3)) / 8;
      return jump_out(pc_ + static_cast<uint32_t>(offset), cycles(CycleClass::kBranchTaken), kSink);
    }
    case Op::kJalOut:
      return jump_out(pc_ + static_cast<uint32_t>(d.imm), cycles(CycleClass::kJal), d.rd);
    case Op::kJalr:
      return jump_out((x_[d.rs1] + static_cast<uint32_t>(d.imm)) & ~1u, cycles(CycleClass::kJalr), d.rd);
    case Op::kFence:
      return retire(cycles(CycleClass::kFence));
    case Op::kFenceI:
      forget_code();
      return retire(cycles(CycleClass::kFenceI));
    case Op::kCsr:
      return execute_csr(d);
    case Op::kEcall:
      return trap(cause::kEcallMachine, 0);
    case Op::kEbreak:
      return trap(cause::kBreakpoint, 0);
    case Op::kMret:
      retire(cycles(CycleClass::kMret));
      flushed_at_ = cycle_;
      pc_ = mepc_;
      mstatus_ = mstatus::kMpie | ((mstatus_ & mstatus::kMpie) != 0 ? mstatus::kMie : 0);
      return interruptible() ? Exit::kBoundAnew : Exit::kLimit;
    case Op::kWfi:
      return execute_wfi();
    case Op::kIllegal:
      return trap(cause::kIllegalInstruction, ram_word(pc_));
    case Op::kPastEnd:
      return trap(cause::kFetchFault, pc_);
    case Op::kStackAllocate: // the fast loop comes here with those below the limit
      return stack_overflow(x_[kStackPointer] + static_cast<uint32_t>(d.imm));
    case Op::kStackMove:
      return execute_stack_move(d);
    default:
      return execute_mmio(d);
  }
}

Core::Exit Core::execute_stack_move(const Decoded& d) {
  const uint32_t sp = d.imm != 0 ? x_[d.rs1] - x_[d.rs2] : x_[d.rs1] + x_[d.rs2];
  if (sp < stack_limit_) return stack_overflow(sp);
  x_[kStackPointer] = sp;
  return retire(cycles(CycleClass::kAlu));
}

Core::Exit Core::stack_overflow(uint32_t sp) {
  char text[128];
  std::snprintf(text, sizeof text, "stack overflow: sp would be 0x%08x, below its limit 0x%08x, at pc 0x%08x", sp,
                stack_limit_, pc_);
  fault_ = Fault{pc_, cause::kStackOverflow, sp, text};
  return Exit::kFault;
}

Core::Exit Core::execute_wfi() {
  retire(cycles(CycleClass::kWfi));
  waiting_ = true;
  if ((environment_.interrupt_lines(cycle_) & mie_) == 0) return Exit::kSleep;
  wake(cycle_);
  return interruptible() ? Exit::kBoundAnew : Exit::kContinue;
}

Core::Exit Core::execute_mmio(const Decoded& d) {
  struct Access {
    unsigned bytes;
    bool store;
    bool extend; // the sign
  };
  const auto access = [&d]() -> Access {
    switch (d.op) {
      case Op::kLb:
        return {1, false, true};
      case Op::kLh:
        return {2, false, true};
      case Op::kLw:
        return {4, false, false};
      case Op::kLbu:
        return {1, false, false};
      case Op::kLhu:
        return {2, false, false};
      case Op::kSb:
        return {1, true, false};
      case Op::kSh:
        return {2, true, false};
      case Op::kSw:
        return {4, true, false};
      default:
        throw std::logic_error("CPU core: not a memory access");
    }
  }();
  const uint32_t address = x_[d.rs1] + static_cast<uint32_t>(d.imm);
  const uint32_t fault = access.store ? cause::kStoreFault : cause::kLoadFault;
  if ((address & (access.bytes - 1)) != 0) return trap(fault, address);

  const uint32_t mask = 0xffffffffu >> (32 - 8 * access.bytes);
  const MmioResult result = access.store ? environment_.write(address, access.bytes, x_[d.rs2] & mask, cycle_)
                                         : environment_.read(address, access.bytes, cycle_);
  if (result.error) return trap(fault, address, result.wait_cycles);
  if (!access.store) {
    uint32_t value = result.data & mask;
    const uint32_t sign = (mask >> 1) + 1;
    if (access.extend) value = (value ^ sign) - sign;
    x_[d.rd] = value;
    last_load_ = d.rd;
  }
  cycle_ += result.wait_cycles;
  retire(cycles(access.store ? CycleClass::kStore : CycleClass::kLoad));
  // The access may have changed a line, or when one will change.
  return interruptible() ? Exit::kBoundAnew : Exit::kContinue;
}

void Core::decode_at(uint32_t index) {
  const uint32_t offset = index * 4;
  const uint32_t pc = ram_.base + offset;
  Decoded& d = code_[index];
  d = decode(ram_word(pc), pc, ram_);
  if (stack_limit_ != 0 && d.rd == kStackPointer) {
    if (d.op == Op::kAddi && d.rs1 == kStackPointer && d.imm < 0) {
      d.op = Op::kStackAllocate;
    } else if (d.op == Op::kAdd || d.op == Op::kSub) {
      d.imm = d.op == Op::kSub ? 1 : 0;
      d.op = Op::kStackMove;
    }
  }
  if (code_low_ == code_high_) {
    code_low_ = offset;
    code_high_ = offset + 4;
  }
  if (offset < code_low_) code_low_ = offset;
  if (offset + 4 > code_high_) code_high_ = offset + 4;
}

void Core::invalidate_words(uint32_t offset, uint32_t bytes) {
  const uint32_t last = (offset + bytes - 1) / 4;
  for (uint32_t index = offset / 4; index <= last; ++index) code_[index] = Decoded{};
  // A block may begin anywhere before and reach over these words.
  std::memset(static_cast<void*>(&sums_[code_low_ / 4]), 0, (code_high_ - code_low_) / 4 * sizeof(BlockSum));
}

// A store hit the span of decoded words. False: it hit data that lie between code.
bool Core::code_changed(uint32_t offset, uint32_t bytes) {
  bool code = false;
  for (uint32_t index = offset / 4; index <= (offset + bytes - 1) / 4; ++index) {
    code = code || code_[index].op != Op::kUndecoded;
  }
  if (code) invalidate_words(offset, bytes);
  return code;
}

bool Core::set_ram_wait_states(uint32_t wait_states) {
  ram_.wait_states = wait_states;
  tabulate();
  forget_code(); // sums over blocks hold cycles
  return true;
}

void Core::forget_code() {
  if (code_high_ != code_low_) invalidate_words(code_low_, code_high_ - code_low_);
  code_low_ = code_high_ = 0;
}

void Core::invalidate_code(uint32_t address, uint32_t bytes) {
  const uint64_t begin = std::max<uint64_t>(address, uint64_t{ram_.base} + code_low_);
  const uint64_t end = std::min<uint64_t>(uint64_t{address} + bytes, uint64_t{ram_.base} + code_high_);
  if (begin < end) invalidate_words(static_cast<uint32_t>(begin - ram_.base), static_cast<uint32_t>(end - begin));
}

} // namespace dtrmc::cpu
