// SPDX-License-Identifier: Apache-2.0
#include "systemc/cpu/timing_profile.h"

#include <stdexcept>
#include <utility>

#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu {

const std::vector<const TimingProfile*>& timing_profiles() {
  // Registration: one line for each file in profiles/.
  static const std::vector<const TimingProfile*> profiles = {
      &profiles::ibex_small(),
      &profiles::ibex_maxperf(),
      &profiles::picorv32(),
      &profiles::cv32e40p(),
  };
  return profiles;
}

const TimingProfile& timing_profile(const std::string& name) {
  std::string known;
  for (const TimingProfile* profile : timing_profiles()) {
    if (profile->name() == name) return *profile;
    known += (known.empty() ? "" : ", ") + profile->name();
  }
  throw std::invalid_argument("unknown CPU timing profile '" + name + "'; known profiles: " + known);
}

const char* to_string(CycleClass cycle_class) {
  switch (cycle_class) {
    case CycleClass::kAlu:
      return "alu";
    case CycleClass::kCsr:
      return "csr";
    case CycleClass::kCsrSerializing:
      return "csr_serializing";
    case CycleClass::kCsrInterruptFlush:
      return "csr_interrupt_flush";
    case CycleClass::kLoad:
      return "load";
    case CycleClass::kStore:
      return "store";
    case CycleClass::kLoadSplit:
      return "load_split";
    case CycleClass::kStoreSplit:
      return "store_split";
    case CycleClass::kLoadUse:
      return "load_use";
    case CycleClass::kJumpRegisterUse:
      return "jump_register_use";
    case CycleClass::kMul:
      return "mul";
    case CycleClass::kMulh:
      return "mulh";
    case CycleClass::kDiv:
      return "div";
    case CycleClass::kDivPerLeadingZero:
      return "div_per_leading_zero";
    case CycleClass::kDivByZero:
      return "div_by_zero";
    case CycleClass::kBranchNotTaken:
      return "branch_not_taken";
    case CycleClass::kBranchTaken:
      return "branch_taken";
    case CycleClass::kJal:
      return "jal";
    case CycleClass::kJalr:
      return "jalr";
    case CycleClass::kTrapEntry:
      return "trap_entry";
    case CycleClass::kAccessFaultEntry:
      return "access_fault_entry";
    case CycleClass::kInterruptEntry:
      return "interrupt_entry";
    case CycleClass::kInterruptEntryFlushed:
      return "interrupt_entry_flushed";
    case CycleClass::kMret:
      return "mret";
    case CycleClass::kWfi:
      return "wfi";
    case CycleClass::kWfiWakeUp:
      return "wfi_wake_up";
    case CycleClass::kFence:
      return "fence";
    case CycleClass::kFenceI:
      return "fence_i";
    case CycleClass::kCount:
      break;
  }
  return "?";
}

const char* to_string(Origin origin) {
  switch (origin) {
    case Origin::kMeasured:
      return "measured";
    case Origin::kDocumented:
      return "documented";
    case Origin::kAssumed:
      return "assumed";
  }
  return "?";
}

TimingProfile::TimingProfile(std::string name, std::string description, std::initializer_list<Row> rows)
    : name_(std::move(name)), description_(std::move(description)) {
  std::array<bool, kCycleClasses> seen{};
  const auto fail = [this](const std::string& what) {
    throw std::invalid_argument("CPU timing profile '" + name_ + "': " + what);
  };
  for (const Row& row : rows) {
    const auto index = static_cast<std::size_t>(row.cycle_class);
    if (index >= kCycleClasses) fail("unknown class");
    const std::string what = to_string(row.cycle_class);
    if (seen[index]) fail(what + " is given twice");
    seen[index] = true;
    const bool addition = row.cycle_class == CycleClass::kLoadUse || row.cycle_class == CycleClass::kJumpRegisterUse ||
                          row.cycle_class == CycleClass::kDivPerLeadingZero ||
                          row.cycle_class == CycleClass::kCsrInterruptFlush;
    // Zero would let a run make no progress in time, and then never end.
    if (row.count.cycles == 0 && !addition) fail(what + " takes 0 cycles");
    if (row.count.cycles > 10000) fail(what + " takes more than 10000 cycles");
    counts_[index] = row.count;
  }
  for (std::size_t index = 0; index < kCycleClasses; ++index) {
    if (!seen[index]) fail(std::string(to_string(static_cast<CycleClass>(index))) + " is missing");
  }
}

} // namespace dtrmc::cpu
