// SPDX-License-Identifier: Apache-2.0
// Which storages are neighbours, and since when: settled once per trace, shared by all runs of it.
#pragma once

#include <cstdint>
#include <vector>

#include "host/trace/schedule.h"

namespace dtrmc::sim {

// Tensors have ids in creation order, so "the links that exist by now" are those with since < (tensors created).
struct Link {
  trace::StorageId storage;
  trace::TensorId since; // first tensor that makes this link
};

// Per storage its links to other storages, each neighbour once, ascending in `since`.
class LinkTable {
 public:
  struct Range {
    const Link* begin_;
    const Link* end_;
    const Link* begin() const { return begin_; }
    const Link* end() const { return end_; }
  };
  struct RawLink {
    trace::StorageId from;
    Link to;
  };

  LinkTable() = default;
  LinkTable(std::size_t storages, std::vector<RawLink> raw);
  Range of(trace::StorageId storage) const {
    return {links_.data() + begin_[storage], links_.data() + begin_[storage + 1]};
  }

 private:
  std::vector<Link> links_;
  std::vector<std::size_t> begin_;
};

struct Topology {
  explicit Topology(const trace::Schedule& schedule);

  LinkTable forward;                         // to storages of children
  LinkTable reverse;                         // to storages of parents
  LinkTable neighbours;                      // both
  std::vector<trace::TensorId> tensors;      // grouped by storage, ascending
  std::vector<std::uint32_t> tensors_begin;  // storages + 1 entries
  std::vector<std::uint64_t> operator_bytes; // what an operator allocates when it runs
  // Operators with a view among their outputs and an input on a storage other than the viewed one, ascending: they
  // link storages that both exist already, where cached regions can fall behind and simrd may stop (an assertion).
  std::vector<trace::OperatorId> linking_views;
  // By storage, 1: no operator has one output on it and another elsewhere. So it becomes material only through a
  // materialisation of a tensor on it, which some operator (or its own creation) asked for and thereby accessed it.
  std::vector<std::uint8_t> accessed_first;
};

} // namespace dtrmc::sim
