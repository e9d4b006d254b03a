// SPDX-License-Identifier: Apache-2.0
// The pins of one Verilated CPU core (ibex_tile.sv, picorv32_tile.sv), one call a cycle. Knows nothing of memory.
#pragma once

#include <cstdint>

namespace dtrmc::cpu_rtl {

// Sampled with the clock edge that begins the next cycle: the answers that the core sees in that cycle.
struct TileAnswers {
  bool instruction_valid = false;
  bool instruction_error = false;
  uint32_t instruction = 0;
  bool data_valid = false;
  bool data_error = false;
  uint32_t data = 0;
};

// What the core shows in the current cycle.
struct TilePins {
  bool instruction_request = false;
  uint32_t instruction_address = 0;
  bool data_request = false; // granted at once
  bool data_write = false;
  uint8_t data_bytes = 0; // byte enables
  uint32_t data_address = 0;
  uint32_t data = 0;

  bool asleep = false;
  bool retired = false;
  bool decoding = false; // an instruction, at decoding_pc, is in the stage in which its cycles begin
  uint32_t decoding_pc = 0;

  bool csr_access = false;
  bool csr_write = false;
  uint32_t csr_address = 0;
  uint32_t csr_data = 0;

  bool exception = false; // not an interrupt
  uint32_t exception_cause = 0;
  uint32_t exception_value = 0;
  uint32_t exception_pc = 0;

  bool interrupts_enabled = false; // mstatus.MIE
  uint32_t enabled_lines = 0;      // mie
};

class Tile {
 public:
  virtual ~Tile() = default;

  // Where execution begins after reset: the same for every tile.
  static constexpr uint32_t kBootAddress = 0x7fffff80u;

  // Puts the core into reset and out of it. pins() then shows the first cycle.
  virtual void reset() = 0;
  // One clock edge: the next cycle.
  virtual void clock(const TileAnswers& answers) = 0;
  // Interrupt lines, as bits of mip, in the current cycle.
  virtual void set_lines(uint32_t lines) = 0;
  virtual const TilePins& pins() const = 0;
  // Cycles from the start of a load or store to its request.
  virtual unsigned request_delay() const = 0;
};

} // namespace dtrmc::cpu_rtl
