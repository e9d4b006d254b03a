// SPDX-License-Identifier: Apache-2.0
// Allocations as they happen, for who asks why a run went as it did: evictions alone do not tell which request of which
// nested operator was short.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/trace/schedule.h"

namespace dtrmc::sim {

// One allocation check: can an operator's outputs be had within the budget? It is repeated after each eviction.
struct Allocation {
  std::size_t step = 0;         // of the schedule, in which the outermost materialisation began
  trace::OperatorId op = 0;     // asks
  std::uint32_t nesting = 0;    // materialisations in progress, 1 = outermost
  std::uint64_t request = 0;    // bytes
  std::uint64_t use = 0;        // bytes in use before it
  std::uint64_t shortfall = 0;  // bytes by which use + request pass the (lowest) budget; 0: it fits
  std::uint64_t pinned = 0;     // of `use`: bytes outside the pool
  std::uint64_t candidates = 0; // storages in the pool
  std::uint64_t clock = 0;      // ns
};

class AllocationObserver {
 public:
  virtual ~AllocationObserver() = default;
  // The materialisation of a tensor begins; its missing inputs come next, then its own allocation.
  virtual void on_enter(std::size_t step, trace::TensorId tensor, std::uint32_t nesting) = 0;
  virtual void on_check(const Allocation& check) = 0;
};

} // namespace dtrmc::sim
