// SPDX-License-Identifier: Apache-2.0
// One entry of the pool at an eviction decision, with the terms of its score; and who may look at decisions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/sim/quotient.h"
#include "host/trace/schedule.h"

namespace dtrmc::sim {

// The score is cost / (size x staleness), without the factors that the heuristic leaves out.
struct Candidate {
  trace::StorageId storage = 0;
  Int128 cost = 0;                        // ns; lru: the last access itself, ticks. |cost| < 2^64
  std::optional<std::uint64_t> size;      // bytes, below 2^63
  std::optional<std::uint64_t> staleness; // ticks (Settings::tick_ns), below 2^63
  // What a victim rule (sim::Policy) compares; absent for the entries that it leaves out of this decision. The score
  // above is then dtr's.
  std::optional<double> rule_score;
  std::uint64_t clock = 0;       // ns
  std::uint64_t last_access = 0; // ns, that staleness counts from

  bool is_quotient() const { return size || staleness; }
  UInt128 denominator() const { return static_cast<UInt128>(size.value_or(1)) * staleness.value_or(1); }
};

class DecisionObserver {
 public:
  virtual ~DecisionObserver() = default;
  // Before the eviction takes place: the pool in its order, the victim among it. `pinned`: bytes resident outside the
  // pool; `nesting`: materialisations in progress.
  virtual void on_decision(const std::vector<Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                           std::uint32_t nesting) = 0;
};

} // namespace dtrmc::sim
