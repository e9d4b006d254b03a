// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/pinned_unit.h"

#include <stdexcept>
#include <utility>

#include "systemc/platform/clock_domain.h"

namespace dtrmc::platform {

PinnedUnit::PinnedUnit(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit)
    : sc_module(name), unit_(std::move(unit)) {
  if (unit_->pins() == nullptr) throw std::invalid_argument("unit " + unit_->info().name + " has no pins");
  unit_->reset();
  SC_HAS_PROCESS(PinnedUnit);
  SC_METHOD(evaluate);
  sensitive << clk.pos() << awvalid << wvalid << bready << arvalid << rready << awaddr << wdata << wstrb << araddr;
}

void PinnedUnit::bind(AxiLiteWires& wires) {
  awvalid(wires.awvalid);
  awready(wires.awready);
  awaddr(wires.awaddr);
  wvalid(wires.wvalid);
  wready(wires.wready);
  wdata(wires.wdata);
  wstrb(wires.wstrb);
  bvalid(wires.bvalid);
  bready(wires.bready);
  bresp(wires.bresp);
  arvalid(wires.arvalid);
  arready(wires.arready);
  araddr(wires.araddr);
  rvalid(wires.rvalid);
  rready(wires.rready);
  rdata(wires.rdata);
  rresp(wires.rresp);
  irq(wires.irq);
  busy(wires.busy);
}

void PinnedUnit::evaluate() {
  unit::AxiLiteInputs in;
  in.awvalid = awvalid.read();
  in.awaddr = awaddr.read();
  in.wvalid = wvalid.read();
  in.wdata = wdata.read();
  in.wstrb = static_cast<std::uint8_t>(wstrb.read());
  in.bready = bready.read();
  in.arvalid = arvalid.read();
  in.araddr = araddr.read();
  in.rready = rready.read();
  const unit::AxiLiteOutputs out =
      clk.posedge() ? unit_->pins()->rise(in, ClockDomain::to_ps(sc_core::sc_time_stamp())) : unit_->pins()->settle(in);
  awready.write(out.awready);
  wready.write(out.wready);
  bvalid.write(out.bvalid);
  bresp.write(out.bresp);
  arready.write(out.arready);
  rvalid.write(out.rvalid);
  rdata.write(out.rdata);
  rresp.write(out.rresp);
  irq.write(out.irq);
  busy.write(out.busy);
}

} // namespace dtrmc::platform
