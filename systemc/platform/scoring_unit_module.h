// SPDX-License-Identifier: Apache-2.0
// Scorers `rtl` and `tlm`: the Verilated scoring unit or its behavioural model behind TLM. It is clocked during bus
// accesses and searches only; an idle unit needs no clock. It has a clock of its own, whose edges lie at multiples of
// its period: an access begins at the next edge, and the CPU takes the answer at the first edge of its own after that.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>

#include "rtl/model/rtl_unit.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/unit_module.h"

namespace dtrmc::platform {

class ScoringUnitModule : public UnitModule {
 public:
  tlm_utils::simple_target_socket<ScoringUnitModule, 32> socket;

  ScoringUnitModule(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit, const ClockDomain& clock);

  bool level() override;
  sc_core::sc_time next_change() override;
  const sc_core::sc_event& changed() const override { return changed_; }
  tlm::tlm_target_socket<32>& target() override { return socket; }
  unit::RtlUnit& unit() override { return *unit_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void catch_up();
  void advance(std::uint64_t cycles);
  void tick();
  void report(std::uint64_t cycles, std::uint64_t busy);

  std::unique_ptr<unit::RtlUnit> unit_;
  ClockDomain clock_;
  sc_core::sc_time unit_time_; // up to which the unit has been clocked; may be ahead of SystemC time after an access
  bool settled_ = true;        // a cycle has passed in which the unit was idle
  bool reported_busy_ = false;
  sc_core::sc_event tick_event_;
  sc_core::sc_event changed_;
};

} // namespace dtrmc::platform
