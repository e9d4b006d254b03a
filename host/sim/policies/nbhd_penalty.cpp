// SPDX-License-Identifier: Apache-2.0
// NbhdPenalty(b): the score of dtr x (1 + b x |e*|), |e*| = storages in both evicted regions, added.
#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class NbhdPenalty : public ScoredPolicy {
 public:
  explicit NbhdPenalty(double factor) : factor_(factor) {}
  std::unique_ptr<Policy> clone() const override { return std::make_unique<NbhdPenalty>(*this); }

 private:
  double score(const DecisionView& view, trace::StorageId s) const override {
    return view.dtr_score(s) * (1.0 + factor_ * static_cast<double>(view.neighbourhood(s)));
  }

  double factor_;
};

} // namespace

std::unique_ptr<Policy> make_nbhd_penalty(const PolicyParameter& parameter, const trace::Schedule&, const Topology&) {
  return std::make_unique<NbhdPenalty>(parameter.factor);
}

} // namespace dtrmc::sim
