// SPDX-License-Identifier: Apache-2.0
// What the platform knows of a scoring unit, whichever way it is modelled.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "rtl/generated/scoring_unit_regs.h"
#include "rtl/model/rtl_unit.h"
#include "systemc/platform/interrupt_line.h"
#include "systemc/platform/probe.h"
#include "systemc/platform/unit_traffic.h"

namespace dtrmc::platform {

class UnitModule : public sc_core::sc_module, public InterruptLineIf {
 public:
  sc_core::sc_export<InterruptLineIf> line;
  Probe* probe = nullptr;

  virtual tlm::tlm_target_socket<32>& target() = 0; // b_transport, words
  virtual unit::RtlUnit& unit() = 0;
  const UnitTraffic& traffic() const { return traffic_; }

 protected:
  explicit UnitModule(sc_core::sc_module_name name) : sc_module(name), line("line") { line.bind(*this); }

  void count(bool write, std::uint32_t offset, std::uint64_t cycles) {
    constexpr std::uint32_t kUnhindered = 2; // cycles of an access that nothing holds off
    ++traffic_.accesses;
    traffic_.bus_cycles += cycles;
    if (!write) return;
    if (offset >= SCORING_UNIT_CANDIDATE_OFFSET) ++traffic_.table_writes;
    traffic_.stall_cycles += cycles - kUnhindered;
  }

 private:
  UnitTraffic traffic_;
};

} // namespace dtrmc::platform
