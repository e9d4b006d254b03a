// SPDX-License-Identifier: Apache-2.0
#include "host/sim/fresh_region.h"

#include <algorithm>

namespace dtrmc::sim {

namespace {

// The next stamp for `marks`; starts over where the counter wraps.
void advance(std::uint32_t& stamp, std::vector<std::uint32_t>& marks) {
  if (++stamp != 0) return;
  std::fill(marks.begin(), marks.end(), 0);
  stamp = 1;
}

} // namespace

FreshRegion::FreshRegion(const trace::Schedule& schedule, const Topology& topology, const State& state,
                         const LiveLinks& links)
    : schedule_(schedule),
      topology_(topology),
      state_(&state),
      links_(&links),
      visited_(schedule.storages.size()),
      counted_(schedule.storages.size()) {}

FreshRegion::Measure FreshRegion::measure(trace::StorageId s) {
  advance(measure_, counted_);
  result_ = {0, state_->storages[s].last_access};
  walk(s, true);
  walk(s, false);
  return result_;
}

void FreshRegion::walk(trace::StorageId base, bool forward) {
  advance(walk_, visited_);
  visited_[base] = walk_;
  stack_.assign(1, base);
  while (!stack_.empty()) {
    const trace::StorageId at = stack_.back();
    stack_.pop_back();
    for (std::uint32_t i = topology_.tensors_begin[at]; i < topology_.tensors_begin[at + 1]; ++i) {
      const trace::TensorId t = topology_.tensors[i];
      for (const trace::TensorId other : forward ? links_->children(t) : links_->parents(t)) {
        const trace::StorageId s = schedule_.tensors[other].storage;
        const StorageState& entry = state_->storages[s];
        if (visited_[s] == walk_ || entry.material) continue;
        visited_[s] = walk_;
        stack_.push_back(s);
        if (counted_[s] == measure_) continue;
        counted_[s] = measure_;
        result_.compute += entry.compute;
        result_.last_access = std::max(result_.last_access, entry.last_access);
      }
    }
  }
}

} // namespace dtrmc::sim
