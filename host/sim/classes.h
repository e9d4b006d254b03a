// SPDX-License-Identifier: Apache-2.0
// Equivalence classes of evicted storages (eq): the cheap stand-in for evicted regions. Classes only ever merge;
// their values drift, below zero too, and that drift is part of the behaviour.
#pragma once

#include <cstdint>
#include <vector>

#include "host/sim/fingerprint.h"
#include "host/sim/shortlist.h"
#include "host/sim/state.h"
#include "host/sim/topology.h"

namespace dtrmc::sim {

class Classes {
 public:
  // Tells `shortlist` whose cost may fall.
  Classes(const Topology& topology, const State& state, Shortlist& shortlist);

  // After a copy: what belongs to the run that the copy belongs to.
  void rebind(const State& state, Shortlist& shortlist) {
    state_ = &state;
    shortlist_ = &shortlist;
  }

  void on_created(trace::StorageId s);                          // an operator with an output on `s` was created
  void on_evicted(trace::StorageId s);                          // after `s` stopped being material
  void on_material(const std::vector<trace::StorageId>& fresh); // after an execution
  // ns: compute of s plus the values of the distinct classes of its evicted neighbours. The parser's bound on the
  // sum of all computes (2^62) keeps this and every class value inside 64 bits.
  std::int64_t cost(trace::StorageId s) {
    const Around& around = around_[s];
    auto sum = static_cast<std::int64_t>(state_->storages[s].compute);
    if (around.count == Around::kUnknown) return look_for_cost(s);
    for (std::uint32_t i = 0; i < around.count; ++i) {
      const Class& c = classes_[around.roots[i]];
      if (c.parent != around.roots[i]) return look_for_cost(s);
      sum += c.value;
    }
    return sum;
  }
  // For Shortlist::choose: the reference is the largest class around s.
  void refer(trace::StorageId s);
  double reference();
  double ratio(trace::StorageId s);

  // All that decides what later calls return: who shares a class with whom among what is not material, and the values;
  // not the shape of the trees and the ids.
  void add_to(Fingerprint& f) const { f.add(parts_); }

 private:
  using ClassId = std::uint32_t;
  struct Class {
    std::int64_t value = 0;    // ns, at roots
    ClassId parent = 0;        // itself at roots
    std::uint32_t mark = 0;    // of the last look that counted it
    std::uint32_t members = 0; // at roots; what is material is none
    Parts names;               // of the members
    // What `value` was promised not to fall below, and a list of to whom; only if `promise` is the current one.
    std::int64_t floor = 0;
    std::uint32_t promise = 0;
    std::uint32_t first = 0; // in grants_
    std::uint32_t last = 0;
  };
  struct Grant {
    trace::StorageId storage;
    std::uint32_t next; // in grants_
  };

  // The distinct classes around a storage, kept between scans: they change only where a neighbour stops or starts
  // being material, appears, or a class is merged into another (it is no root then). Values are read anew.
  struct Around {
    static constexpr std::uint32_t kMost = 4;
    static constexpr std::uint32_t kUnknown = UINT32_MAX;
    std::uint32_t count = kUnknown;
    ClassId roots[kMost];
  };

  std::int64_t look_for_cost(trace::StorageId s);
  template <typename Visit>
  void for_each_around(trace::StorageId s, Visit visit);
  template <typename Visit>
  void look_around(trace::StorageId s, Visit visit);
  void forget(trace::StorageId s);
  void forget_neighbours(trace::StorageId s);
  std::int64_t promise(Class& c, trace::StorageId s);
  void take_promises(const Class& from, Class& into);
  void check(Class& c);
  ClassId make(trace::StorageId s, std::int64_t value);
  ClassId find(ClassId c);
  void take_out(const Class& c) {
    if (c.members != 0) parts_ -= Parts::of(c.names, static_cast<std::uint64_t>(c.value));
  }
  void put_in(const Class& c) {
    if (c.members != 0) parts_ += Parts::of(c.names, static_cast<std::uint64_t>(c.value));
  }
  void compact();

  const Topology& topology_;
  const State* state_; // of the run this belongs to; see rebind
  Shortlist* shortlist_;
  std::uint32_t promise_ = 1;
  std::vector<Grant> grants_;
  ClassId reference_ = 0;    // or what it was merged into
  bool refers_ = false;      // else the reference is 1
  std::int64_t ceiling_ = 1; // that the reference keeps below
  std::vector<Class> classes_;
  std::size_t compact_at_ = 1024; // so many of them
  std::vector<ClassId> class_of_; // by storage, once it exists; meaningful while not material
  std::vector<Around> around_;    // by storage
  std::uint32_t epoch_ = 0;
  Parts parts_; // the classes that have members, with their values
};

} // namespace dtrmc::sim
