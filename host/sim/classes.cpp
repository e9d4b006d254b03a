// SPDX-License-Identifier: Apache-2.0
#include "host/sim/classes.h"

#include <algorithm>
#include <cstdlib>

namespace dtrmc::sim {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::int64_t kPart = 8;         // promises keep a part of the value away from it
constexpr std::size_t kClassesKept = 512; // that nobody belongs to
constexpr std::size_t kGrantsPerStorage = 16;

} // namespace

Classes::Classes(const Topology& topology, const State& state, Shortlist& shortlist)
    : topology_(topology),
      state_(&state),
      shortlist_(&shortlist),
      class_of_(state.storages.size(), kNone),
      around_(state.storages.size()) {}

void Classes::forget(trace::StorageId s) {
  around_[s].count = Around::kUnknown;
  if (state_->storages[s].in_pool) shortlist_->touch(s);
}

void Classes::forget_neighbours(trace::StorageId s) {
  for (const Link& link : topology_.neighbours.of(s)) {
    if (link.since >= state_->tensors_created) break;
    forget(link.storage);
  }
}

void Classes::on_created(trace::StorageId s) {
  if (class_of_[s] == kNone) put_in(classes_[class_of_[s] = make(s, 0)]);
  forget(s);
  forget_neighbours(s);
}

// Of one member.
Classes::ClassId Classes::make(trace::StorageId s, std::int64_t value) {
  const auto id = static_cast<ClassId>(classes_.size());
  Class& c = classes_.emplace_back();
  c.value = value;
  c.parent = id;
  c.members = 1;
  c.names = Parts::of(s);
  return id;
}

Classes::ClassId Classes::find(ClassId c) {
  ClassId root = c;
  while (classes_[root].parent != root) root = classes_[root].parent;
  while (classes_[c].parent != root) {
    const ClassId up = classes_[c].parent;
    classes_[c].parent = root;
    c = up;
  }
  return root;
}

// Every eviction makes a class, and most are soon merged or left behind. Keeps the roots that storages still belong to,
// so that memory does not grow with the number of evictions. Nothing but ids changes.
void Classes::compact() {
  std::vector<Class> kept;
  std::vector<ClassId> renamed(classes_.size(), kNone);
  for (std::size_t s = 0; s < class_of_.size(); ++s) {
    if (class_of_[s] == kNone) continue;
    if (state_->storages[s].material) {
      class_of_[s] = 0; // without meaning; gets a class when it is evicted
      continue;
    }
    const ClassId root = find(class_of_[s]);
    if (renamed[root] == kNone) {
      renamed[root] = static_cast<ClassId>(kept.size());
      kept.push_back(classes_[root]);
      kept.back().parent = renamed[root];
      kept.back().mark = 0;
    }
    class_of_[s] = renamed[root];
  }
  if (refers_) {
    const ClassId name = renamed[find(reference_)];
    if (name == kNone) shortlist_->invalidate();
    reference_ = name == kNone ? 0 : name;
  }
  classes_ = std::move(kept);
  compact_at_ = 2 * classes_.size() + kClassesKept;
  for (Around& around : around_) around.count = Around::kUnknown;
}

void Classes::on_evicted(trace::StorageId s) {
  if (classes_.size() >= compact_at_) {
    class_of_[s] = 0;
    compact();
  }
  ClassId mine = make(s, static_cast<std::int64_t>(state_->storages[s].compute));
  class_of_[s] = mine;
  for (const Link& link : topology_.neighbours.of(s)) {
    if (link.since >= state_->tensors_created) break;
    forget(link.storage);
    if (state_->storages[link.storage].material) continue;
    const ClassId other = find(class_of_[link.storage]);
    if (other == mine) continue;
    Class& from = classes_[mine];
    Class& into = classes_[other];
    take_out(into);
    from.parent = other;
    into.value += from.value;
    into.members += from.members;
    into.names += from.names;
    take_promises(from, into);
    check(into);
    mine = other;
  }
  put_in(classes_[mine]);
}

void Classes::on_material(const std::vector<trace::StorageId>& fresh) {
  for (const trace::StorageId s : fresh) {
    Class& left = classes_[find(class_of_[s])];
    take_out(left);
    left.value -= static_cast<std::int64_t>(state_->storages[s].compute);
    --left.members;
    left.names -= Parts::of(s);
    put_in(left);
    check(left);
    forget_neighbours(s);
  }
}

