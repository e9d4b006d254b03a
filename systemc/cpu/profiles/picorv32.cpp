// SPDX-License-Identifier: Apache-2.0
// YosysHQ PicoRV32 with dual-port register file, barrel shifter, sequential multiplier and divider. The core has no
// machine-mode CSRs, standard traps or misaligned accesses: those rows are assumed, so that the same firmware runs.
#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& picorv32() {
  using C = CycleClass;
  constexpr Origin kDocumented = Origin::kDocumented;
  constexpr Origin kAssumed = Origin::kAssumed;
  static const char* const readme = "PicoRV32 README, cycles per instruction performance and PCPI cores";
  static const char* const absent = "the core has no such instruction or event";
  static const char* const twice = "two accesses; the core itself traps";
  static const char* const none = "one instruction at a time, no pipeline";
  static const TimingProfile profile("picorv32", "YosysHQ PicoRV32, dual-port registers, barrel shifter, MUL and DIV",
                                     {
                                         {C::kAlu, {3, kDocumented, readme}},
                                         {C::kCsr, {3, kAssumed, absent}},
                                         {C::kCsrSerializing, {3, kAssumed, absent}},
                                         {C::kLoad, {5, kDocumented, readme}},
                                         {C::kStore, {5, kDocumented, readme}},
                                         {C::kLoadSplit, {10, kAssumed, twice}},
                                         {C::kStoreSplit, {10, kAssumed, twice}},
                                         {C::kLoadUse, {0, kDocumented, none}},
                                         {C::kJumpRegisterUse, {0, kDocumented, none}},
                                         {C::kMul, {40, kDocumented, readme}},
                                         {C::kMulh, {72, kDocumented, readme}},
                                         {C::kDiv, {40, kDocumented, readme}},
                                         {C::kDivPerLeadingZero, {0, kDocumented, readme}},
                                         {C::kDivByZero, {40, kDocumented, readme}},
                                         {C::kBranchNotTaken, {3, kDocumented, readme}},
                                         {C::kBranchTaken, {5, kDocumented, readme}},
                                         {C::kJal, {3, kDocumented, readme}},
                                         {C::kJalr, {6, kDocumented, readme}},
                                         {C::kTrapEntry, {4, kAssumed, absent}},
                                         {C::kMret, {6, kAssumed, absent}},
                                         {C::kWfi, {3, kAssumed, absent}},
                                         {C::kWfiWakeUp, {3, kAssumed, absent}},
                                         {C::kFence, {3, kAssumed, absent}},
                                         {C::kFenceI, {3, kAssumed, absent}},
                                     });
  return profile;
}

} // namespace dtrmc::cpu::profiles
