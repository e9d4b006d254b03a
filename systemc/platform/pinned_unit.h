// SPDX-License-Identifier: Apache-2.0
// A Verilated scoring unit as a module with its real ports. At a rising edge it sees its inputs as they were before
// the edge; a change of the inputs between edges reaches the outputs that depend on them at once.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "rtl/model/rtl_unit.h"
#include "systemc/platform/axi_lite_wires.h"

namespace dtrmc::platform {

class PinnedUnit : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> awvalid{"awvalid"}, wvalid{"wvalid"}, bready{"bready"}, arvalid{"arvalid"}, rready{"rready"};
  sc_core::sc_in<std::uint32_t> awaddr{"awaddr"}, wdata{"wdata"}, wstrb{"wstrb"}, araddr{"araddr"};
  sc_core::sc_out<bool> awready{"awready"}, wready{"wready"}, bvalid{"bvalid"}, arready{"arready"}, rvalid{"rvalid"},
      irq{"irq"}, busy{"busy"};
  sc_core::sc_out<std::uint32_t> bresp{"bresp"}, rdata{"rdata"}, rresp{"rresp"};

  // The unit has been reset before time 0. std::invalid_argument where it has no pins.
  PinnedUnit(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit);

  void bind(AxiLiteWires& wires);
  unit::RtlUnit& unit() { return *unit_; }

 private:
  void evaluate();

  std::unique_ptr<unit::RtlUnit> unit_;
};

} // namespace dtrmc::platform
