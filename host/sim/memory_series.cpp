// SPDX-License-Identifier: Apache-2.0
#include "host/sim/memory_series.h"

#include <algorithm>

namespace dtrmc::sim {

void MemorySeries::on_enter(std::size_t /*step*/, trace::TensorId /*tensor*/, std::uint32_t /*nesting*/) {}

// The bucket of `clock`; the new ones up to it begin with `memory`.
MemorySeries::Bucket& MemorySeries::at(std::uint64_t clock, std::uint64_t memory) {
  std::uint64_t index = (clock - 1) / width_;
  while (index >= most_) {
    const std::size_t half = (buckets_.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
      Bucket merged = buckets_[2 * i];
      if (2 * i + 1 < buckets_.size()) {
        merged.memory = std::max(merged.memory, buckets_[2 * i + 1].memory);
        merged.pinned = std::max(merged.pinned, buckets_[2 * i + 1].pinned);
      }
      buckets_[i] = merged;
    }
    buckets_.resize(half);
    width_ *= 2;
    index = (clock - 1) / width_;
  }
  while (buckets_.size() <= index) buckets_.push_back({memory, 0});
  return buckets_[index];
}

// What the last allocation left stands until just before `clock`: only an operator that runs lets time pass.
void MemorySeries::hold_until(std::uint64_t clock) {
  if (clock > 1 && !buckets_.empty()) at(clock - 1, held_);
}

void MemorySeries::on_check(const Allocation& check) {
  hold_until(check.clock);
  Bucket& bucket = at(check.clock, check.use);
  bucket.pinned = std::max(bucket.pinned, check.pinned);
  const bool fits = check.shortfall == 0;
  if (fits) held_ = check.use + check.request;
  bucket.memory = std::max(bucket.memory, fits ? held_ : check.use);
}

void MemorySeries::finish(std::uint64_t clock) { hold_until(clock); }

} // namespace dtrmc::sim
