// SPDX-License-Identifier: Apache-2.0
// ThrashPen: the score of dtr x (1 + times this storage was evicted so far, by the last release included).
#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class ThrashPen : public ScoredPolicy {
 public:
  std::unique_ptr<Policy> clone() const override { return std::make_unique<ThrashPen>(*this); }

 private:
  double score(const DecisionView& view, trace::StorageId s) const override {
    return view.dtr_score(s) * (1.0 + static_cast<double>(view.evictions[s]));
  }
};

} // namespace

std::unique_ptr<Policy> make_thrash_pen(const PolicyParameter&, const trace::Schedule&, const Topology&) {
  return std::make_unique<ThrashPen>();
}

} // namespace dtrmc::sim
