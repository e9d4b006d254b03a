// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dtrmc::cpu {

struct MmioResult {
  bool error = false;       // true: the access ends in an access fault (mcause 5 or 7)
  uint32_t data = 0;        // reads: the value in the low `bytes` bytes
  uint64_t wait_cycles = 0; // cycles beyond the one-cycle answer that the timing profile's load and store rows assume
};

// Everything outside RAM. All cycles are counts since reset, of the core's own clock.
class Environment {
 public:
  virtual ~Environment() = default;

  // Naturally aligned access of 1, 2 or 4 bytes outside RAM. `cycle` is the cycle in which the instruction starts
  // (after the stall for a register that is still being loaded): all instructions before it are complete, so an
  // access of 1 + w cycles is answered at cycle + 1 + w. May block the calling thread or process.
  virtual MmioResult read(uint32_t address, unsigned bytes, uint64_t cycle) = 0;
  virtual MmioResult write(uint32_t address, unsigned bytes, uint32_t data, uint64_t cycle) = 0;

  // Levels of the interrupt lines at `cycle`, as bits of mip: 3 MSIP, 7 MTIP, 11 MEIP, 16..31 platform lines; other
  // bits are ignored. May block. Cycles never decrease from call to call.
  virtual uint32_t interrupt_lines(uint64_t cycle) = 0;
};

} // namespace dtrmc::cpu
