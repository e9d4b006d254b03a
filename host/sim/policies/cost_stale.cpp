// SPDX-License-Identifier: Apache-2.0
// CostStale: the score is c(e*) / staleness; the size does not take part (the ablation ab-e-stale, by the name of paper
// 2).
#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class CostStale : public ScoredPolicy {
 public:
  std::unique_ptr<Policy> clone() const override { return std::make_unique<CostStale>(*this); }

 private:
  double score(const DecisionView& view, trace::StorageId s) const override { return view.cost_per_staleness(s); }
};

} // namespace

std::unique_ptr<Policy> make_cost_stale(const PolicyParameter&, const trace::Schedule&, const Topology&) {
  return std::make_unique<CostStale>();
}

} // namespace dtrmc::sim
