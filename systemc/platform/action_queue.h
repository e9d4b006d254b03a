// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

namespace dtrmc::platform {

// The mailbox's view of the accelerator's queue.
class ActionQueueIf : public virtual sc_core::sc_interface {
 public:
  // Actions not yet carried out, as of the current SystemC time.
  virtual std::uint32_t outstanding() = 0;
  // Time at which that number changes next if nothing is added; sc_max_time() where it cannot.
  virtual sc_core::sc_time next_change() = 0;
  // Notified when actions were carried out.
  virtual const sc_core::sc_event& progressed() const = 0;
};

} // namespace dtrmc::platform
