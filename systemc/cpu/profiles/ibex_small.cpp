// SPDX-License-Identifier: Apache-2.0
// lowRISC Ibex, "small" configuration: two stages, fast multi-cycle multiplier, single-cycle tightly coupled RAM.
#include "systemc/cpu/profiles/profiles.h"

namespace dtrmc::cpu::profiles {

const TimingProfile& ibex_small() {
  using C = CycleClass;
  constexpr Origin kMeasured = Origin::kMeasured;
  static const char* const rtl = "Verilated Ibex RTL, small configuration";
  static const char* const none = "no such penalty in two stages: measured loop lw, add, mul, sw, addi, bnez";
  static const TimingProfile profile("ibex-small", "lowRISC Ibex, small configuration (two stages)",
                                     {
                                         {C::kAlu, {1, kMeasured, rtl}},
                                         {C::kCsr, {1, kMeasured, rtl}},
                                         {C::kCsrSerializing, {1, kMeasured, rtl}},
                                         {C::kCsrInterruptFlush, {2, kMeasured, rtl}},
                                         {C::kLoad, {2, kMeasured, rtl}},
                                         {C::kStore, {2, kMeasured, rtl}},
                                         {C::kLoadSplit, {3, kMeasured, rtl}},
                                         {C::kStoreSplit, {3, kMeasured, rtl}},
                                         {C::kLoadUse, {0, kMeasured, none}},
                                         {C::kJumpRegisterUse, {0, kMeasured, none}},
                                         {C::kMul, {3, kMeasured, rtl}},
                                         {C::kMulh, {4, kMeasured, rtl}},
                                         {C::kDiv, {37, kMeasured, rtl}},
                                         {C::kDivPerLeadingZero, {0, kMeasured, rtl}},
                                         {C::kDivByZero, {2, kMeasured, rtl}},
                                         {C::kBranchNotTaken, {1, kMeasured, rtl}},
                                         {C::kBranchTaken, {3, kMeasured, rtl}},
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
