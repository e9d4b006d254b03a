// SPDX-License-Identifier: Apache-2.0
// A victim rule that is more than cost / (size x staleness): one file in policies/ and one line in policies.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "host/sim/pool.h"
#include "host/sim/quotient.h"
#include "host/sim/regions.h"
#include "host/sim/state.h"
#include "host/sim/topology.h"

namespace dtrmc::sim {

struct Choice {
  trace::StorageId victim = kNoStorage;
  std::uint64_t evaluated = 0; // candidates looked at, the last one included
};

// What a rule may look at. The pool is not empty.
struct DecisionView {
  const Pool& pool;
  const State& state;
  const Regions* regions;                      // where the rule's cost metric is kRegions
  const std::vector<std::uint32_t>& evictions; // by storage, of both kinds, so far
  std::uint64_t clock;                         // ns
  std::uint64_t tick;                          // ns; staleness counts these
  std::uint64_t memory;                        // bytes in use
  std::uint64_t request;                       // bytes asked for; memory + request > budget
  std::uint64_t budget;                        // bytes; rules that look at it are registered with reads_budget

  const StorageState& storage(trace::StorageId s) const { return state.storages[s]; }
  // ticks
  std::uint64_t staleness(trace::StorageId s) const {
    return tick == 1 ? clock - storage(s).last_access : clock / tick - storage(s).last_access / tick;
  }
  // ns, c(e*): compute of s and of both evicted regions
  std::uint64_t cost(trace::StorageId s) const {
    return storage(s).compute + regions->forward_compute(s) + regions->reverse_compute(s);
  }
  // |e*|: sizes of both interiors, added
  std::uint64_t neighbourhood(trace::StorageId s) const {
    return regions->forward_count(s) + regions->reverse_count(s);
  }
  // The score of `dtr`: cost / (size x staleness), one rounded double; infinite where the denominator is 0.
  double dtr_score(trace::StorageId s) const { return quotient(s, storage(s).size); }
  double cost_per_staleness(trace::StorageId s) const { return quotient(s, 1); }

 private:
  double quotient(trace::StorageId s, std::uint64_t factor) const {
    const UInt128 denominator = static_cast<UInt128>(factor) * staleness(s);
    return denominator == 0 ? std::numeric_limits<double>::infinity()
                            : rounded_quotient(static_cast<Int128>(cost(s)), denominator);
  }
};

class Policy {
 public:
  virtual ~Policy() = default;
  virtual Choice choose(const DecisionView& view) = 0;
  // What choose() would compare: a score for each entry of the pool, in its order; NaN where the rule leaves the entry
  // out of this decision. Empty: it compares no scores.
  virtual std::vector<double> scores(const DecisionView& view) const = 0;
  // A run can be copied in the middle, and its rule with it.
  virtual std::unique_ptr<Policy> clone() const = 0;
  // What it remembers from one decision to the next, if anything: part of Run::fingerprint.
  virtual std::uint64_t state() const { return 0; }
};

// A member that is copied by cloning.
class PolicyOwner {
 public:
  PolicyOwner() = default;
  explicit PolicyOwner(std::unique_ptr<Policy> policy) : policy_(std::move(policy)) {}
  PolicyOwner(const PolicyOwner& other) : policy_(other.policy_ ? other.policy_->clone() : nullptr) {}
  PolicyOwner(PolicyOwner&& other) noexcept = default;
  PolicyOwner& operator=(PolicyOwner&& other) noexcept = default;
  PolicyOwner& operator=(const PolicyOwner& other) = delete;
  ~PolicyOwner() = default;
  explicit operator bool() const { return policy_ != nullptr; }
  Policy* operator->() const { return policy_.get(); }

 private:
  std::unique_ptr<Policy> policy_;
};

// The scan of simrd over any score: the last entry with the smallest one wins, a score of zero stops it.
template <typename Score>
Choice scan_pool(const DecisionView& view, Score score) {
  Choice choice;
  double best = std::numeric_limits<double>::infinity();
  for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) {
    ++choice.evaluated;
    const double h = score(s);
    if (h <= best) {
      choice.victim = s;
      best = h;
    }
    if (h == 0.0) break;
  }
  return choice;
}

// A rule that is a score.
class ScoredPolicy : public Policy {
 public:
  Choice choose(const DecisionView& view) final {
    return scan_pool(view, [&](trace::StorageId s) { return score(view, s); });
  }
  std::vector<double> scores(const DecisionView& view) const final {
    std::vector<double> out;
    for (trace::StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) out.push_back(score(view, s));
    return out;
  }

 private:
  virtual double score(const DecisionView& view, trace::StorageId s) const = 0;
};

} // namespace dtrmc::sim
