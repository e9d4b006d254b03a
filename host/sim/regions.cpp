// SPDX-License-Identifier: Apache-2.0
#include "host/sim/regions.h"

#include <algorithm>

namespace dtrmc::sim {

Regions::Regions(const Topology& topology, const State& state)
    : topology_(topology),
      state_(&state),
      track_pinned_(!topology.linking_views.empty()),
      forward_(state.storages.size()),
      reverse_(state.storages.size()),
      mark_(state.storages.size()) {}

// A pinned storage is never scored and never evicted, so its regions are never read, and parameters have the largest
// ones of all. Only where frontiers can lack a member (linking views) must they be kept, to notice that.
bool Regions::tracked(trace::StorageId s) const {
  const StorageState& entry = state_->storages[s];
  return entry.material && (track_pinned_ || !entry.pinned);
}

void Regions::rebuild(trace::StorageId base, const LinkTable& links, std::vector<Region>& regions) {
  if (++epoch_ == 0) {
    std::fill(mark_.begin(), mark_.end(), 0);
    epoch_ = 1;
  }
  interior_.clear();
  frontier_.clear();
  std::uint64_t compute = 0;
  mark_[base] = epoch_;
  trace::StorageId at = base;
  for (std::size_t next = 0;; at = interior_[next++]) {
    for (const Link& link : links.of(at)) {
      if (link.since >= state_->tensors_created) break;
      if (mark_[link.storage] == epoch_) continue;
      mark_[link.storage] = epoch_;
      const StorageState& entry = state_->storages[link.storage];
      if (entry.material) {
        frontier_.push_back(link.storage);
      } else {
        interior_.push_back(link.storage);
        compute += entry.compute;
      }
    }
    if (next == interior_.size()) break;
  }
  Region& region = regions[base];
  region.interior.assign(interior_);
  region.frontier.assign(frontier_);
  region.compute = compute;
}

// Every storage in `around`'s frontier takes `s`, evicted just now, and s's own region into its region.
void Regions::absorb(const Region& around, trace::StorageId s, std::vector<Region>& regions) {
  const Region& own = regions[s];
  around.frontier.for_each([&](trace::StorageId x) {
    if (!tracked(x)) {
      if (!state_->storages[x].material) simrd_defined_ = false;
      return;
    }
    Region& region = regions[x];
    if (!region.frontier.contains(s)) simrd_defined_ = false;
    region.frontier.erase(s);
    region.frontier.unite(own.frontier);
    if (!region.interior.contains(s)) {
      region.interior.insert(s);
      region.compute += state_->storages[s].compute;
    }
    region.interior.unite(own.interior, [&](trace::StorageId i) { region.compute += state_->storages[i].compute; });
  });
}

void Regions::on_evicted(trace::StorageId s) {
  absorb(reverse_[s], s, forward_);
  absorb(forward_[s], s, reverse_);
  forward_[s] = Region();
  reverse_[s] = Region();
}

void Regions::on_material(const std::vector<trace::StorageId>& fresh) {
  for (const trace::StorageId s : fresh) {
    rebuild(s, topology_.forward, forward_);
    rebuild(s, topology_.reverse, reverse_);
    reverse_[s].frontier.for_each([&](trace::StorageId x) {
      if (tracked(x)) rebuild(x, topology_.forward, forward_);
    });
    forward_[s].frontier.for_each([&](trace::StorageId x) {
      if (tracked(x)) rebuild(x, topology_.reverse, reverse_);
    });
  }
}

} // namespace dtrmc::sim
