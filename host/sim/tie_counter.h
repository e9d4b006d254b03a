// SPDX-License-Identifier: Apache-2.0
// How often the smallest score is not one candidate's alone: then the order of the pool decides, or what a victim rule
// says of ties. Of a rule the score is what it compares, over the candidates that it considers.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/candidate.h"

namespace dtrmc::sim {

class TieCounter : public DecisionObserver {
 public:
  struct Count {
    std::uint64_t decisions = 0;  // with at least one other candidate of the smallest score
    std::uint64_t candidates = 0; // such candidates, over all decisions
  };

  void on_decision(const std::vector<Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override;

  const Count& exact() const { return exact_; } // equal as the rounded doubles (lru and the like: integers) compared
  const Count& near() const { return near_; }   // within 1e-6 of the smallest, the equal ones included

 private:
  Count exact_;
  Count near_;
};

} // namespace dtrmc::sim
