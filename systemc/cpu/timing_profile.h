// SPDX-License-Identifier: Apache-2.0
// Timing profiles: how many cycles each class of instruction takes, as data. A profile is one file in profiles/ and
// one line in timing_profile.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace dtrmc::cpu {

// Everything that has its own number of cycles. Instruction fetch never stalls: it is contained in these.
enum class CycleClass : uint8_t {
  kAlu,               // register and immediate arithmetic, shifts, LUI, AUIPC
  kCsr,               // CSR access
  kCsrSerializing,    // CSR access to mstatus, mtvec, mepc, mcause and the counters, where it flushes the pipeline
  kCsrInterruptFlush, // added to a write or set (not a clear) of mstatus or mie; may be 0
  kLoad,              // answered in one cycle; wait states come on top
  kStore,             //
  kLoadSplit,         // load across a word boundary: two accesses, the wait states of both come on top
  kStoreSplit,        //
  kLoadUse,           // added to an instruction that reads the register loaded by the one before; may be 0
  kJumpRegisterUse,   // added to a JALR that reads the result of the instruction before (not a load); may be 0
  kMul,               // MUL
  kMulh,              // MULH, MULHSU, MULHU
  kDiv,               // DIV, DIVU, REM, REMU with a divisor that is not 0
  kDivPerLeadingZero, // added for each leading zero of the divisor's magnitude; may be 0
  kDivByZero,         // the whole division when the divisor is 0
  kBranchNotTaken,
  kBranchTaken,
  kJal,
  kJalr,
  kTrapEntry,             // from the start of the faulting instruction to the handler; not of an access fault
  kAccessFaultEntry,      // the same of a load or store that the bus answers with an error; wait states come on top
  kInterruptEntry,        // from the instruction boundary to the handler
  kInterruptEntryFlushed, // the same behind WFI, MRET or a CSR write that let it in: the pipeline is empty already
  kMret,
  kWfi,       // WFI itself, until the core sleeps
  kWfiWakeUp, // from the cycle in which an enabled interrupt is pending to the next instruction
  kFence,
  kFenceI,
  kCount
};

constexpr std::size_t kCycleClasses = static_cast<std::size_t>(CycleClass::kCount);

const char* to_string(CycleClass cycle_class);

// How far a number can be trusted.
enum class Origin : uint8_t {
  kMeasured,   // on the RTL
  kDocumented, // by the core's authors
  kAssumed     // neither; a plausible value
};

const char* to_string(Origin origin);

struct CycleCount {
  uint32_t cycles = 0;
  Origin origin = Origin::kAssumed;
  const char* source = "";
};

class TimingProfile {
 public:
  struct Row {
    CycleClass cycle_class;
    CycleCount count;
  };

  // Throws std::invalid_argument unless every class occurs exactly once and takes 1 to 10,000 cycles (the classes
  // that are added to another may be 0).
  TimingProfile(std::string name, std::string description, std::initializer_list<Row> rows);

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  uint32_t cycles(CycleClass cycle_class) const { return count(cycle_class).cycles; }
  const CycleCount& count(CycleClass cycle_class) const { return counts_[static_cast<std::size_t>(cycle_class)]; }

 private:
  std::string name_;
  std::string description_;
  std::array<CycleCount, kCycleClasses> counts_;
};

// The profile of that name; throws std::invalid_argument with the list of known names.
const TimingProfile& timing_profile(const std::string& name);

// All profiles, in the order in which help texts list them.
const std::vector<const TimingProfile*>& timing_profiles();

} // namespace dtrmc::cpu
