// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dtrmc::platform {

// What the bus to the unit has carried since the start of the run, in accesses and cycles of the unit's clock.
struct UnitTraffic {
  std::uint64_t table_writes = 0; // to slots of the candidate table
  std::uint64_t accesses = 0;     // all
  std::uint64_t bus_cycles = 0;   // of all accesses, from request to end of response
  std::uint64_t stall_cycles = 0; // of them, those in which a write was held off: queue full, or START before its end
};

} // namespace dtrmc::platform
