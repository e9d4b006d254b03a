// SPDX-License-Identifier: Apache-2.0
// TieAware: among the scores of dtr within a factor of 1 + 1e-6 of the smallest, the largest storage, then the one
// created first.
#include <algorithm>
#include <vector>

#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class TieAware : public Policy {
 public:
  Choice choose(const DecisionView& view) override {
    double best = std::numeric_limits<double>::infinity();
    Choice choice;
    score_all(view, scores_);
    for (const double h : scores_) best = std::min(best, h);
    choice.evaluated = scores_.size();
    const double bound = best * (1.0 + 1e-6);
    std::size_t at = 0;
    for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s), ++at) {
      if (scores_[at] > bound) continue;
      const std::uint64_t size = view.storage(s).size;
      const std::uint64_t largest = choice.victim == kNoStorage ? 0 : view.storage(choice.victim).size;
      if (choice.victim == kNoStorage || size > largest || (size == largest && s < choice.victim)) choice.victim = s;
    }
    return choice;
  }
  std::vector<double> scores(const DecisionView& view) const override {
    std::vector<double> out;
    score_all(view, out);
    return out;
  }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<TieAware>(*this); }

 private:
  static void score_all(const DecisionView& view, std::vector<double>& out) {
    out.clear();
    for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s))
      out.push_back(view.dtr_score(s));
  }

  std::vector<double> scores_; // scratch
};

} // namespace

std::unique_ptr<Policy> make_tie_aware(const PolicyParameter&, const trace::Schedule&, const Topology&) {
  return std::make_unique<TieAware>();
}

} // namespace dtrmc::sim
