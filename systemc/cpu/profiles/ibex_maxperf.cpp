// SPDX-License-Identifier: Apache-2.0
// lowRISC Ibex with writeback stage, branch-target ALU and single-cycle multiplier.
#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& ibex_maxperf() {
  using C = CycleClass;
  constexpr Origin kMeasured = Origin::kMeasured;
  static const char* const rtl = "Verilated Ibex RTL, writeback stage, branch-target ALU, single-cycle multiplier";
  static const TimingProfile profile("ibex-maxperf",
                                     "lowRISC Ibex, writeback stage, branch-target ALU, single-cycle multiplier",
                                     {
                                         {C::kAlu, {1, kMeasured, rtl}},
                                         {C::kCsr, {1, kMeasured, rtl}},
                                         {C::kCsrSerializing, {1, kMeasured, rtl}},
                                         {C::kCsrInterruptFlush, {2, kMeasured, rtl}},
                                         {C::kLoad, {1, kMeasured, rtl}},
                                         {C::kStore, {1, kMeasured, rtl}},
                                         {C::kLoadSplit, {2, kMeasured, rtl}},
                                         {C::kStoreSplit, {2, kMeasured, rtl}},
                                         {C::kLoadUse, {1, kMeasured, rtl}},
                                         {C::kJumpRegisterUse, {0, kMeasured, rtl}},
                                         {C::kMul, {1, kMeasured, rtl}},
                                         {C::kMulh, {2, kMeasured, rtl}},
                                         {C::kDiv, {37, kMeasured, rtl}},
                                         {C::kDivPerLeadingZero, {0, kMeasured, rtl}},
                                         {C::kDivByZero, {2, kMeasured, rtl}},
                                         {C::kBranchNotTaken, {1, kMeasured, rtl}},
                                         {C::kBranchTaken, {2, kMeasured, rtl}},
                                         {C::kJal, {2, kMeasured, rtl}},
                                         {C::kJalr, {2, kMeasured, rtl}},
                                         {C::kTrapEntry, {3, kMeasured, rtl}},
                                         {C::kAccessFaultEntry, {4, kMeasured, rtl}},
                                         {C::kInterruptEntry, {3, kMeasured, rtl}},
                                         {C::kInterruptEntryFlushed, {2, kMeasured, rtl}},
                                         {C::kMret, {3, kMeasured, rtl}},
                                         {C::kWfi, {3, kMeasured, rtl}},
                                         {C::kWfiWakeUp, {2, kMeasured, rtl}},
                                         {C::kFence, {1, kMeasured, rtl}},
                                         {C::kFenceI, {2, kMeasured, rtl}},
                                     });
  return profile;
}

} // namespace dtrmc::cpu::profiles
