// SPDX-License-Identifier: Apache-2.0
// One eviction decision of the controller, with what it cost.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/protocol.h"
#include "host/sim/candidate.h"

namespace dtrmc::platform {

struct Decision {
  std::uint64_t index = 0;                        // of the decision, from 0
  std::uint64_t event = 0;                        // of its eviction among all events (executions and evictions), from 0
  std::uint32_t victim = 0;                       // storage
  std::uint64_t begin = 0;                        // cycle in which it began
  std::uint64_t cycles = 0;                       // it took; the parts add up to this
  std::uint64_t parts[DTRMC_ACTIVITY_COUNT] = {}; // cycles by activity
  std::uint64_t candidates = 0;                   // storages in the pool
  std::uint64_t table_writes = 0; // stores to the candidate table since the decision before; 0 without a unit
  std::uint64_t between = 0;      // cycles since the decision before ended (or since reset)
  bool overflow_scan = false;     // candidates outside the table were scanned by the firmware
  bool redecided = false;         // flagged by the unit and decided again in firmware
  std::uint64_t clock = 0;        // model clock, ns
  std::uint64_t begin_ps = 0;     // device time
  std::uint64_t end_ps = 0;
  std::vector<sim::Candidate> pool; // in its order, the victim included; only where it was asked for
};

} // namespace dtrmc::platform
