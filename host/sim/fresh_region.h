// SPDX-License-Identifier: Apache-2.0
// The evicted region around a storage, walked anew at each evaluation (dtr-unopt, simrd's DTRUnopt).
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/live_links.h"
#include "host/sim/state.h"
#include "host/sim/topology.h"

namespace dtrmc::sim {

class FreshRegion {
 public:
  FreshRegion(const trace::Schedule& schedule, const Topology& topology, const State& state, const LiveLinks& links);

  // After a copy: what belongs to the run that the copy belongs to.
  void rebind(const State& state, const LiveLinks& links) {
    state_ = &state;
    links_ = &links;
  }

  struct Measure {
    std::uint64_t compute = 0;     // ns, of the union of both interiors; a storage in both counts once
    std::uint64_t last_access = 0; // latest of the storage and the union; never-computed storages stand at 0
  };
  Measure measure(trace::StorageId s);

 private:
  void walk(trace::StorageId base, bool forward);

  const trace::Schedule& schedule_;
  const Topology& topology_;
  const State* state_; // of the run this belongs to; see rebind
  const LiveLinks* links_;
  std::vector<std::uint32_t> visited_; // by the current walk
  std::vector<std::uint32_t> counted_; // by the current measure
  std::uint32_t walk_ = 0;
  std::uint32_t measure_ = 0;
  std::vector<trace::StorageId> stack_;
  Measure result_;
};

} // namespace dtrmc::sim