std::int64_t Classes::look_for_cost(trace::StorageId s) {
  auto sum = static_cast<std::int64_t>(state_->storages[s].compute);
  look_around(s, [&](ClassId, const Class& c) { sum += c.value; });
  return sum;
}

void Classes::refer(trace::StorageId s) {
  ++promise_;
  grants_.clear();
  refers_ = false;
  ceiling_ = 1;
  for_each_around(s, [&](ClassId root, const Class& c) {
    if (c.value < ceiling_) return;
    refers_ = true;
    reference_ = root;
    ceiling_ = c.value;
  });
  if (refers_) ceiling_ += ceiling_ / kPart;
}

double Classes::reference() {
  if (!refers_) return 1;
  const std::int64_t value = classes_[reference_ = find(reference_)].value;
  return value <= ceiling_ ? static_cast<double>(value) : 0;
}

// What is merged with the reference is worth nothing beside it then, and so it is here from the first: only its being
// no loss is promised.
double Classes::ratio(trace::StorageId s) {
  if (grants_.size() > kGrantsPerStorage * class_of_.size()) shortlist_->invalidate(); // and they are dropped
  if (refers_) reference_ = find(reference_);
  const auto compute = static_cast<std::int64_t>(state_->storages[s].compute);
  std::int64_t floor = compute;
  bool at_reference = false;
  bool loss = false;
  for_each_around(s, [&](ClassId root, Class& c) {
    if (refers_ && root == reference_) {
      at_reference = true;
      return;
    }
    const std::int64_t part = promise(c, s);
    loss = loss || part < 0;
    floor += part;
  });
  if (at_reference) return loss ? 0 : 1 + static_cast<double>(compute) / static_cast<double>(ceiling_);
  return static_cast<double>(floor) / static_cast<double>(ceiling_);
}

// That its value will not fall below what is returned.
std::int64_t Classes::promise(Class& c, trace::StorageId s) {
  const auto grant = static_cast<std::uint32_t>(grants_.size());
  grants_.push_back({s, kNone});
  if (c.promise == promise_) {
    grants_[c.last].next = grant;
  } else {
    c.promise = promise_;
    c.floor = c.value - std::abs(c.value) / kPart;
    c.first = grant;
  }
  c.last = grant;
  return c.floor;
}

// `from` is merged into `into`: who was promised something of either, or of both, is now around that one.
void Classes::take_promises(const Class& from, Class& into) {
  if (from.promise != promise_) return;
  if (into.promise == promise_) {
    into.floor = std::max({into.floor, from.floor, into.floor + from.floor});
    grants_[into.last].next = from.first;
  } else {
    into.floor = from.floor;
    into.first = from.first;
    into.promise = promise_;
  }
  into.last = from.last;
}

void Classes::check(Class& c) {
  if (c.promise != promise_ || c.value >= c.floor) return;
  c.promise = 0;
  for (std::uint32_t grant = c.first; grant != kNone; grant = grants_[grant].next) {
    shortlist_->touch(grants_[grant].storage);
  }
}

// Each distinct class around s.
template <typename Visit>
void Classes::for_each_around(trace::StorageId s, Visit visit) {
  const Around& around = around_[s];
  bool known = around.count != Around::kUnknown;
  for (std::uint32_t i = 0; known && i < around.count; ++i) {
    known = classes_[around.roots[i]].parent == around.roots[i];
  }
  if (!known) {
    look_around(s, visit);
    return;
  }
  for (std::uint32_t i = 0; i < around.count; ++i) visit(around.roots[i], classes_[around.roots[i]]);
}

template <typename Visit>
void Classes::look_around(trace::StorageId s, Visit visit) {
  Around& around = around_[s];
  std::uint32_t count = 0;
  if (++epoch_ == 0) {
    for (Class& c : classes_) c.mark = 0;
    epoch_ = 1;
  }
  for (const Link& link : topology_.neighbours.of(s)) {
    if (link.since >= state_->tensors_created) break;
    if (state_->storages[link.storage].material) continue;
    const ClassId root = find(class_of_[link.storage]);
    Class& c = classes_[root];
    if (c.mark == epoch_) continue;
    c.mark = epoch_;
    visit(root, c);
    if (count < Around::kMost) around.roots[count] = root;
    ++count;
  }
  around.count = count <= Around::kMost ? count : Around::kUnknown;
}

} // namespace dtrmc::sim
