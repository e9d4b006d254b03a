// SPDX-License-Identifier: Apache-2.0
// YosysHQ PicoRV32 with dual-port register file, barrel shifter, sequential multiplier and divider. The core has no
// machine-mode CSRs, standard traps or misaligned accesses: those rows are assumed, so that the same firmware runs.
#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& picorv32() {
  using C = CycleClass;
  constexpr Origin kMeasured = Origin::kMeasured;
  constexpr Origin kAssumed = Origin::kAssumed;
  static const char* const rtl = "Verilated PicoRV32 RTL, as its README documents";
  static const char* const absent = "the core has no such instruction or event";
  static const char* const twice = "two accesses; the core itself traps";
  static const char* const none = "one instruction at a time, no pipeline";
  static const TimingProfile profile("picorv32", "YosysHQ PicoRV32, dual-port registers, barrel shifter, MUL and DIV",
                                     {
                                         {C::kAlu, {3, kMeasured, rtl}},
                                         {C::kCsr, {3, kAssumed, absent}},
                                         {C::kCsrSerializing, {3, kAssumed, absent}},
                                         {C::kCsrInterruptFlush, {0, kAssumed, absent}},
                                         {C::kLoad, {5, kMeasured, rtl}},
                                         {C::kStore, {5, kMeasured, rtl}},
                                         {C::kLoadSplit, {10, kAssumed, twice}},
                                         {C::kStoreSplit, {10, kAssumed, twice}},
                                         {C::kLoadUse, {0, kMeasured, none}},
                                         {C::kJumpRegisterUse, {0, kMeasured, none}},
                                         {C::kMul, {40, kMeasured, rtl}},
                                         {C::kMulh, {72, kMeasured, rtl}},
                                         {C::kDiv, {40, kMeasured, rtl}},
                                         {C::kDivPerLeadingZero, {0, kMeasured, rtl}},
                                         {C::kDivByZero, {40, kMeasured, rtl}},
                                         {C::kBranchNotTaken, {3, kMeasured, rtl}},
                                         {C::kBranchTaken, {5, kMeasured, rtl}},
                                         {C::kJal, {3, kMeasured, rtl}},
                                         {C::kJalr, {6, kMeasured, rtl}},
                                         {C::kTrapEntry, {4, kAssumed, absent}},
                                         {C::kAccessFaultEntry, {4, kAssumed, absent}},
                                         {C::kInterruptEntry, {4, kAssumed, absent}},
                                         {C::kInterruptEntryFlushed, {4, kAssumed, absent}},
                                         {C::kMret, {6, kAssumed, absent}},
                                         {C::kWfi, {3, kAssumed, absent}},
                                         {C::kWfiWakeUp, {3, kAssumed, absent}},
                                         {C::kFence, {3, kMeasured, rtl}},
                                         {C::kFenceI, {3, kAssumed, absent}},
                                     });
  return profile;
}

} // namespace dtrmc::cpu::profiles
