// SPDX-License-Identifier: Apache-2.0
// Everything that a run does to memory, in order: materialisations as a tree, the allocation of each, evictions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/record/event.h"
#include "host/sim/allocation.h"
#include "host/trace/schedule.h"

namespace dtrmc::explain {

inline constexpr std::uint32_t kNone = UINT32_MAX;

// One materialisation, with the first allocation check it made (before room was made).
struct Materialisation {
  std::size_t step = 0; // of the schedule
  trace::TensorId tensor = 0;
  std::uint32_t parent = kNone; // materialisation that waits for this one
  std::uint32_t nesting = 0;    // 1 = outermost
  bool asked = false;           // reached its allocation; the fields below hold from then on
  bool ran = false;             // was met and executed
  bool again = false;           // not for the first time: a rematerialisation
  std::uint64_t request = 0;    // bytes
  std::uint64_t use = 0;        // bytes before it
  std::uint64_t shortfall = 0;  // bytes
  std::uint64_t pinned = 0;     // bytes
  std::uint64_t after = 0;      // bytes in use once it ran
  std::uint64_t candidates = 0;
  std::uint64_t clock = 0;        // ns
  std::uint32_t first_victim = 0; // into RunLog::decisions
  std::uint32_t victim_count = 0;
  std::uint32_t order = 0; // in which allocations took place
};

// One eviction by the heuristic.
struct Decision {
  trace::StorageId victim = 0;
  std::uint32_t by = 0;        // materialisation
  std::uint64_t shortfall = 0; // bytes, before it
  std::uint64_t candidates = 0;
};

// What changes residency, in order.
struct Change {
  std::uint32_t id = 0; // runs: materialisation; otherwise a storage
  std::uint32_t step = 0;
  enum Kind : std::uint8_t { kRuns, kEvicted, kReleased } kind = kRuns;
};

class RunLog : public record::EventSink, public sim::AllocationObserver {
 public:
  void on_enter(std::size_t step, trace::TensorId tensor, std::uint32_t nesting) override;
  void on_check(const sim::Allocation& check) override;
  void on_event(const record::Event& event) override;

  std::vector<Materialisation> materialisations; // in the order in which they began
  std::vector<std::uint32_t> allocations;        // materialisations in the order in which they asked
  std::vector<Decision> decisions;
  std::vector<Change> changes;

  // Index of the first materialisation of a step at or after `step`.
  std::size_t first_of(std::size_t step) const;
  std::uint32_t outermost(std::uint32_t materialisation) const;

 private:
  std::vector<std::uint32_t> stack_; // in progress
  std::size_t step_ = 0;
  sim::Allocation last_;
};

// Storages resident just before the materialisations of `step` begin.
std::vector<std::uint8_t> resident_before(const trace::Schedule& schedule, const RunLog& log, std::size_t step);

} // namespace dtrmc::explain
