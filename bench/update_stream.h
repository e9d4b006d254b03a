// SPDX-License-Identifier: Apache-2.0
// What a candidate table sees during a run of the software simulator: before every decision the entries that changed,
// then the search. The stream can be given to several copies of the run at once, each with entries of its own: a table
// several times as large, with the traffic of one run between two decisions.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "host/sim/candidate.h"
#include "host/sim/heuristic.h"
#include "host/sim/simulator.h"
#include "host/trace/schedule.h"

namespace dtrmc::bench {

struct TableEntry {
  std::int64_t cost = 0;  // ns; lru: last access
  std::uint64_t size = 1; // bytes
  std::uint64_t last = 0; // ns
};

class TableUser {
 public:
  virtual ~TableUser() = default;
  virtual void insert(std::uint32_t slot, const TableEntry& entry) = 0; // also over one that is there
  virtual void set_cost(std::uint32_t slot, std::int64_t cost) = 0;
  virtual void set_last(std::uint32_t slot, std::uint64_t last) = 0;
  virtual void remove(std::uint32_t slot) = 0;
  // `expected`: the slot that must win, kUnknown where the table does not hold exactly one whole pool. `candidates`: in
  // all pools, whether they found a slot or not.
  virtual void decide(std::uint64_t clock, std::uint32_t expected, std::uint64_t candidates) = 0;
};

inline constexpr std::uint32_t kUnknown = UINT32_MAX;

class UpdateStream final : public sim::DecisionObserver, public sim::AllocationObserver {
 public:
  // Ends the run by throwing Enough after `limit` decisions of the simulator.
  UpdateStream(TableUser& user, std::uint32_t depth, std::uint32_t copies, std::uint64_t limit);

  class Enough {};

  void on_enter(std::size_t, trace::TensorId, std::uint32_t) override {}
  void on_check(const sim::Allocation& check) override { clock_ = check.clock; }
  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override;

 private:
  struct Place {
    std::uint32_t slot = kUnknown; // none was free
    std::uint64_t order = 0;
    TableEntry entry;
    std::uint64_t seen = 0; // at which decision
  };
  struct Copy {
    std::unordered_map<trace::StorageId, Place> places;
    std::vector<trace::StorageId> held; // in the order of the pool
  };

  void update(Copy& copy, const std::vector<sim::Candidate>& pool);
  std::uint32_t take_slot();

  TableUser& user_;
  std::vector<bool> used_;
  std::vector<Copy> copies_;
  std::uint64_t limit_;
  std::uint64_t clock_ = 0;
  std::uint64_t decisions_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t next_order_ = 0;
};

} // namespace dtrmc::bench
