// SPDX-License-Identifier: Apache-2.0
// HEStar: the score is |e*|, the number of storages in both evicted regions, added.
#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class HeStar : public Policy {
 public:
  Choice choose(const DecisionView& view) override {
    return scan_pool(view, [&](trace::StorageId s) { return static_cast<double>(view.neighbourhood(s)); });
  }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<HeStar>(*this); }
};

} // namespace

std::unique_ptr<Policy> make_he_star(const PolicyParameter&, const trace::Schedule&, const Topology&) {
  return std::make_unique<HeStar>();
}

} // namespace dtrmc::sim
