// SPDX-License-Identifier: Apache-2.0
// What the simulator knows of each storage; the cost metrics read it.
#pragma once

#include <cstdint>
#include <vector>

#include "host/trace/schedule.h"

namespace dtrmc::sim {

inline constexpr trace::StorageId kNoStorage = UINT32_MAX;

struct StorageState {
  std::uint64_t size = 0;                 // bytes
  std::uint64_t compute = 0;              // ns, sum over the distinct operators with a tensor on it
  std::uint64_t last_access = 0;          // model clock, ns
  std::uint64_t references = 0;           // external, of all its tensors
  std::int64_t locks = 0;                 // below 0 only in v1, which drops the locks of what it banishes
  trace::StorageId previous = kNoStorage; // in the pool
  trace::StorageId next = kNoStorage;
  std::uint64_t joined = 0; // the pool last, as its how manieth: ascends along the pool
  bool in_pool = false;
  bool material = false;
  bool pinned = false;
  bool charged = false; // scratch: the operator being created has added its cost
};

struct State {
  std::vector<StorageState> storages;
  trace::TensorId tensors_created = 0; // tensors below this id exist
};

} // namespace dtrmc::sim
