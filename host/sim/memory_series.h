// SPDX-License-Identifier: Apache-2.0
// Peak memory over time, downsampled while the run goes on: at most N buckets of one width, which doubles when the run
// outgrows them. No fragmentation: the sum of what is resident.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/sim/allocation.h"

namespace dtrmc::sim {

class MemorySeries : public AllocationObserver {
 public:
  struct Bucket {
    std::uint64_t memory = 0; // bytes, the largest while its time lasts
    std::uint64_t pinned = 0; // bytes outside the pool at an allocation check, the largest
  };

  explicit MemorySeries(std::size_t most) : most_(most) {} // at least 1

  void on_enter(std::size_t step, trace::TensorId tensor, std::uint32_t nesting) override;
  void on_check(const Allocation& check) override;
  // Once, at the end of the run.
  void finish(std::uint64_t clock);

  // Bucket i covers the model clock from 1 + i x width on, in ns.
  std::uint64_t width() const { return width_; }
  const std::vector<Bucket>& buckets() const { return buckets_; }

 private:
  Bucket& at(std::uint64_t clock, std::uint64_t memory);
  void hold_until(std::uint64_t clock);

  std::size_t most_;
  std::uint64_t width_ = 1;
  std::vector<Bucket> buckets_;
  std::uint64_t held_ = 0; // bytes, since the last allocation
};

} // namespace dtrmc::sim
