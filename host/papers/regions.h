// SPDX-License-Identifier: Apache-2.0
// Exact outcomes beside the papers' samples: every budget of the ranges in which they looked for holes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "host/atlas/summary.h"
#include "host/papers/loaded_trace.h"

namespace dtrmc::papers {

struct RangeKey {
  std::string trace;
  std::string heuristic;
  std::string limit; // of the overhead
  std::string from;  // ratios as published
  std::string to;
  bool operator<(const RangeKey& o) const {
    return std::tie(trace, heuristic, limit, from, to) < std::tie(o.trace, o.heuristic, o.limit, o.from, o.to);
  }
};

struct AtlasOptions {
  unsigned jobs = 1;
  std::string version; // of dtrmc, for the files
  std::string folder;  // of atlas files that are kept, and gone on with; empty: none
  // Share of the budgets of this trace's atlas that are covered; may be empty.
  std::function<void(const std::string& trace, double part, std::uint64_t intervals)> progress;
};

class Regions {
 public:
  void want(const RangeKey& key) { wanted_[key]; }
  bool empty() const { return wanted_.empty(); }

  // Explores all of them; ranges that overlap are explored once. Throws record::FileError (of a kept file),
  // sim::ClockOverflow, std::invalid_argument (a heuristic without intervals).
  void make(TraceStore& traces, const AtlasOptions& options);

  const atlas::Summary& of(const RangeKey& key) const { return *wanted_.at(key); }

 private:
  std::map<RangeKey, std::unique_ptr<atlas::Summary>> wanted_;
};

} // namespace dtrmc::papers
