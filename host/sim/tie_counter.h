// SPDX-License-Identifier: Apache-2.0
// How often the smallest score is not the victim's alone: then the order of the pool decides.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/candidate.h"

namespace dtrmc::sim {

class TieCounter : public DecisionObserver {
 public:
  struct Count {
    std::uint64_t decisions = 0;  // with at least one other candidate of the victim's score
    std::uint64_t candidates = 0; // such candidates, over all decisions
  };

  void on_decision(const std::vector<Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override;

  const Count& exact() const { return exact_; } // equal as the rounded doubles (lru and the like: integers) compared
  const Count& near() const { return near_; }   // within 1e-6 of the victim's, the equal ones included

 private:
  Count exact_;
  Count near_;
};

} // namespace dtrmc::sim
