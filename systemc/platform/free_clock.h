// SPDX-License-Identifier: Apache-2.0
// A clock that runs all the time, with rising edges at multiples of its period. Unlike an sc_clock it stops where it is
// all that is left to happen and nobody needs it: a platform whose firmware sleeps for ever still ends, as it does
// without a clock.
#pragma once

#include <functional>
#include <systemc>
#include <utility>

#include "systemc/platform/clock_domain.h"

namespace dtrmc::platform {

class FreeClock : public sc_core::sc_module {
 public:
  sc_core::sc_signal<bool> signal{"signal"};

  // `needed`: what it clocks is not idle.
  FreeClock(sc_core::sc_module_name name, const ClockDomain& clock, std::function<bool()> needed)
      : sc_module(name),
        needed_(std::move(needed)),
        high_(ClockDomain::from_ps(clock.period_ps() / 2)),
        low_(clock.period() - high_) {
    SC_HAS_PROCESS(FreeClock);
    SC_METHOD(toggle);
  }

 private:
  void toggle() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (now == changes_at_) {
      signal.write(!signal.read());
      changes_at_ += signal.read() ? low_ : high_; // still the old value
    }
    // Nothing of this clock is scheduled now, but what others do at this instant may still schedule something.
    if (needed_() || sc_core::sc_pending_activity_at_future_time()) return next_trigger(changes_at_ - now);
    if (sc_core::sc_pending_activity_at_current_time()) next_trigger(sc_core::SC_ZERO_TIME);
  }

  std::function<bool()> needed_;
  sc_core::sc_time high_;
  sc_core::sc_time low_;
  sc_core::sc_time changes_at_; // the next edge, either way
};

} // namespace dtrmc::platform
