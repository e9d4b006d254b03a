// SPDX-License-Identifier: Apache-2.0
// What an atlas says: where runs complete, the failure regions between, and the sharpest changes of cost. Terms as in
// the papers, with exact bounds in place of samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/atlas/explore.h"

namespace dtrmc::atlas {

// Budgets of one kind of outcome, neighbouring intervals merged.
struct Stretch {
  std::uint64_t lo = 0; // bytes, inclusive
  std::uint64_t hi = 0;
  record::Status status = record::Status::kOk;
  std::uint64_t intervals = 0;
};

// Budgets that do not complete, all of a maximal run of such, with completing budgets immediately on both sides.
struct FailureRegion {
  std::uint64_t lo = 0; // bytes, inclusive
  std::uint64_t hi = 0;
  std::vector<Stretch> parts; // by status: oom and thrash are never merged
};

// One byte more of budget, another cost.
struct Switch {
  std::uint64_t at = 0; // first byte of the upper interval
  double below = 0;     // overheads
  double above = 0;
  std::uint64_t evictions_below = 0; // by the heuristic
  std::uint64_t evictions_above = 0;
  double factor() const { return below > above ? below / above : above / below; }
};

class Summary {
 public:
  // The largest `switches` changes of overhead are kept.
  Summary(std::uint64_t baseline_compute, std::size_t switches)
      : baseline_compute_(baseline_compute), switch_limit_(switches) {}

  void add(const Interval& interval); // ascending, without gaps

  std::uint64_t intervals() const { return intervals_; }
  std::uint64_t next() const { return next_; } // first byte not covered; 0 before the first interval
  std::optional<std::uint64_t> first_ok() const { return first_ok_; } // lowest budget that completes
  // Lowest budget from which all complete, up to the last one added; none where that one fails.
  std::optional<std::uint64_t> stable_from() const { return stable_from_; }
  const std::vector<Stretch>& stretches() const { return stretches_; } // the whole line
  std::vector<FailureRegion> failure_regions() const;
  const std::vector<Switch>& switches() const { return switches_; } // largest factor first; ties: lower budget first

 private:
  std::uint64_t baseline_compute_;
  std::size_t switch_limit_;
  std::uint64_t intervals_ = 0;
  std::uint64_t next_ = 0;
  std::optional<std::uint64_t> first_ok_;
  std::optional<std::uint64_t> stable_from_;
  std::vector<Stretch> stretches_;
  std::vector<Switch> switches_;
  // the last interval that completed, if the one before the next
  double last_overhead_ = 0;
  std::uint64_t last_evictions_ = 0;
};

} // namespace dtrmc::atlas
