// SPDX-License-Identifier: Apache-2.0
// The controller's clock: cycle numbers against SystemC time. Cycle 0 starts at time 0; period = round(1e6 / MHz) ps.
#pragma once

#include <cmath>
#include <cstdint>
#include <systemc>

namespace dtrmc::platform {

class ClockDomain {
 public:
  // mhz in (0, 1e6]; checked by the caller (PlatformConfig).
  explicit ClockDomain(double mhz) : period_ps_(static_cast<std::uint64_t>(std::llround(1e6 / mhz))) {}

  std::uint64_t period_ps() const { return period_ps_; }
  sc_core::sc_time period() const { return at(1); }
  sc_core::sc_time at(std::uint64_t cycle) const { return from_ps(cycle * period_ps_); }
  // The first cycle that starts at or after `time`.
  std::uint64_t cycle_from(const sc_core::sc_time& time) const { return (to_ps(time) + period_ps_ - 1) / period_ps_; }

  // SystemC's default resolution, 1 ps, is part of the platform: Platform checks it.
  static sc_core::sc_time from_ps(std::uint64_t ps) { return sc_core::sc_time::from_value(ps); }
  static std::uint64_t to_ps(const sc_core::sc_time& time) { return time.value(); }

 private:
  std::uint64_t period_ps_;
};

} // namespace dtrmc::platform
