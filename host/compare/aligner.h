// SPDX-License-Identifier: Apache-2.0
// Aligns two event streams of one schedule: the simulator's, complete, and the platform's as it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "host/record/event.h"
#include "host/trace/schedule.h"

namespace dtrmc::compare {

// Keeps a whole stream: the reference side.
class EventList : public record::EventSink {
 public:
  void on_event(const record::Event& event) override { events_.push_back(event); }
  const std::vector<record::Event>& events() const { return events_; }

 private:
  std::vector<record::Event> events_;
};

struct EventCounts {
  std::uint64_t first_runs = 0, rematerializations = 0, policy_evictions = 0, eager_evictions = 0;
  void add(const record::Event& event);
};

// The first place where the streams differ. `reference` or `candidate` is empty where that stream ended.
struct Difference {
  std::size_t index; // of the event, from 0
  std::optional<record::Event> reference;
  std::optional<record::Event> candidate;
};

class Aligner : public record::EventSink {
 public:
  explicit Aligner(const std::vector<record::Event>& reference) : reference_(reference) {}

  void on_event(const record::Event& event) override;
  // The candidate's stream is over; a reference with events left differs.
  void finish();

  const std::optional<Difference>& difference() const { return difference_; }
  std::size_t aligned() const { return aligned_; } // equal events before the first difference
  const EventCounts& counts() const { return counts_; }

  // The first difference with up to `before` common events and `after` further events of each side, as text lines.
  std::vector<std::string> context(const trace::Schedule& schedule, std::size_t before, std::size_t after) const;

 private:
  static constexpr std::size_t kKept = 16; // candidate events kept from the first difference on, for the context

  const std::vector<record::Event>& reference_;
  std::size_t aligned_ = 0;
  EventCounts counts_;
  std::optional<Difference> difference_;
  std::vector<record::Event> after_; // candidate events from the difference on
};

// One event as text: kind, what, clock.
std::string to_text(const trace::Schedule& schedule, const record::Event& event);

} // namespace dtrmc::compare
