// SPDX-License-Identifier: Apache-2.0
// The scoring unit as plain C++, with the RTL's answer, flags, interrupt level and number of cycles at every access:
// scorer `tlm`. A search is evaluated when it starts; clocking it is an addition.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "rtl/model/behavioural_cache.h"
#include "rtl/model/behavioural_parameters.h"
#include "rtl/model/behavioural_search.h"
#include "rtl/model/candidate_table.h"
#include "rtl/model/lane.h"
#include "rtl/model/rtl_unit.h"

namespace dtrmc::unit {

class BehaviouralUnit final : public RtlUnit {
 public:
  BehaviouralUnit(std::string name, const BehaviouralParameters& parameters);

  const UnitInfo& info() const override { return info_; }
  void reset() override;
  bool busy() const override { return hold_left_ != 0 || !queue_.empty(); }
  bool irq() const override { return done_ && irq_enable_; }
  void clock(uint64_t cycles) override;
  uint64_t steady_cycles() const override { return left_ != 0 ? left_ : hold_left_ + queue_.size(); }
  Access write(uint32_t offset, uint32_t data, uint8_t strobes) override;
  Access read(uint32_t offset) override;
  std::optional<uint32_t> peek(uint64_t offset) override; // while busy too

 private:
  // A write as scoring_unit_regs decodes it.
  struct Write {
    uint32_t word = 0; // byte offset of the word
    uint32_t data = 0;
    uint8_t strobes = 0;
    bool error = false;
    bool queues = false; // is carried out in order with others, while no search runs
    bool starts = false; // a search
  };
  Write decode_write(uint32_t offset, uint32_t data, uint8_t strobes) const;
  bool grants(const Write& write) const;
  void edge(const Write* write); // a rising clock edge, with the write that is accepted at it or null
  void hold_cycles(uint64_t cycles);
  void take(const Write& write);
  void update(const Write& write);
  void insert(CandidateTable::Slot& slot, uint32_t number);
  void control(const Write& write, bool searching);
  SearchOutcome search();
  void start();
  uint32_t result_word() const;
  bool register_value(uint32_t word, uint32_t& value) const; // false: there is none to read
  void pass(Access& access, const Write* write);             // one clock cycle of an access

  BehaviouralParameters parameters_;
  UnitInfo info_;
  CandidateTable table_;
  std::optional<CachedSearch> cache_;
  std::deque<Write> queue_;
  std::optional<Write> update_; // of a slot: taken at the last edge, reaches the table at the next one
  uint64_t next_order_ = 0;     // 33 bits
  SearchTerms terms_;
  bool irq_enable_ = false;
  bool soft_reset_ = false; // written at the last edge, acts at the next one
  bool done_ = false;
  SearchOutcome outcome_;  // of the search in progress or the last one
  uint64_t left_ = 0;      // cycles with BUSY of the search in progress
  uint64_t hold_left_ = 0; // cycles in which it takes no update; not less
  uint32_t cycles_ = 0;    // of them, those that are over
  uint64_t total_cycles_ = 0;
};

} // namespace dtrmc::unit
