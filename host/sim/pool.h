// SPDX-License-Identifier: Apache-2.0
// The evictable storages as a list threaded through their state. A storage joins at the end; the order of the rest
// never changes, because it decides ties.
#pragma once

#include "host/sim/state.h"

namespace dtrmc::sim {

class Pool {
 public:
  explicit Pool(State& state) : state_(&state) {}

  // After a copy: the state of the run that the copy belongs to.
  void rebind(State& state) { state_ = &state; }

  bool empty() const { return first_ == kNoStorage; }
  trace::StorageId first() const { return first_; }
  trace::StorageId next(trace::StorageId s) const { return state_->storages[s].next; }
  std::uint64_t bytes() const { return bytes_; } // sizes of the members
  std::uint64_t size() const { return size_; }   // number of members

  void append(trace::StorageId s) {
    StorageState& entry = state_->storages[s];
    if (entry.in_pool) return;
    entry.in_pool = true;
    entry.joined = ++joins_;
    entry.previous = last_;
    entry.next = kNoStorage;
    (last_ == kNoStorage ? first_ : state_->storages[last_].next) = s;
    last_ = s;
    bytes_ += entry.size;
    ++size_;
  }

  void remove(trace::StorageId s) {
    StorageState& entry = state_->storages[s];
    if (!entry.in_pool) return;
    entry.in_pool = false;
    (entry.previous == kNoStorage ? first_ : state_->storages[entry.previous].next) = entry.next;
    (entry.next == kNoStorage ? last_ : state_->storages[entry.next].previous) = entry.previous;
    bytes_ -= entry.size;
    --size_;
  }

 private:
  State* state_; // of the run this belongs to; see rebind
  trace::StorageId first_ = kNoStorage;
  trace::StorageId last_ = kNoStorage;
  std::uint64_t joins_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t size_ = 0;
};

} // namespace dtrmc::sim
