// SPDX-License-Identifier: Apache-2.0
// lowRISC Ibex with writeback stage, branch-target ALU and single-cycle multiplier.
#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& ibex_maxperf() {
  using C = CycleClass;
  constexpr Origin kMeasured = Origin::kMeasured;
  constexpr Origin kAssumed = Origin::kAssumed;
  static const char* const rtl = "Verilated Ibex RTL, writeback stage, branch-target ALU, single-cycle multiplier";
  static const char* const open = "not yet checked on the RTL";
  static const TimingProfile profile("ibex-maxperf",
                                     "lowRISC Ibex, writeback stage, branch-target ALU, single-cycle multiplier",
                                     {
                                         {C::kAlu, {1, kMeasured, rtl}},
                                         {C::kCsr, {1, kMeasured, rtl}},
                                         {C::kCsrSerializing, {1, kMeasured, rtl}},
                                         {C::kLoad, {1, kMeasured, rtl}},
                                         {C::kStore, {1, kMeasured, rtl}},
                                         {C::kLoadSplit, {2, kMeasured, rtl}},
                                         {C::kStoreSplit, {2, kMeasured, rtl}},
                                         {C::kLoadUse, {1, kMeasured, rtl}},
                                         {C::kJumpRegisterUse, {0, kAssumed, open}},
                                         {C::kMul, {1, kMeasured, rtl}},
                                         {C::kMulh, {2, kMeasured, rtl}},
                                         {C::kDiv, {37, kMeasured, rtl}},
                                         {C::kDivPerLeadingZero, {0, kMeasured, rtl}},
                                         {C::kDivByZero, {2, kMeasured, rtl}},
                                         {C::kBranchNotTaken, {1, kMeasured, rtl}},
                                         {C::kBranchTaken, {2, kMeasured, rtl}},
                                         {C::kJal, {2, kMeasured, rtl}},
                                         {C::kJalr, {2, kMeasured, rtl}},
                                         {C::kTrapEntry, {4, kAssumed, open}},
                                         {C::kMret, {4, kAssumed, open}},
                                         {C::kWfi, {1, kAssumed, open}},
                                         {C::kWfiWakeUp, {3, kAssumed, open}},
                                         {C::kFence, {1, kAssumed, open}},
                                         {C::kFenceI, {3, kAssumed, open}},
                                     });
  return profile;
}

} // namespace dtrmc::cpu::profiles
