// SPDX-License-Identifier: Apache-2.0
// The signals between an AXI4-Lite master and a scoring unit.
#pragma once

#include <cstdint>
#include <systemc>

namespace dtrmc::platform {

struct AxiLiteWires {
  sc_core::sc_signal<bool> awvalid{"awvalid"}, awready{"awready"};
  sc_core::sc_signal<std::uint32_t> awaddr{"awaddr"};
  sc_core::sc_signal<bool> wvalid{"wvalid"}, wready{"wready"};
  sc_core::sc_signal<std::uint32_t> wdata{"wdata"}, wstrb{"wstrb"};
  sc_core::sc_signal<bool> bvalid{"bvalid"}, bready{"bready"};
  sc_core::sc_signal<std::uint32_t> bresp{"bresp"};
  sc_core::sc_signal<bool> arvalid{"arvalid"}, arready{"arready"};
  sc_core::sc_signal<std::uint32_t> araddr{"araddr"};
  sc_core::sc_signal<bool> rvalid{"rvalid"}, rready{"rready"};
  sc_core::sc_signal<std::uint32_t> rdata{"rdata"}, rresp{"rresp"};
  sc_core::sc_signal<bool> irq{"irq"}, busy{"busy"};
};

} // namespace dtrmc::platform
