// SPDX-License-Identifier: Apache-2.0
// Who finds the smallest score. All take the same victims with exact arithmetic; those with a unit take the same
// cycles.
#pragma once

#include <array>
#include <cstdint>

namespace dtrmc::platform {

enum class Scorer : std::uint8_t {
  kFirmware, // in C on the controller's CPU
  kTlm,      // behavioural model of the unit
  kRtl,      // Verilated unit, clocked only while it has something to do
  kRtlPins,  // Verilated unit behind signals of a free-running clock
};

struct ScorerName {
  Scorer scorer;
  const char* name;
};
inline constexpr std::array<ScorerName, 4> kScorers{
    {{Scorer::kRtl, "rtl"}, {Scorer::kTlm, "tlm"}, {Scorer::kRtlPins, "rtl-pins"}, {Scorer::kFirmware, "firmware"}}};

inline const char* to_string(Scorer scorer) {
  for (const ScorerName& entry : kScorers) {
    if (entry.scorer == scorer) return entry.name;
  }
  return "";
}

inline bool has_unit(Scorer scorer) { return scorer != Scorer::kFirmware; }

} // namespace dtrmc::platform
