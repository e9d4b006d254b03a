// SPDX-License-Identifier: Apache-2.0
// The part of scoring_unit_lane that all arithmetics share: a slot's fields as the search's terms see them.
#pragma once

#include <cstdint>

#include "rtl/generated/scoring_unit_pkg.h"
#include "rtl/model/behavioural_parameters.h"
#include "rtl/model/candidate_table.h"

namespace dtrmc::unit {

// What a search is asked: the registers at START.
struct SearchTerms {
  bool size = false;
  bool staleness = false;
  uint64_t clock = 0; // all 64 bits
};

struct LaneEntry {
  int score_class = pkg::CLASS_NONE;
  bool negative = false;
  uint32_t order = 0;
  uint32_t slot = 0;
  uint64_t magnitude = 0; // |cost|
  uint64_t size = 0;      // denominator = size x staleness
  uint64_t staleness = 0;
};

class Lane {
 public:
  Lane(const BehaviouralParameters& parameters, const SearchTerms& terms)
      : terms_(terms),
        cost_mask_(ones(parameters.cost_bits)),
        size_mask_(ones(parameters.size_bits)),
        time_mask_(ones(parameters.time_bits)),
        order_mask_(static_cast<uint32_t>(ones(parameters.order_bits))),
        clock_(terms.clock & time_mask_) {}

  uint64_t cut_time(uint64_t value) const { return value & time_mask_; }
  uint64_t clock() const { return clock_; } // cut
  bool clock_fits() const { return !terms_.staleness || (terms_.clock & ~time_mask_) == 0; }

  // A valid slot; `sat` is set where a value does not fit, else left. Such values are cut to their width, as the
  // hardware's wires are.
  void load(const CandidateTable::Slot& slot, uint32_t number, LaneEntry& entry, bool& sat) const {
    const uint64_t sign_bits = ~(cost_mask_ >> 1); // all alike where the cost fits
    const uint64_t signs = slot.cost & sign_bits;
    sat = sat || (signs != 0 && signs != sign_bits) || (slot.order & ~uint64_t{order_mask_}) != 0 ||
          (terms_.size && (slot.size & ~size_mask_) != 0) || (terms_.staleness && (slot.last & ~time_mask_) != 0);
    const uint64_t cost = slot.cost & cost_mask_;
    const uint64_t last = slot.last & time_mask_;
    entry.negative = (cost & sign_bits) != 0;
    entry.magnitude = entry.negative ? (0 - cost) & cost_mask_ : cost;
    entry.order = static_cast<uint32_t>(slot.order) & order_mask_;
    entry.slot = number;
    entry.size = terms_.size ? slot.size & size_mask_ : 1;
    entry.staleness = !terms_.staleness ? 1 : clock_ > last ? clock_ - last : 0;
    entry.score_class = entry.size == 0 || entry.staleness == 0 ? pkg::CLASS_INFINITE
                        : cost == 0                             ? pkg::CLASS_ZERO
                                                                : pkg::CLASS_FINITE;
  }

 private:
  static uint64_t ones(uint32_t bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

  SearchTerms terms_;
  uint64_t cost_mask_, size_mask_, time_mask_;
  uint32_t order_mask_;
  uint64_t clock_; // cut
};

} // namespace dtrmc::unit
