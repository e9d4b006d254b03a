// SPDX-License-Identifier: Apache-2.0
#include "host/sim/policies.h"

#include "host/sim/policies/all.h"

namespace dtrmc::sim {

const std::vector<PolicyEntry>& policies() {
  static const std::vector<PolicyEntry> all = {
      {"random", {"RandomStorage", "AbRandom"}, "1", ParameterKind::kSeed, CostMetric::kOne, false, make_random},
      {"nbhd-penalty", {}, "0.25", ParameterKind::kFactor, CostMetric::kRegions, false, make_nbhd_penalty},
      {"two-phase", {}, "8", ParameterKind::kCount, CostMetric::kRegions, true, make_two_phase},
      {"he-star", {}, nullptr, ParameterKind::kNone, CostMetric::kRegions, false, make_he_star},
      {"cost-stale", {}, nullptr, ParameterKind::kNone, CostMetric::kRegions, false, make_cost_stale},
      {"tie-aware", {}, nullptr, ParameterKind::kNone, CostMetric::kRegions, false, make_tie_aware},
      {"thrash-pen", {}, nullptr, ParameterKind::kNone, CostMetric::kRegions, false, make_thrash_pen},
      {"t-control", {}, "0.3", ParameterKind::kFactor, CostMetric::kRegions, true, make_t_control},
  };
  return all;
}

} // namespace dtrmc::sim
