// SPDX-License-Identifier: Apache-2.0
#include "host/compare/aligner.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrmc::compare {

using record::Event;
using record::EventKind;

void EventCounts::add(const Event& event) {
  switch (event.kind) {
    case EventKind::kFirstRun:
      ++first_runs;
      break;
    case EventKind::kRematerialize:
      ++rematerializations;
      break;
    case EventKind::kEvictPolicy:
      ++policy_evictions;
      break;
    case EventKind::kEvictEager:
      ++eager_evictions;
      break;
  }
}

void Aligner::on_event(const Event& event) {
  if (difference_) {
    if (after_.size() < kKept) after_.push_back(event);
    return;
  }
  if (aligned_ < reference_.size() && reference_[aligned_] == event) {
    ++aligned_;
    counts_.add(event);
    return;
  }
  difference_ = Difference{aligned_, std::nullopt, event};
  if (aligned_ < reference_.size()) difference_->reference = reference_[aligned_];
  after_.push_back(event);
}

void Aligner::finish() {
  if (!difference_ && aligned_ < reference_.size()) {
    difference_ = Difference{aligned_, reference_[aligned_], std::nullopt};
  }
}

std::string to_text(const trace::Schedule& schedule, const Event& event) {
  const auto op = [&](const char* what) {
    return fmt::format("clock {:>12}  {} operator {} {} (line {})", event.clock, what, event.id,
                       schedule.operator_name(event.id), schedule.operators[event.id].line);
  };
  const auto storage = [&](const char* what) {
    return fmt::format("clock {:>12}  {} storage {} {} ({} bytes)", event.clock, what, event.id,
                       schedule.storage_name(event.id), schedule.storages[event.id].size);
  };
  switch (event.kind) {
    case EventKind::kFirstRun:
      return op("first run      ");
    case EventKind::kRematerialize:
      return op("rematerialize  ");
    case EventKind::kEvictPolicy:
      return storage("evict (policy) ");
    case EventKind::kEvictEager:
      return storage("evict (eager)  ");
  }
  return "unknown event";
}

std::vector<std::string> Aligner::context(const trace::Schedule& schedule, std::size_t before,
                                          std::size_t after) const {
  std::vector<std::string> lines;
  if (!difference_) return lines;
  const std::size_t index = difference_->index;
  for (std::size_t i = index - std::min(index, before); i < index; ++i) {
    lines.push_back(fmt::format("  both       {:>8}  {}", i, to_text(schedule, reference_[i])));
  }
  const auto side = [&](const char* name, const std::vector<Event>& events, std::size_t from) {
    if (from >= events.size()) lines.push_back(fmt::format("  {:<10} {:>8}  (no further event)", name, index));
    for (std::size_t i = from; i < std::min(events.size(), from + 1 + after); ++i) {
      lines.push_back(fmt::format("{} {:<10} {:>8}  {}", i == from ? '>' : ' ', name, index + i - from,
                                  to_text(schedule, events[i])));
    }
  };
  side("simulator", reference_, index);
  side("platform", after_, 0);
  return lines;
}

} // namespace dtrmc::compare
