// SPDX-License-Identifier: Apache-2.0
#include "bench/update_stream.h"

namespace dtrmc::bench {

UpdateStream::UpdateStream(TableUser& user, std::uint32_t depth, std::uint32_t copies, std::uint64_t limit)
    : user_(user), used_(depth), copies_(copies), limit_(limit) {}

void UpdateStream::on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t,
                               std::uint32_t) {
  for (Copy& copy : copies_) {
    update(copy, pool);
    bool whole = copies_.size() == 1;
    std::uint64_t candidates = 0;
    for (const Copy& other : copies_) candidates += other.held.size();
    for (const trace::StorageId s : copy.held) whole = whole && copy.places.at(s).slot != kUnknown;
    user_.decide(clock_, whole ? copy.places.at(victim).slot : kUnknown, candidates);
  }
  if (++decisions_ == limit_) throw Enough();
}

// The lowest free one, as the firmware does.
std::uint32_t UpdateStream::take_slot() {
  for (std::uint32_t slot = 0; slot < used_.size(); ++slot) {
    if (used_[slot]) continue;
    used_[slot] = true;
    return slot;
  }
  return kUnknown;
}

void UpdateStream::update(Copy& copy, const std::vector<sim::Candidate>& pool) {
  ++rounds_;
  for (const sim::Candidate& candidate : pool) copy.places[candidate.storage].seen = rounds_;
  for (const trace::StorageId s : copy.held) {
    const auto found = copy.places.find(s);
    if (found->second.seen == rounds_) continue;
    if (found->second.slot != kUnknown) {
      used_[found->second.slot] = false;
      user_.remove(found->second.slot);
    }
    copy.places.erase(found);
  }
  copy.held.clear();
  // Members that never left stand before those that joined or came back, in the order that they have.
  std::uint64_t previous = 0;
  bool joined = false;
  for (const sim::Candidate& candidate : pool) {
    copy.held.push_back(candidate.storage);
    Place& place = copy.places[candidate.storage];
    TableEntry entry;
    entry.cost = static_cast<std::int64_t>(candidate.cost);
    entry.size = candidate.size.value_or(1);
    entry.last = candidate.staleness ? clock_ - *candidate.staleness : 0;
    joined = joined || place.order <= previous;
    if (joined || place.slot == kUnknown) {
      place.order = ++next_order_;
      if (place.slot == kUnknown) place.slot = take_slot();
      if (place.slot != kUnknown) user_.insert(place.slot, entry);
    } else {
      if (entry.cost != place.entry.cost) user_.set_cost(place.slot, entry.cost);
      if (entry.last != place.entry.last) user_.set_last(place.slot, entry.last);
    }
    previous = place.order;
    place.entry = entry;
  }
}

} // namespace dtrmc::bench
