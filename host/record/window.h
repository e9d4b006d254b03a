// SPDX-License-Identifier: Apache-2.0
// The part of a run that is recorded. An edge is a device time, or the moment at which the controller posts the action
// of an event (executions and evictions, numbered from 0 as `compare` numbers them).
#pragma once

#include <cstdint>
#include <optional>

namespace dtrmc::record {

struct WindowEdge {
  std::optional<std::uint64_t> event;
  std::optional<std::uint64_t> time_ps;
};

class Window {
 public:
  Window() = default; // the whole run
  Window(const WindowEdge& from, const WindowEdge& to)
      : from_event_(from.event),
        to_event_(to.event),
        from_ps_(from.event ? kNever : from.time_ps.value_or(0)),
        to_ps_(to.event ? kNever : to.time_ps.value_or(kNever)) {}

  void on_event_posted(std::uint64_t index, std::uint64_t time_ps) {
    if (from_event_ == index) from_ps_ = time_ps;
    if (to_event_ == index) to_ps_ = time_ps;
  }
  // From `from`, inclusive, to `to`, exclusive.
  std::uint64_t begins_ps() const { return from_ps_; } // once it has begun
  bool contains(std::uint64_t time_ps) const { return time_ps >= from_ps_ && time_ps < to_ps_; }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::optional<std::uint64_t> from_event_, to_event_;
  std::uint64_t from_ps_ = 0, to_ps_ = kNever;
};

} // namespace dtrmc::record
