// SPDX-License-Identifier: Apache-2.0
// The cached search of scoring_unit_cache, evaluated in one go: what is read in which cycle (CachePlan), what meets in
// the tree and in the accumulator, and what is remembered of each block, and until when.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/model/behavioural_cache_life.h"
#include "rtl/model/behavioural_cache_plan.h"
#include "rtl/model/behavioural_parameters.h"
#include "rtl/model/behavioural_search.h"
#include "rtl/model/candidate_table.h"
#include "rtl/model/exact_arithmetic.h"
#include "rtl/model/lane.h"

namespace dtrmc::unit {

class CachedSearch {
 public:
  explicit CachedSearch(const BehaviouralParameters& parameters);

  void clear();              // a reset
  void touch(uint32_t slot); // it has changed
  SearchOutcome search(const CandidateTable& table, const SearchTerms& terms);

 private:
  using Entry = ExactArithmetic::Entry;

  // LANES rows; masks have a bit per row.
  struct Block {
    uint32_t touched = 0;
    uint32_t zero = 0; // the row held a zero when it was read last
    uint32_t negative = 0;
    uint32_t any = 0;  // rows with a candidate, as the search began
    bool kept = false; // the winner is known, until the end of its time
    bool endless = false;
    uint64_t until = 0;
    uint32_t place = 0; // the winner's slot within the block
    CandidateTable::Slot winner;
  };

  // What leaves the tree: the best of a slot, and how long it stays that.
  struct Best {
    Entry entry;
    Life life = kForEver;
  };

  uint32_t rows_with_candidates(const CandidateTable& table, uint32_t block) const;
  CacheDemand demand(const Block& block) const;
  bool expired(const Block& block) const;
  void load_winner(const Block& block, uint32_t number, Entry& entry) const;
  Best tree(std::vector<Entry>& entries, uint32_t cycle, bool lives);
  Best read_group(uint32_t group, uint32_t cycle);
  Best read_row(const CandidateTable& table, uint32_t row, uint32_t cycle);
  void part(const Best& best, bool first);
  void combine(uint32_t block, uint32_t cycle);

  BehaviouralParameters parameters_;
  ExactArithmetic arithmetic_;
  uint32_t place_bits_ = 0;
  std::vector<Block> blocks_; // all of all groups
  // Of the last search.
  SearchTerms terms_;
  bool sat_ = false;

  // Of the search that is evaluated.
  uint64_t clock_ = 0; // cut to its width
  Lane lane_;
  SearchOutcome outcome_;
  uint32_t near_cycle_ = 0; // the first in which the tree says that a comparison is near
  std::vector<CacheSlot> slots_;
  std::vector<Entry> entries_;
  std::vector<Entry> parts_; // of the block in progress
  Life parts_life_ = kForEver;
};

} // namespace dtrmc::unit
