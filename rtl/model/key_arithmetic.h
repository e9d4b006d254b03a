// SPDX-License-Identifier: Apache-2.0
// The approximate arithmetics of the scoring unit: entries with a key of score_key.h, which is what the RTL's lanes
// compute. They never raise NEAR.
#pragma once

#include <cstdint>

#include "rtl/model/lane.h"
#include "rtl/model/score_key.h"

namespace dtrmc::unit {

// Kind: pkg::LOG2, pkg::MITCHELL or pkg::FLOAT.
template <int Kind>
class KeyArithmetic {
 public:
  static constexpr uint32_t kLaneCycles = Kind == pkg::LOG2       ? pkg::LANE_LATENCY_LOG2
                                          : Kind == pkg::MITCHELL ? pkg::LANE_LATENCY_MITCHELL
                                                                  : pkg::LANE_LATENCY_FLOAT;
  static constexpr uint32_t kNearLag = pkg::NEAR_LAG_APPROXIMATE;
  static constexpr uint32_t kMeetCycles = Kind == pkg::FLOAT ? pkg::COMPARE_LATENCY_FLOAT : pkg::COMPARE_LATENCY_LOG;

  struct Entry : LaneEntry {
    score_key key{};
  };

  explicit KeyArithmetic(const BehaviouralParameters& parameters) : format_(parameters.format) {}

  void complete(Entry& entry) const {
    if (entry.score_class != pkg::CLASS_FINITE) return;
    entry.key = score_key_of(&format_, entry.magnitude, entry.negative ? 1 : 0, entry.size, entry.staleness);
  }

  bool first_wins(const Entry& a, const Entry& b, bool&) const {
    if (a.score_class != b.score_class) return a.score_class < b.score_class;
    if (a.score_class == pkg::CLASS_FINITE) {
      const int order = score_compare(&a.key, &b.key);
      if (order != 0) return order < 0;
    }
    if (a.score_class == pkg::CLASS_ZERO) return a.order < b.order;
    // Orders of valid entries differ. Should they not: logarithms compare one number, in which the second then wins.
    return Kind == pkg::FLOAT ? a.order >= b.order : a.order > b.order;
  }

 private:
  score_format format_;
};

} // namespace dtrmc::unit
