// SPDX-License-Identifier: Apache-2.0
// Numbers of the machine-mode CSRs that the core has, bits of mstatus, causes of traps (RISC-V privileged
// specification 1.12).
#pragma once

#include <cstdint>

namespace dtrmc::cpu {

namespace csr {
constexpr uint32_t kMstatus = 0x300;
constexpr uint32_t kMisa = 0x301;
constexpr uint32_t kMie = 0x304;
constexpr uint32_t kMtvec = 0x305;
constexpr uint32_t kMstatush = 0x310;
constexpr uint32_t kMcountinhibit = 0x320;
constexpr uint32_t kMhpmevent3 = 0x323;
constexpr uint32_t kMhpmevent31 = 0x33f;
constexpr uint32_t kMscratch = 0x340;
constexpr uint32_t kMepc = 0x341;
constexpr uint32_t kMcause = 0x342;
constexpr uint32_t kMtval = 0x343;
constexpr uint32_t kMip = 0x344;
constexpr uint32_t kMcycle = 0xb00;
constexpr uint32_t kMinstret = 0xb02;
constexpr uint32_t kMhpmcounter3 = 0xb03;
constexpr uint32_t kMhpmcounter31 = 0xb1f;
constexpr uint32_t kMcycleh = 0xb80;
constexpr uint32_t kMinstreth = 0xb82;
constexpr uint32_t kMhpmcounter3h = 0xb83;
constexpr uint32_t kMhpmcounter31h = 0xb9f;
constexpr uint32_t kCycle = 0xc00;
constexpr uint32_t kTime = 0xc01;
constexpr uint32_t kInstret = 0xc02;
constexpr uint32_t kHpmcounter3 = 0xc03;
constexpr uint32_t kHpmcounter31 = 0xc1f;
constexpr uint32_t kCycleh = 0xc80;
constexpr uint32_t kTimeh = 0xc81;
constexpr uint32_t kInstreth = 0xc82;
constexpr uint32_t kHpmcounter3h = 0xc83;
constexpr uint32_t kHpmcounter31h = 0xc9f;
constexpr uint32_t kMvendorid = 0xf11;
constexpr uint32_t kMarchid = 0xf12;
constexpr uint32_t kMimpid = 0xf13;
constexpr uint32_t kMhartid = 0xf14;
constexpr uint32_t kMconfigptr = 0xf15;
} // namespace csr

namespace mstatus {
constexpr uint32_t kMie = 1u << 3;
constexpr uint32_t kMpie = 1u << 7;
constexpr uint32_t kMpp = 3u << 11; // machine mode is the only one: always 3
} // namespace mstatus

namespace cause {
constexpr uint32_t kMisalignedFetch = 0;
constexpr uint32_t kFetchFault = 1;
constexpr uint32_t kIllegalInstruction = 2;
constexpr uint32_t kBreakpoint = 3;
constexpr uint32_t kLoadFault = 5;
constexpr uint32_t kStoreFault = 7;
constexpr uint32_t kEcallMachine = 11;
constexpr uint32_t kStackOverflow = 24;      // ours: the first cause left to custom use; never seen by the program
constexpr uint32_t kInterrupt = 0x80000000u; // with the number of the mip bit
} // namespace cause

// The bits of mip and mie that exist: MSIP, MTIP, MEIP and the sixteen platform lines.
constexpr uint32_t kInterruptMask = (1u << 3) | (1u << 7) | (1u << 11) | 0xffff0000u;

// In words, for messages.
const char* cause_text(uint32_t mcause);

} // namespace dtrmc::cpu
