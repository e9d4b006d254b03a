// SPDX-License-Identifier: Apache-2.0
// What an arithmetic would choose at the decisions of a run, beside what exact arithmetic chooses from the same pool.
#pragma once

#include <cstdint>
#include <vector>

#include "host/arithmetic/arithmetic.h"
#include "host/sim/candidate.h"

namespace dtrmc::sim {

class ChoiceAudit : public DecisionObserver {
 public:
  struct Judged {
    arithmetic::Format arithmetic;
    std::uint64_t tick_ns = 1;
    std::uint64_t other = 0; // decisions in which it takes another candidate than exact arithmetic with ticks of 1 ns
    // Regret of one decision: h of its choice / h of the exact one - 1, both exact. Where those differ in sign, or the
    // exact h is 0 or its choice's infinite, there is none; such decisions are counted.
    double regret_sum = 0;
    double regret_max = 0;
    std::uint64_t unbounded = 0;
  };

  // Of a run at any tick: candidates say their times in ns.
  explicit ChoiceAudit(std::vector<Judged> judged) : judged_(std::move(judged)) {}

  void on_decision(const std::vector<Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override;

  const std::vector<Judged>& judged() const { return judged_; }
  std::uint64_t decisions() const { return decisions_; }

 private:
  std::vector<Judged> judged_;
  std::uint64_t decisions_ = 0;
};

} // namespace dtrmc::sim
