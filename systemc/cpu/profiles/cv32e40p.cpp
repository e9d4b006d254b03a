// SPDX-License-Identifier: Apache-2.0
// OpenHW CV32E40P, four stages. Without compressed instructions every jump target is word aligned, which settles the
// documented ranges of jumps (2, not 3) and taken branches (3, not 4).
#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& cv32e40p() {
  using C = CycleClass;
  constexpr Origin kDocumented = Origin::kDocumented;
  constexpr Origin kAssumed = Origin::kAssumed;
  static const char* const manual = "CV32E40P user manual, pipeline details";
  static const char* const divider =
      "CV32E40P user manual: 3..35 by the divisor's leading zeros; of a negative "
      "divisor we count those of its magnitude";
  static const char* const silent = "not in the user manual";
  static const TimingProfile profile("cv32e40p", "OpenHW CV32E40P (four stages)",
                                     {
                                         {C::kAlu, {1, kDocumented, manual}},
                                         {C::kCsr, {1, kDocumented, manual}},
                                         {C::kCsrSerializing, {4, kDocumented, manual}},
                                         {C::kCsrInterruptFlush, {0, kAssumed, silent}},
                                         {C::kLoad, {1, kDocumented, manual}},
                                         {C::kStore, {1, kDocumented, manual}},
                                         {C::kLoadSplit, {2, kDocumented, manual}},
                                         {C::kStoreSplit, {2, kDocumented, manual}},
                                         {C::kLoadUse, {1, kDocumented, manual}},
                                         {C::kJumpRegisterUse, {1, kDocumented, manual}},
                                         {C::kMul, {1, kDocumented, manual}},
                                         {C::kMulh, {5, kDocumented, manual}},
                                         {C::kDiv, {3, kDocumented, divider}},
                                         {C::kDivPerLeadingZero, {1, kDocumented, divider}},
                                         {C::kDivByZero, {35, kDocumented, manual}},
                                         {C::kBranchNotTaken, {1, kDocumented, manual}},
                                         {C::kBranchTaken, {3, kDocumented, manual}},
                                         {C::kJal, {2, kDocumented, manual}},
                                         {C::kJalr, {2, kDocumented, manual}},
                                         {C::kTrapEntry, {4, kAssumed, silent}},
                                         {C::kAccessFaultEntry, {4, kAssumed, silent}},
                                         {C::kInterruptEntry, {4, kAssumed, silent}},
                                         {C::kInterruptEntryFlushed, {4, kAssumed, silent}},
                                         {C::kMret, {4, kAssumed, silent}},
                                         {C::kWfi, {1, kAssumed, silent}},
                                         {C::kWfiWakeUp, {3, kAssumed, silent}},
                                         {C::kFence, {1, kAssumed, silent}},
                                         {C::kFenceI, {2, kDocumented, manual}},
                                     });
  return profile;
}

} // namespace dtrmc::cpu::profiles
