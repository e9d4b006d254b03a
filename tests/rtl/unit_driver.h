// SPDX-License-Identifier: Apache-2.0
// A scoring unit together with what a test believes its table holds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl/generated/scoring_unit_regs.h"
#include "rtl/model/rtl_unit.h"
#include "tests/rtl/reference.h"

namespace dtrmc::test {

struct Result {
  uint32_t word = 0;
  uint32_t cycles = 0;

  bool bit(uint32_t mask) const { return (word & mask) != 0; }
  uint32_t slot() const { return (word & SCORING_UNIT_RESULT_SLOT_MASK) >> SCORING_UNIT_RESULT_SLOT_SHIFT; }
  ScoreClass score_class() const {
    return static_cast<ScoreClass>((word & SCORING_UNIT_RESULT_CLASS_MASK) >> SCORING_UNIT_RESULT_CLASS_SHIFT);
  }
  bool near() const { return bit(SCORING_UNIT_RESULT_NEAR_MASK); }
  bool mixed() const { return bit(SCORING_UNIT_RESULT_MIXED_MASK); }
  bool sat() const { return bit(SCORING_UNIT_RESULT_SAT_MASK); }
  bool empty() const { return bit(SCORING_UNIT_RESULT_EMPTY_MASK); }
  bool done() const { return bit(SCORING_UNIT_RESULT_DONE_MASK); }
  bool busy() const { return bit(SCORING_UNIT_RESULT_BUSY_MASK); }
};

class UnitDriver {
 public:
  explicit UnitDriver(const std::string& name);
  // access_cycles: what a read takes on its bus.
  explicit UnitDriver(std::unique_ptr<unit::RtlUnit> unit, uint32_t access_cycles = 2);

  unit::RtlUnit& unit() { return *unit_; }
  uint32_t lanes() const { return unit_->info().lanes; }
  uint32_t depth() const { return unit_->info().depth; }

  // Accesses that must succeed; return the cycles and the data.
  uint32_t write(uint32_t offset, uint32_t data);
  uint32_t read(uint32_t offset);

  // Writes so far that a full queue held off.
  uint64_t held_off() const { return held_off_; }

  static uint32_t field(uint32_t slot, uint32_t offset) {
    return SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE + offset;
  }

  // With as few stores as the register map allows.
  void insert(const Candidate& candidate);
  void reinsert(uint32_t slot, uint32_t order, uint64_t last); // of one that was removed: cost and size are still there
  void update_cost(uint32_t slot, int64_t cost);
  void update_last(uint32_t slot, uint64_t last);
  void remove(uint32_t slot);
  void soft_reset();
  void set_terms(Terms terms);
  void set_clock(uint64_t clock);

  void start();
  // Clocks to the end of the search.
  void finish();
  Result result();
  Result search();

  bool was_removed(uint32_t slot) const { return !table_[slot] && removed_[slot].has_value(); }
  bool holds(uint32_t slot) const { return table_[slot].has_value(); }
  const Candidate& at(uint32_t slot) const { return *table_[slot]; }
  std::vector<Candidate> candidates() const;
  Expected expected() const { return decide(candidates(), terms_, clock_); }
  // The documented formula for the table as it is.
  uint32_t expected_cycles() const;

 private:
  void write_last(uint32_t slot, uint32_t offset, uint64_t last);
  void write_insert(uint32_t slot, uint32_t order, uint64_t last);

  std::unique_ptr<unit::RtlUnit> unit_;
  uint32_t access_cycles_;
  uint64_t held_off_ = 0;
  std::vector<std::optional<Candidate>> table_;
  std::vector<std::optional<Candidate>> removed_; // [slot] what was there last
  uint64_t next_order_ = 0;
  Terms terms_;
  uint64_t clock_ = 0;
};

} // namespace dtrmc::test
