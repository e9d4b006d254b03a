// SPDX-License-Identifier: Apache-2.0
// A level-sensitive interrupt line that can say when it may change next. A plain sc_signal cannot: a CPU that runs
// ahead of SystemC time needs to know how far it may go, and at one instant the order in which processes run must not
// matter. Every model behind a line therefore computes its state as a function of time when asked.
#pragma once

#include <systemc>

namespace dtrmc::platform {

class InterruptLineIf : public virtual sc_core::sc_interface {
 public:
  // Level at the current SystemC time, everything that happens at exactly this time included.
  virtual bool level() = 0;
  // No change comes before this time, as long as nobody accesses the model. sc_max_time(): none is pending.
  virtual sc_core::sc_time next_change() = 0;
  // Notified when the line may have risen, for whoever sleeps.
  virtual const sc_core::sc_event& changed() const = 0;
};

} // namespace dtrmc::platform
