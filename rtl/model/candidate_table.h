// SPDX-License-Identifier: Apache-2.0
// The table of a behavioural scoring unit: what scoring_unit_ram and scoring_unit_valid hold, slot by slot.
#pragma once

#include <cstdint>
#include <vector>

namespace dtrmc::unit {

class CandidateTable {
 public:
  struct Slot {
    uint64_t cost = 0; // as written, 64 bits each
    uint64_t size = 0;
    uint64_t last = 0;
    uint64_t order = 0; // 33 bits
  };

  explicit CandidateTable(uint32_t depth) : slots_(depth), valid_((depth + 63) / 64) {}

  uint32_t depth() const { return static_cast<uint32_t>(slots_.size()); }
  uint32_t count() const { return count_; }
  const Slot& at(uint32_t slot) const { return slots_[slot]; }
  Slot& at(uint32_t slot) { return slots_[slot]; }
  bool valid(uint32_t slot) const { return (valid_[slot / 64] >> slot % 64 & 1) != 0; }

  // Of `count` slots from `first` on, a bit each; both are powers of two or multiples of them, at most 64.
  uint64_t valid_bits(uint32_t first, uint32_t count) const {
    return valid_[first / 64] >> first % 64 & (~uint64_t{0} >> (64 - count));
  }

  void set_valid(uint32_t slot, bool value) {
    if (valid(slot) == value) return;
    valid_[slot / 64] ^= uint64_t{1} << slot % 64;
    count_ += value ? 1 : static_cast<uint32_t>(-1);
  }

  // Fields stay as they are.
  void clear() {
    valid_.assign(valid_.size(), 0);
    count_ = 0;
  }

  // Highest valid slot + 1; 0 for an empty table.
  uint32_t end() const {
    for (std::size_t word = valid_.size(); word-- > 0;) {
      if (valid_[word] == 0) continue;
      uint32_t bit = 63;
      while ((valid_[word] >> bit) == 0) --bit;
      return static_cast<uint32_t>(64 * word) + bit + 1;
    }
    return 0;
  }

 private:
  std::vector<Slot> slots_;
  std::vector<uint64_t> valid_; // bit per slot
  uint32_t count_ = 0;
};

} // namespace dtrmc::unit
