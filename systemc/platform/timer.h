// SPDX-License-Identifier: Apache-2.0
// Machine timer: mtime counts controller cycles, the interrupt line is high while mtime >= mtimecmp (RISC-V privileged
// specification). Beside it a counter of ticks of a length of their own, the device clock of the eviction scores.
// Register offsets: firmware/protocol.h.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <optional>
#include <systemc>

#include "systemc/platform/clock_domain.h"
#include "systemc/platform/interrupt_line.h"

namespace dtrmc::platform {

class Timer : public sc_core::sc_module, public InterruptLineIf {
 public:
  tlm_utils::simple_target_socket<Timer, 32> socket;
  sc_core::sc_export<InterruptLineIf> line;

  // `tick_ns`: length of a tick, at least 1.
  Timer(sc_core::sc_module_name name, const ClockDomain& clock, std::uint64_t tick_ns);

  bool level() override;
  sc_core::sc_time next_change() override;
  const sc_core::sc_event& changed() const override { return due_; }

 private:
  std::uint64_t now() const { return ClockDomain::to_ps(sc_core::sc_time_stamp()) / clock_.period_ps(); }
  std::optional<std::uint32_t> peek(std::uint64_t offset) const;
  std::uint64_t ticks() const { return (1 + ClockDomain::to_ps(sc_core::sc_time_stamp()) / 1000) / tick_ns_; }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void schedule();

  ClockDomain clock_;
  std::uint64_t tick_ns_;
  std::uint64_t compare_ = ~std::uint64_t{0}; // reset value: never due
  sc_core::sc_event due_;
};

} // namespace dtrmc::platform
