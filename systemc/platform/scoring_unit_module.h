// SPDX-License-Identifier: Apache-2.0
// Scorer `rtl`: the Verilated scoring unit behind TLM. The RTL is clocked during bus accesses and searches only; an
// idle unit needs no clock. It has a clock of its own, whose edges lie at multiples of its period: an access begins at
// the next edge, and the CPU takes the answer at the first edge of its own after that.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>

#include "rtl/model/rtl_unit.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/interrupt_line.h"
#include "systemc/platform/probe.h"
#include "systemc/platform/unit_traffic.h"

namespace dtrmc::platform {

class ScoringUnitModule : public sc_core::sc_module, public InterruptLineIf {
 public:
  tlm_utils::simple_target_socket<ScoringUnitModule, 32> socket;
  sc_core::sc_export<InterruptLineIf> line;

  ScoringUnitModule(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit, const ClockDomain& clock);

  bool level() override;
  sc_core::sc_time next_change() override;
  const sc_core::sc_event& changed() const override { return changed_; }
  unit::RtlUnit& rtl() { return *unit_; }
  const UnitTraffic& traffic() const { return traffic_; }
  Probe* probe = nullptr;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void catch_up();
  void count(const unit::RtlUnit::Access& access, bool write, std::uint32_t offset);
  void cycle();
  void tick();
  void report(std::uint32_t cycles, std::uint32_t busy);

  std::unique_ptr<unit::RtlUnit> unit_;
  ClockDomain clock_;
  UnitTraffic traffic_;
  sc_core::sc_time unit_time_; // up to which the RTL has been clocked; may be ahead of SystemC time after an access
  bool reported_busy_ = false;
  sc_core::sc_event tick_event_;
  sc_core::sc_event changed_;
};

} // namespace dtrmc::platform
