// SPDX-License-Identifier: Apache-2.0
// Evicted regions (e*): per material storage, what would have to be recomputed below (forward) and above (reverse)
// it, cached as simrd caches it, staleness included.
//
// simrd rebuilds every region that an execution may have changed by walking it. Without linking views (see Topology)
// that is not needed: storage ids ascend along links, all inputs of what becomes material are material themselves, and
// but for two transients the cached regions equal reachability, so an execution takes from each region what it alone
// made reachable: three storages on average where a walk visits five hundred. Traces with linking views are walked.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/fingerprint.h"
#include "host/sim/state.h"
#include "host/sim/storage_set.h"
#include "host/sim/topology.h"

namespace dtrmc::sim {

class Regions {
 public:
  Regions(const Topology& topology, const State& state);

  // After a copy: the state of the run that the copy belongs to.
  void rebind(const State& state) { state_ = &state; }

  // An operator is created: its new storages are about to exist without being material (the first transient: regions
  // rebuilt before it has run count them, the others do not)...
  void on_created() { pending_.clear(); }
  void on_pending(trace::StorageId s) { pending_.push_back(s); }
  // ... and a view that it puts on the evicted storage `s` changes that one's compute by `ns` at once (the second: sums
  // that hold `s` keep the old value until rebuilt).
  void on_grown(trace::StorageId s, std::uint64_t ns);
  // After `s` stopped being material.
  void on_evicted(trace::StorageId s);
  // After an execution, with the storages it made material, in the order in which they joined the pool.
  void on_material(const std::vector<trace::StorageId>& fresh);

  // ns, sum of the computes in the interior as they stood when added
  std::uint64_t forward_compute(trace::StorageId s) const { return forward_[s].compute; }
  std::uint64_t reverse_compute(trace::StorageId s) const { return reverse_[s].compute; }
  // storages in the interior
  std::uint64_t forward_count(trace::StorageId s) const { return forward_[s].interior.count(); }
  std::uint64_t reverse_count(trace::StorageId s) const { return reverse_[s].interior.count(); }

  // False once an absorb met a frontier without its member: simrd stops with an assertion there, we go on.
  bool simrd_defined() const { return simrd_defined_; }

  // All that decides what later calls do or return.
  void add_to(Fingerprint& f) const;

 private:
  struct Region {
    StorageSet interior;
    StorageSet frontier;
    std::uint64_t compute = 0;
    std::uint32_t grown = 0; // grown_epoch_ when the sum took in the grown storage at its new compute
  };

  bool tracked(trace::StorageId s) const;
  void rebuild(trace::StorageId base, const LinkTable& links, std::vector<Region>& regions);
  void absorb(const Region& around, trace::StorageId s, std::vector<Region>& regions);
  void rebuild_around(trace::StorageId s);

  void settle(trace::StorageId s);
  void cut(trace::StorageId parent, trace::StorageId s);
  bool supported(trace::StorageId s, trace::StorageId base, const Region& region) const;
  void mark_children(trace::StorageId s);
  void take_grown(Region& region) const;
  void take_pending(trace::StorageId base);
  void advance_epoch();

  const Topology& topology_;
  const State* state_; // of the run this belongs to; see rebind
  bool walk_;          // linking views: rebuild by walking
  bool simrd_defined_ = true;
  std::vector<Region> forward_;
  std::vector<Region> reverse_;
  std::vector<trace::StorageId> pending_;
  trace::StorageId grown_ = kNoStorage;
  std::uint64_t grown_by_ = 0;
  std::uint32_t grown_epoch_ = 0;
  // scratch
  std::vector<std::uint32_t> mark_;
  std::uint32_t epoch_ = 0;
  std::vector<trace::StorageId> interior_;
  std::vector<trace::StorageId> frontier_;
  std::vector<trace::StorageId> parents_;
};

} // namespace dtrmc::sim
