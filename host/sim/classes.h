// SPDX-License-Identifier: Apache-2.0
// Equivalence classes of evicted storages (eq): the cheap stand-in for evicted regions. Classes only ever merge;
// their values drift, below zero too, and that drift is part of the behaviour.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/fingerprint.h"
#include "host/sim/state.h"
#include "host/sim/topology.h"

namespace dtrmc::sim {

class Classes {
 public:
  Classes(const Topology& topology, const State& state);

  // After a copy: the state of the run that the copy belongs to.
  void rebind(const State& state) { state_ = &state; }

  void on_created(trace::StorageId s);                          // an operator with an output on `s` was created
  void on_evicted(trace::StorageId s);                          // after `s` stopped being material
  void on_material(const std::vector<trace::StorageId>& fresh); // after an execution
  // ns: compute of s plus the values of the distinct classes of its evicted neighbours. The parser's bound on the
  // sum of all computes (2^62) keeps this and every class value inside 64 bits.
  std::int64_t cost(trace::StorageId s);

  // All that decides what later calls return: who shares a class with whom among what is not material, and the values;
  // not the shape of the trees and the ids.
  void add_to(Fingerprint& f);

 private:
  using ClassId = std::uint32_t;
  struct Class {
    std::int64_t value; // ns, at roots
    ClassId parent;     // itself at roots
    std::uint32_t mark; // of the last cost() that counted it
  };

  // The distinct classes around a storage, kept between scans: they change only where a neighbour stops or starts
  // being material, appears, or a class is merged into another (it is no root then). Values are read anew.
  struct Around {
    static constexpr std::uint32_t kMost = 4;
    static constexpr std::uint32_t kUnknown = UINT32_MAX;
    std::uint32_t count = kUnknown;
    ClassId roots[kMost];
  };

  std::int64_t look_around(trace::StorageId s);
  void forget_neighbours(trace::StorageId s);
  ClassId make(std::int64_t value);
  ClassId find(ClassId c);
  void compact();

  const Topology& topology_;
  const State* state_; // of the run this belongs to; see rebind
  std::vector<Class> classes_;
  std::vector<ClassId> class_of_; // by storage; meaningful while not material
  std::vector<Around> around_;    // by storage
  std::uint32_t epoch_ = 0;
};

} // namespace dtrmc::sim
