// SPDX-License-Identifier: Apache-2.0
// What a cached search reads, cycle by cycle, as scoring_unit_cache_plan decides it: groups of kept winners, then block
// by block what has to be looked at again, with the slots left empty in which the rows of a block meet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rtl/generated/scoring_unit_pkg.h"

namespace dtrmc::unit {

// A slot of the pipeline: a cycle's reading.
struct CacheSlot {
  enum class Kind : uint8_t { kNothing, kGroup, kSingle, kRow };
  Kind kind = Kind::kNothing;
  bool first = false; // of its block
  bool last = false;
  bool closing = false; // nothing comes after it
  uint32_t index = 0;   // group, block of a single winner, row
};

// What a block wants to be read: rows (bit per row of the block, not 0), after its winner where that is still known.
struct CacheDemand {
  uint32_t rows = 0;
  bool winner = false;
};

class CachePlan {
 public:
  // lanes: of the unit; group_count: groups that the table has; top_row: highest row with a candidate.
  CachePlan(uint32_t lanes, uint32_t group_count, uint32_t top_row)
      : lanes_(lanes), groups_(std::min(group_count, std::max(kTopKnown, top_row / (lanes * lanes) + 1))) {
    for (uint32_t width = 1; width < lanes; width *= 2) tree_latency_ += pkg::COMPARE_LATENCY_EXACT;
  }

  uint32_t groups() const { return groups_; } // that are read
  uint32_t tree_latency() const { return tree_latency_; }

  // The slots of all cycles from the first one with BUSY on. demand(block) tells what a block wants, nothing with rows
  // 0; it is asked for each block of the groups that are read, in their order.
  template <typename Demand>
  void run(Demand demand, std::vector<CacheSlot>& slots) {
    slots.clear();
    do {
      const uint32_t cycle = static_cast<uint32_t>(slots.size()) + 1;
      slots.push_back(read(cycle));
      move(slots.back());
      if (cycle > kDemandDelay && cycle <= kDemandDelay + groups_) { // of the group read that long ago
        const uint32_t first = (cycle - kDemandDelay - 1) * lanes_;
        for (uint32_t block = first; block < first + lanes_; ++block) {
          const CacheDemand wanted = demand(block);
          if (wanted.rows != 0) pending_.push_back({block, wanted});
        }
      }
    } while (!slots.back().closing);
  }

 private:
  static constexpr uint32_t kTopKnown = 4;    // the highest row is known from that cycle on
  static constexpr uint32_t kDemandDelay = 2; // from a group's reading to what its blocks want

  struct Block {
    uint32_t number = 0;
    CacheDemand wanted;
  };

  // The cycle's slot: the registers as they are.
  CacheSlot read(uint32_t cycle) const {
    CacheSlot slot;
    if (cycle <= groups_) {
      slot.kind = CacheSlot::Kind::kGroup;
      slot.index = cycle - 1;
    } else if (now_ && (lasts_ >> tree_latency_ & 1) == 0) { // else a combination enters the tree with this slot
      slot.kind = block_.wanted.winner ? CacheSlot::Kind::kSingle : CacheSlot::Kind::kRow;
      slot.first = first_;
      slot.index = block_.number;
      if (slot.kind == CacheSlot::Kind::kRow) {
        slot.index = block_.number * lanes_ + static_cast<uint32_t>(__builtin_ctz(block_.wanted.rows));
        slot.last = (block_.wanted.rows & (block_.wanted.rows - 1)) == 0;
      }
    }
    slot.closing = cycle > groups_ + kDemandDelay && taken_ == pending_.size() && !pick_ && (!now_ || slot.last);
    return slot;
  }

  // The edge after it.
  void move(const CacheSlot& slot) {
    lasts_ = lasts_ << 1 | (slot.last ? 1 : 0);
    const bool take = pick_ && (!now_ || slot.last);
    if (take) {
      now_ = first_ = true;
      block_ = picked_;
    } else if (slot.last) {
      now_ = false;
    } else if (slot.kind == CacheSlot::Kind::kSingle) {
      first_ = block_.wanted.winner = false;
    } else if (slot.kind == CacheSlot::Kind::kRow) {
      first_ = false;
      block_.wanted.rows &= block_.wanted.rows - 1;
    }
    if (!pick_ || take) {
      pick_ = taken_ < pending_.size();
      if (pick_) picked_ = pending_[taken_++];
    }
  }

  uint32_t lanes_;
  uint32_t groups_;
  uint32_t tree_latency_ = 0;
  std::vector<Block> pending_; // in the order of their numbers, as they are taken
  std::size_t taken_ = 0;
  bool pick_ = false; // the next block
  Block picked_;
  bool now_ = false; // the block in progress
  Block block_;
  bool first_ = false;
  uint64_t lasts_ = 0; // bit n: the slot n + 1 cycles ago ended a block
};

} // namespace dtrmc::unit
