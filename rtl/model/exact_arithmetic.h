// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic of the scoring unit: how scoring_unit_compare orders two candidates, NEAR included. Comparisons are
// settled by doubles where those are certain, otherwise by the cross products.
#pragma once

#include <cmath>
#include <cstdint>

#include "rtl/model/lane.h"

namespace dtrmc::unit {

class ExactArithmetic {
 public:
  static constexpr uint32_t kLaneCycles = pkg::LANE_LATENCY_EXACT; // from a row's number to its entries at the tree
  static constexpr uint32_t kNearLag = pkg::NEAR_LAG_EXACT;        // NEAR comes so much later than the winner
  static constexpr uint32_t kMeetCycles = pkg::COMPARE_LATENCY_EXACT;

  struct Entry : LaneEntry {
    double score = 0; // |h|, within 2^-50 (relative); FINITE only
  };

  explicit ExactArithmetic(const BehaviouralParameters& parameters) : invert_ties_(parameters.invert_ties) {}

  // What the lane adds to the terms it has read.
  void complete(Entry& entry) const {
    if (entry.score_class != pkg::CLASS_FINITE) return;
    entry.score =
        static_cast<double>(entry.magnitude) / (static_cast<double>(entry.size) * static_cast<double>(entry.staleness));
  }

  // Whether `a` wins; `near` is set where the comparison is near, else left.
  bool first_wins(const Entry& a, const Entry& b, bool& near) const {
    if (a.score_class != b.score_class) return a.score_class < b.score_class;
    if (a.score_class == pkg::CLASS_FINITE) {
      if (a.negative != b.negative) return a.negative;
      // Each of five roundings adds 2^-53, so scores farther apart than this differ by more than 2^-47.
      constexpr double kCertain = 0x1p-46;
      const double difference = a.score - b.score;
      if (std::fabs(difference) > kCertain * (a.score + b.score)) return (difference < 0) != a.negative;
      return first_wins_exactly(a, b, near);
    }
    const bool older = a.order < b.order;
    if (a.score_class == pkg::CLASS_ZERO) return older;
    return a.score_class == pkg::CLASS_NONE || older == invert_ties_;
  }

 private:
  bool first_wins_exactly(const Entry& a, const Entry& b, bool& near) const;

  bool invert_ties_;
};

} // namespace dtrmc::unit
