// SPDX-License-Identifier: Apache-2.0
// Runtime v1 cuts links as it banishes storages, so it keeps its own: every tensor's live parents and children, and
// every storage's dependents, the tensors that still need it to be computed.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "host/sim/fingerprint.h"
#include "host/trace/schedule.h"

namespace dtrmc::sim {

class LiveLinks {
 public:
  explicit LiveLinks(const trace::Schedule& schedule)
      : schedule_(schedule),
        parents_(schedule.tensors.size()),
        children_(schedule.tensors.size()),
        dependents_(schedule.storages.size()) {}

  // Links the operator's outputs and lets each join the dependents of the storages it is computed from.
  void create(trace::OperatorId id) {
    const trace::Operator& op = schedule_.operators[id];
    for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      for (std::uint32_t i = 0; i < op.input_count; ++i) {
        const trace::TensorId input = schedule_.inputs[op.first_input + i];
        parents_[t].push_back(input);
        children_[input].push_back(t);
      }
      join_dependents(t);
    }
  }

  // In argument order, duplicates kept, shrinking as parents are banished.
  const std::vector<trace::TensorId>& parents(trace::TensorId t) const { return parents_[t]; }
  const std::vector<trace::TensorId>& children(trace::TensorId t) const { return children_[t]; }
  bool has_dependents(trace::StorageId s) const { return !dependents_[s].empty(); }

  // t must be computed (again) from its live parents: their storages, other than its own, are needed.
  void join_dependents(trace::TensorId t) {
    for (const trace::TensorId p : parents_[t]) {
      if (storage(p) != storage(t)) dependents_[storage(p)].insert(t);
    }
  }
  // No effect on a tensor that lies on `s` itself.
  void leave_dependents(trace::TensorId t, trace::StorageId s) {
    if (storage(t) != s) dependents_[s].erase(t);
  }
  void remove_child(trace::TensorId parent, trace::TensorId child) { remove_one(children_[parent], child); }
  void remove_parent(trace::TensorId child, trace::TensorId parent) { remove_one(parents_[child], parent); }

  // All links, in their order.
  void add_to(Fingerprint& f) const {
    const auto add = [&](const auto& list) {
      f.add(list.size());
      for (const trace::TensorId t : list) f.add(t);
    };
    for (const auto& list : parents_) add(list);
    for (const auto& list : children_) add(list);
    for (const auto& list : dependents_) add(list);
  }

 private:
  trace::StorageId storage(trace::TensorId t) const { return schedule_.tensors[t].storage; }
  static void remove_one(std::vector<trace::TensorId>& list, trace::TensorId t) {
    const auto found = std::find(list.begin(), list.end(), t);
    if (found != list.end()) list.erase(found);
  }

  const trace::Schedule& schedule_;
  std::vector<std::vector<trace::TensorId>> parents_;
  std::vector<std::vector<trace::TensorId>> children_;
  std::vector<std::set<trace::TensorId>> dependents_;
};

} // namespace dtrmc::sim
