// SPDX-License-Identifier: Apache-2.0
// One golden row played by the firmware's host library.
#pragma once

#include <optional>
#include <string>

#include "host/trace/schedule.h"
#include "tests/support/firmware_host.h"
#include "tests/support/golden.h"

namespace dtrmc::test {

// The firmware's heuristic of a simrd class, where it has one.
inline std::optional<std::uint32_t> firmware_heuristic(const std::string& simrd_class) {
  if (simrd_class == "DTREqClass") return DTRMC_HEURISTIC_DTR_EQ;
  if (simrd_class == "DTRLocal") return DTRMC_HEURISTIC_DTR_LOCAL;
  if (simrd_class == "LRU") return DTRMC_HEURISTIC_LRU;
  if (simrd_class == "LargestStorage") return DTRMC_HEURISTIC_SIZE;
  if (simrd_class == "DTR") return DTRMC_HEURISTIC_DTR;
  if (simrd_class == "MSPS") return DTRMC_HEURISTIC_MSPS;
  return std::nullopt;
}

} // namespace dtrmc::test
