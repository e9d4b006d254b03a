// SPDX-License-Identifier: Apache-2.0
#include "host/sim/regions.h"

#include <algorithm>

namespace dtrmc::sim {

using trace::StorageId;

Regions::Regions(const Topology& topology, const State& state)
    : topology_(topology),
      state_(&state),
      walk_(!topology.linking_views.empty()),
      forward_(state.storages.size()),
      reverse_(state.storages.size()),
      mark_(state.storages.size()) {}

// A pinned storage is never scored and never evicted, so its regions are never read, and parameters have the largest
// ones of all. Only where frontiers can lack a member (linking views) must they be kept, to notice that.
bool Regions::tracked(StorageId s) const {
  const StorageState& entry = state_->storages[s];
  return entry.material && (walk_ || !entry.pinned);
}

void Regions::advance_epoch() {
  if (++epoch_ != 0) return;
  std::fill(mark_.begin(), mark_.end(), 0);
  epoch_ = 1;
}

void Regions::on_grown(StorageId s, std::uint64_t ns) {
  grown_ = s;
  grown_by_ = ns;
  ++grown_epoch_; // an operator each, so it cannot wrap
}

void Regions::on_evicted(StorageId s) {
  absorb(reverse_[s], s, forward_);
  absorb(forward_[s], s, reverse_);
  forward_[s] = Region();
  reverse_[s] = Region();
}

void Regions::on_material(const std::vector<StorageId>& fresh) {
  for (const StorageId s : fresh) {
    if (walk_) {
      rebuild_around(s);
    } else {
      settle(s);
    }
  }
}

// Regions that are not tracked are rebuilt before they are read again, or never read.
void Regions::add_to(Fingerprint& f) const {
  f.add(simrd_defined_ ? 1 : 0);
  f.add(grown_);
  if (grown_ != kNoStorage) f.add(grown_by_);
  f.add(pending_.size());
  for (const StorageId s : pending_) f.add(s);
  for (StorageId s = 0; s < forward_.size(); ++s) {
    if (!tracked(s)) continue;
    for (const Region* region : {&forward_[s], &reverse_[s]}) {
      region->interior.add_to(f);
      region->frontier.add_to(f);
      f.add(region->compute);
      f.add(grown_ != kNoStorage && region->grown == grown_epoch_ ? 1 : 0);
    }
  }
}

// Every storage in `around`'s frontier takes `s`, evicted just now, and s's own region into its region.
void Regions::absorb(const Region& around, StorageId s, std::vector<Region>& regions) {
  const Region& own = regions[s];
  const bool brings_grown = grown_ != kNoStorage && own.interior.contains(grown_);
  around.frontier.for_each([&](StorageId x) {
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
    if (brings_grown && !region.interior.contains(grown_)) region.grown = grown_epoch_;
    region.interior.unite(own.interior, [&](StorageId i) { region.compute += state_->storages[i].compute; });
  });
}

// From scratch, by walking.
void Regions::rebuild(StorageId base, const LinkTable& links, std::vector<Region>& regions) {
  advance_epoch();
  interior_.clear();
  frontier_.clear();
  std::uint64_t compute = 0;
  mark_[base] = epoch_;
  StorageId at = base;
  for (std::size_t next = 0;; at = interior_[next++]) {
    for (const Link& link : links.of(at)) {
      if (link.since >= state_->tensors_created) break;
      if (mark_[link.storage] == epoch_) continue;
      mark_[link.storage] = epoch_;
      const StorageState& entry = state_->storages[link.storage];
      if (!entry.material) {
        interior_.push_back(link.storage);
        compute += entry.compute;
      } else if (tracked(link.storage)) {
        frontier_.push_back(link.storage);
      }
    }
    if (next == interior_.size()) break;
  }
  Region& region = regions[base];
  region.interior.assign(interior_);
  region.frontier.assign(frontier_);
  region.compute = compute;
  region.grown = grown_epoch_;
}

// --- with linking views

void Regions::rebuild_around(StorageId s) {
  rebuild(s, topology_.forward, forward_);
  rebuild(s, topology_.reverse, reverse_);
  reverse_[s].frontier.for_each([&](StorageId x) {
    if (tracked(x)) rebuild(x, topology_.forward, forward_);
  });
  forward_[s].frontier.for_each([&](StorageId x) {
    if (tracked(x)) rebuild(x, topology_.reverse, reverse_);
  });
}

// --- without: the same values, from what the change takes away

// s became material. Its inputs are material, so its reverse region is empty and they are its whole reverse frontier:
// their forward regions lose s and what was reachable through s alone; the reverse regions of what s reaches lose s.
void Regions::settle(StorageId s) {
  if (std::find(pending_.begin(), pending_.end(), s) != pending_.end()) pending_.clear(); // the operator has run
  rebuild(s, topology_.forward, forward_);
  parents_.clear();
  for (const Link& link : topology_.reverse.of(s)) {
    if (tracked(link.storage)) parents_.push_back(link.storage);
  }
  Region& above = reverse_[s];
  above.interior.clear();
  above.frontier.assign(parents_);
  above.compute = 0;
  for (const StorageId parent : parents_) cut(parent, s);

  const std::uint64_t compute = state_->storages[s].compute;
  forward_[s].frontier.for_each([&](StorageId x) {
    if (!tracked(x)) return;
    Region& region = reverse_[x];
    take_grown(region);
    if (region.interior.contains(s)) {
      region.interior.erase(s);
      region.compute -= compute;
    }
    region.frontier.insert(s);
    for (const StorageId parent : parents_) {
      if (!forward_[parent].frontier.contains(x)) region.frontier.erase(parent);
    }
  });
  if (grown_ == s) grown_ = kNoStorage; // no sum holds it any more
}

// The forward region of `parent`, an input of `s`, loses s. forward_[s] is up to date.
void Regions::cut(StorageId parent, StorageId s) {
  Region& region = forward_[parent];
  take_grown(region);
  if (region.interior.contains(s)) {
    std::vector<StorageId>& lost = interior_;
    lost.assign(1, s);
    region.interior.erase(s);
    region.compute -= state_->storages[s].compute;
    advance_epoch();
    mark_children(s);
    // Ascending ids: when a storage's turn comes, all that could support it is decided.
    forward_[s].interior.for_each([&](StorageId v) {
      if (mark_[v] != epoch_ || !region.interior.contains(v) || supported(v, parent, region)) return;
      lost.push_back(v);
      region.interior.erase(v);
      region.compute -= state_->storages[v].compute;
      mark_children(v);
    });
    for (const StorageId v : lost) {
      for (const Link& link : topology_.forward.of(v)) {
        if (link.since >= state_->tensors_created) break;
        if (region.frontier.contains(link.storage) && !supported(link.storage, parent, region)) {
          region.frontier.erase(link.storage);
        }
      }
    }
  }
  region.frontier.insert(s);
  take_pending(parent);
}

// `region` around `base` still reaches s.
bool Regions::supported(StorageId s, StorageId base, const Region& region) const {
  for (const Link& link : topology_.reverse.of(s)) {
    if (link.storage == base || region.interior.contains(link.storage)) return true;
  }
  return false;
}

void Regions::mark_children(StorageId s) {
  for (const Link& link : topology_.forward.of(s)) {
    if (link.since >= state_->tensors_created) break;
    mark_[link.storage] = epoch_;
  }
}

// A rebuild sums computes as they stand now.
void Regions::take_grown(Region& region) const {
  if (grown_ == kNoStorage || region.grown == grown_epoch_ || !region.interior.contains(grown_)) return;
  region.compute += grown_by_;
  region.grown = grown_epoch_;
}

// A rebuild walks to the storages of the operator in progress.
void Regions::take_pending(StorageId base) {
  if (pending_.empty()) return;
  Region& region = forward_[base];
  if (region.interior.contains(pending_.front()) || !supported(pending_.front(), base, region)) return;
  for (const StorageId s : pending_) {
    region.interior.insert(s);
    region.compute += state_->storages[s].compute;
  }
}

} // namespace dtrmc::sim
