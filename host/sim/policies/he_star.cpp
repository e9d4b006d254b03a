// SPDX-License-Identifier: Apache-2.0
// HEStar: the score is |e*|, the number of storages in both evicted regions, added.
#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class HeStar : public ScoredPolicy {
 public:
  std::unique_ptr<Policy> clone() const override { return std::make_unique<HeStar>(*this); }

 private:
  double score(const DecisionView& view, trace::StorageId s) const override {
    return static_cast<double>(view.neighbourhood(s));
  }
};

} // namespace

std::unique_ptr<Policy> make_he_star(const PolicyParameter&, const trace::Schedule&, const Topology&) {
  return std::make_unique<HeStar>();
}

} // namespace dtrmc::sim
