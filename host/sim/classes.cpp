// SPDX-License-Identifier: Apache-2.0
#include "host/sim/classes.h"

namespace dtrmc::sim {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

} // namespace

Classes::Classes(const Topology& topology, const State& state) : topology_(topology), state_(&state) {
  for (std::size_t s = 0; s < state.storages.size(); ++s) class_of_.push_back(make(0));
  around_.resize(state.storages.size());
}

void Classes::forget_neighbours(trace::StorageId s) {
  for (const Link& link : topology_.neighbours.of(s)) {
    if (link.since >= state_->tensors_created) break;
    around_[link.storage].count = Around::kUnknown;
  }
}

void Classes::on_created(trace::StorageId s) {
  around_[s].count = Around::kUnknown;
  forget_neighbours(s);
}

Classes::ClassId Classes::make(std::int64_t value) {
  const auto id = static_cast<ClassId>(classes_.size());
  classes_.push_back({value, id, 0});
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
    if (state_->storages[s].material) {
      class_of_[s] = 0; // without meaning; gets a class when it is evicted
      continue;
    }
    const ClassId root = find(class_of_[s]);
    if (renamed[root] == kNone) {
      renamed[root] = static_cast<ClassId>(kept.size());
      kept.push_back({classes_[root].value, renamed[root], 0});
    }
    class_of_[s] = renamed[root];
  }
  classes_ = std::move(kept);
  for (Around& around : around_) around.count = Around::kUnknown;
}

void Classes::add_to(Fingerprint& f) {
  std::vector<std::uint32_t> label(classes_.size(), kNone);
  std::uint32_t labels = 0;
  for (std::size_t s = 0; s < class_of_.size(); ++s) {
    if (state_->storages[s].material) continue; // gets a class when it is evicted
    const ClassId root = find(class_of_[s]);
    const bool met = label[root] != kNone;
    if (!met) label[root] = labels++;
    f.add(label[root]);
    if (!met) f.add(static_cast<std::uint64_t>(classes_[root].value));
  }
}

void Classes::on_evicted(trace::StorageId s) {
  if (classes_.size() >= 2 * class_of_.size()) {
    class_of_[s] = 0;
    compact();
  }
  ClassId mine = make(static_cast<std::int64_t>(state_->storages[s].compute));
  class_of_[s] = mine;
  for (const Link& link : topology_.neighbours.of(s)) {
    if (link.since >= state_->tensors_created) break;
    around_[link.storage].count = Around::kUnknown;
    if (state_->storages[link.storage].material) continue;
    const ClassId other = find(class_of_[link.storage]);
    if (other == mine) continue;
    classes_[mine].parent = other;
    classes_[other].value += classes_[mine].value;
    mine = other;
  }
}

void Classes::on_material(const std::vector<trace::StorageId>& fresh) {
  for (const trace::StorageId s : fresh) {
    classes_[find(class_of_[s])].value -= static_cast<std::int64_t>(state_->storages[s].compute);
    forget_neighbours(s);
  }
}

std::int64_t Classes::cost(trace::StorageId s) {
  const Around& around = around_[s];
  if (around.count == Around::kUnknown) return look_around(s);
  auto sum = static_cast<std::int64_t>(state_->storages[s].compute);
  for (std::uint32_t i = 0; i < around.count; ++i) {
    const Class& c = classes_[around.roots[i]];
    if (c.parent != around.roots[i]) return look_around(s);
    sum += c.value;
  }
  return sum;
}

std::int64_t Classes::look_around(trace::StorageId s) {
  Around& around = around_[s];
  std::uint32_t count = 0;
  if (++epoch_ == 0) {
    for (Class& c : classes_) c.mark = 0;
    epoch_ = 1;
  }
  auto sum = static_cast<std::int64_t>(state_->storages[s].compute);
  for (const Link& link : topology_.neighbours.of(s)) {
    if (link.since >= state_->tensors_created) break;
    if (state_->storages[link.storage].material) continue;
    const ClassId root = find(class_of_[link.storage]);
    Class& c = classes_[root];
    if (c.mark == epoch_) continue;
    c.mark = epoch_;
    sum += c.value;
    if (count < Around::kMost) around.roots[count] = root;
    ++count;
  }
  around.count = count <= Around::kMost ? count : Around::kUnknown;
  return sum;
}

} // namespace dtrmc::sim
