// SPDX-License-Identifier: Apache-2.0
// Scorer `rtl-pins`: the Verilated scoring unit behind an AXI4-Lite bridge, on signals and a free-running clock. Slow,
// and the proof that scorer `rtl` counts right: the same accesses take the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "systemc/platform/axi_lite_bridge.h"
#include "systemc/platform/axi_lite_wires.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/free_clock.h"
#include "systemc/platform/pinned_unit.h"
#include "systemc/platform/unit_module.h"

namespace dtrmc::platform {

class PinnedUnitModule : public UnitModule {
 public:
  PinnedUnitModule(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit, const ClockDomain& clock);

  tlm::tlm_target_socket<32>& target() override { return bridge_.socket; }
  unit::RtlUnit& unit() override { return device_.unit(); }
  // These let delta cycles pass where an edge of this instant is still to come.
  bool level() override;
  sc_core::sc_time next_change() override;
  const sc_core::sc_event& changed() const override { return wires_.irq.posedge_event(); }

 private:
  void settle();
  void on_busy();

  ClockDomain clock_domain_;
  FreeClock clock_;
  AxiLiteWires wires_;
  AxiLiteBridge bridge_;
  PinnedUnit device_;
  sc_core::sc_time settled_at_ = sc_core::sc_max_time(); // the last edge that settle() has waited for
};

} // namespace dtrmc::platform
