// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/summary.h"

#include <algorithm>

namespace dtrmc::atlas {

void Summary::add(const Interval& interval) {
  const record::RunRecord& record = interval.result.record;
  const bool ok = record.status == record::Status::kOk;
  const bool after_ok = !stretches_.empty() && stretches_.back().status == record::Status::kOk;
  if (stretches_.empty() || stretches_.back().status != record.status) {
    stretches_.push_back({interval.lo, interval.hi, record.status, 0});
  }
  stretches_.back().hi = interval.hi;
  ++stretches_.back().intervals;
  ++intervals_;
  next_ = interval.hi + 1;
  if (!ok) {
    stable_from_.reset();
    return;
  }
  if (!first_ok_) first_ok_ = interval.lo;
  if (!stable_from_) stable_from_ = interval.lo;
  if (baseline_compute_ == 0) return;
  const double overhead = static_cast<double>(record.clock) / static_cast<double>(baseline_compute_);
  if (after_ok && overhead != last_overhead_ && switch_limit_ > 0) {
    const Switch change{interval.lo, last_overhead_, overhead, last_evictions_, record.policy_evictions};
    const auto larger = [](const Switch& a, const Switch& b) { return a.factor() > b.factor(); };
    switches_.insert(std::upper_bound(switches_.begin(), switches_.end(), change, larger), change);
    if (switches_.size() > switch_limit_) switches_.pop_back();
  }
  last_overhead_ = overhead;
  last_evictions_ = record.policy_evictions;
}

std::vector<FailureRegion> Summary::failure_regions() const {
  std::vector<FailureRegion> regions;
  FailureRegion open;
  bool after_ok = false;
  for (const Stretch& stretch : stretches_) {
    if (stretch.status == record::Status::kOk) {
      if (!open.parts.empty() && after_ok) {
        open.lo = open.parts.front().lo;
        open.hi = open.parts.back().hi;
        regions.push_back(open);
      }
      open.parts.clear();
      after_ok = true;
    } else {
      open.parts.push_back(stretch);
    }
  }
  return regions;
}

} // namespace dtrmc::atlas
