// SPDX-License-Identifier: Apache-2.0
// A scoring unit, one object per instance: Verilated, behind its real AXI4-Lite pins (make_unit), or its behavioural
// model with the same answers and cycles (make_behavioural_unit). No SystemC, no notion of time: the caller keeps time
// and learns from every access how many unit clock cycles it took.
//
// Register offsets: rtl/generated/scoring_unit_regs.h. An idle unit needs no clocks: cycles between accesses have to
// be given (clock()) only while busy(); skipping them otherwise changes no result and no count.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl/generated/scoring_unit_regs.h"
#include "rtl/model/axi_lite_pins.h"
#include "rtl/model/score_key.h"

namespace dtrmc::unit {

// What an instance is, as its own PARAMS and WIDTHS registers say.
struct UnitInfo {
  std::string name;       // as given to make_unit
  std::string arithmetic; // as score_format.h names it: "exact", "log2", ...
  score_format format{};  // for score_key.h
  std::string search;     // "scan", "cache"
  uint32_t lanes = 0;     // entries compared a cycle
  uint32_t depth = 0;     // slots
  uint32_t cost_bits = 0; // signed, sign included
  uint32_t size_bits = 0;
  uint32_t time_bits = 0;
  uint32_t order_bits = 0;
};

class RtlUnit {
 public:
  struct Access {
    bool error = false;  // SLVERR
    uint32_t data = 0;   // reads; 0 on an error
    uint32_t cycles = 0; // clock cycles from the request on the pins to the end of the response
    uint32_t busy = 0;   // of them, those with a search in progress
  };

  virtual ~RtlUnit() = default;

  virtual const UnitInfo& info() const = 0;

  // Hardware reset, as at construction.
  virtual void reset() = 0;

  // A search is in progress (the signal itself, no clock passes).
  virtual bool busy() const = 0;

  // Level of the interrupt output.
  virtual bool irq() const = 0;

  // Device time in ps at which the next clock cycle begins, for waveforms; cycles that follow are numbered on from
  // there. Never decreases. Changes nothing else.
  virtual void set_time(uint64_t) {}

  // Runs `cycles` clock cycles without an access.
  virtual void clock(uint64_t cycles = 1) = 0;

  // While busy(): clock cycles, at least 1, before whose end neither busy() nor irq() changes, as long as there is no
  // access. A model that cannot look ahead says 1.
  virtual uint64_t steady_cycles() const { return 1; }

  // One bus access at a byte offset within the unit's window; clocks the model until the response is taken. Two
  // cycles each, except that writes the register map says wait while BUSY take the rest of the search as well.
  // Throws std::logic_error where the unit does not answer (a defect of the RTL, not of the caller).
  virtual Access write(uint32_t offset, uint32_t data, uint8_t strobes = 0xF) = 0;
  virtual Access read(uint32_t offset) = 0;

  // What a debugger sees of a register: no access, no count changes, time stands still. Nothing where there is no such
  // register to read, or where it cannot be looked at now: a Verilated unit only answers while it is idle.
  virtual std::optional<uint32_t> peek(uint64_t offset) {
    if (busy() || offset >= SCORING_UNIT_WINDOW_BYTES) return std::nullopt;
    const Access access = read(static_cast<uint32_t>(offset)); // clocks that nobody counts: they change nothing
    return access.error ? std::nullopt : std::optional<uint32_t>(access.data);
  }

  // The pins of a Verilated unit that has been reset; null where there are none. Whoever drives them makes no access
  // above while a transaction of his is in progress.
  virtual AxiLitePins* pins() { return nullptr; }
};

// A unit built into this program by dtrmc_add_scoring_unit; std::invalid_argument naming the known ones where there
// is no such unit. The unit has been reset.
std::unique_ptr<RtlUnit> make_unit(const std::string& name);

// The behavioural model of such a unit (behavioural_unit.h); std::invalid_argument where there is no unit of this name
// or no model of it.
std::unique_ptr<RtlUnit> make_behavioural_unit(const std::string& name);

// Why there is no model of the built-in unit `name`, as the end of a sentence; empty: there is one.
std::string why_no_behavioural_unit(const std::string& name);

// Names of the units for users, sorted; units added with TEST_ONLY are not among them.
std::vector<std::string> unit_names();

} // namespace dtrmc::unit
