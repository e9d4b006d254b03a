// SPDX-License-Identifier: Apache-2.0
// TwoPhase(k): candidates are the storages of at least the shortfall (1 byte at least); where there are none, the k
// largest (of equal ones those created first). The victim has the smallest c(e*) / staleness, then the larger size,
// then the earlier creation.
#include <algorithm>
#include <vector>

#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

class TwoPhase : public Policy {
 public:
  explicit TwoPhase(std::uint64_t count) : count_(count) {}
  Choice choose(const DecisionView& view) override {
    Choice choice;
    take_part(view, candidates_);
    double best = std::numeric_limits<double>::infinity();
    for (const trace::StorageId s : candidates_) {
      ++choice.evaluated;
      const double h = view.cost_per_staleness(s);
      const std::uint64_t size = view.storage(s).size;
      const std::uint64_t largest = choice.victim == kNoStorage ? 0 : view.storage(choice.victim).size;
      const bool better = choice.victim == kNoStorage || h < best ||
                          (h == best && (size > largest || (size == largest && s < choice.victim)));
      if (!better) continue;
      best = h;
      choice.victim = s;
    }
    return choice;
  }
  std::vector<double> scores(const DecisionView& view) const override {
    std::vector<trace::StorageId> candidates;
    take_part(view, candidates);
    std::sort(candidates.begin(), candidates.end());
    std::vector<double> out;
    for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) {
      const bool takes_part = std::binary_search(candidates.begin(), candidates.end(), s);
      out.push_back(takes_part ? view.cost_per_staleness(s) : std::numeric_limits<double>::quiet_NaN());
    }
    return out;
  }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<TwoPhase>(*this); }

 private:
  void take_part(const DecisionView& view, std::vector<trace::StorageId>& out) const {
    const std::uint64_t shortfall = view.memory + view.request - view.budget;
    out.clear();
    for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) {
      if (view.storage(s).size >= std::max<std::uint64_t>(shortfall, 1)) out.push_back(s);
    }
    if (out.empty()) {
      for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) out.push_back(s);
      std::sort(out.begin(), out.end(), [&](trace::StorageId a, trace::StorageId b) {
        const std::uint64_t of_a = view.storage(a).size;
        const std::uint64_t of_b = view.storage(b).size;
        return of_a != of_b ? of_a > of_b : a < b;
      });
      if (out.size() > count_) out.resize(count_);
    }
  }

  std::uint64_t count_;
  std::vector<trace::StorageId> candidates_; // scratch
};

} // namespace

std::unique_ptr<Policy> make_two_phase(const PolicyParameter& parameter, const trace::Schedule&, const Topology&) {
  return std::make_unique<TwoPhase>(parameter.number);
}

} // namespace dtrmc::sim
