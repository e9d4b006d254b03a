// SPDX-License-Identifier: Apache-2.0
// Evicted regions (e*): per material storage, what would have to be recomputed below (forward) and above (reverse)
// it, cached as simrd caches it, staleness included.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/state.h"
#include "host/sim/storage_set.h"
#include "host/sim/topology.h"

namespace dtrmc::sim {

class Regions {
 public:
  Regions(const Topology& topology, const State& state);

  // After a copy: the state of the run that the copy belongs to.
  void rebind(const State& state) { state_ = &state; }

  // After `s` stopped being material.
  void on_evicted(trace::StorageId s);
  // After an execution, with the storages it made material, in the order in which they joined the pool.
  void on_material(const std::vector<trace::StorageId>& fresh);

  // ns, sum of the computes in the interior as they stood when added
  std::uint64_t forward_compute(trace::StorageId s) const { return forward_[s].compute; }
  std::uint64_t reverse_compute(trace::StorageId s) const { return reverse_[s].compute; }

  // False once an absorb met a frontier without its member: simrd stops with an assertion there, we go on.
  bool simrd_defined() const { return simrd_defined_; }

 private:
  struct Region {
    StorageSet interior;
    StorageSet frontier;
    std::uint64_t compute = 0;
  };

  bool tracked(trace::StorageId s) const;
  void rebuild(trace::StorageId base, const LinkTable& links, std::vector<Region>& regions);
  void absorb(const Region& around, trace::StorageId s, std::vector<Region>& regions);

  const Topology& topology_;
  const State* state_; // of the run this belongs to; see rebind
  bool track_pinned_;
  bool simrd_defined_ = true;
  std::vector<Region> forward_;
  std::vector<Region> reverse_;
  // scratch
  std::vector<std::uint32_t> mark_;
  std::uint32_t epoch_ = 0;
  std::vector<trace::StorageId> interior_;
  std::vector<trace::StorageId> frontier_;
};

} // namespace dtrmc::sim
