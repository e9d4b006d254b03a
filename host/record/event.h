// SPDX-License-Identifier: Apache-2.0
// What a run does to memory, one event at a time: the stream that the simulator and the platform both produce
// and that `compare` aligns.
#pragma once

#include <cstdint>

namespace dtrmc::record {

enum class EventKind : std::uint8_t {
  kFirstRun,      // id: operator
  kRematerialize, // id: operator
  kEvictPolicy,   // id: storage; chosen by the heuristic
  kEvictEager,    // id: storage; last reference gone
};

// first_run, rematerialize, evict_policy, evict_eager
inline const char* to_string(EventKind kind) {
  constexpr const char* kNames[] = {"first_run", "rematerialize", "evict_policy", "evict_eager"};
  return kNames[static_cast<int>(kind)];
}

struct Event {
  EventKind kind;
  std::uint32_t id;
  std::uint64_t clock; // model clock in ns before the event; an eviction takes no time
  bool operator==(const Event& o) const { return kind == o.kind && id == o.id && clock == o.clock; }
  bool operator!=(const Event& o) const { return !(*this == o); }
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on_event(const Event& event) = 0;
};

} // namespace dtrmc::record
