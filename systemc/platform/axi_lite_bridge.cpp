// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/axi_lite_bridge.h"

#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

AxiLiteBridge::AxiLiteBridge(sc_core::sc_module_name name, const ClockDomain& clock)
    : sc_module(name), socket("socket"), clock_(clock) {
  socket.register_b_transport(this, &AxiLiteBridge::b_transport);
  socket.register_transport_dbg(this, &AxiLiteBridge::transport_dbg);
  SC_HAS_PROCESS(AxiLiteBridge);
  SC_METHOD(on_clock);
  sensitive << clk.pos() << drive_now_;
  dont_initialize();
}

void AxiLiteBridge::bind(AxiLiteWires& wires) {
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
}

void AxiLiteBridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!is_word_access(payload)) return;
  if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  mutex_.lock();
  write_ = payload.is_write();
  address_ = static_cast<std::uint32_t>(payload.get_address());
  data_ = write_ ? payload_word(payload) : 0;
  state_ = State::kRequested;
  // An edge of this very instant counts. Where it is over already (the clock is high), the wires change now: after
  // the unit has seen its inputs as they were before the edge.
  const bool on_edge = ClockDomain::to_ps(sc_core::sc_time_stamp()) % clock_.period_ps() == 0;
  if (on_edge && clk.read()) drive_now_.notify(sc_core::SC_ZERO_TIME);
  wait(completed_);
  mutex_.unlock();
  if (error_) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (payload.is_read()) return answer(payload, data_);
  accept(payload);
}

unsigned AxiLiteBridge::transport_dbg(tlm::tlm_generic_payload& payload) {
  return peek ? debug_read(payload, peek) : 0;
}

void AxiLiteBridge::drive() {
  cycles_ = 0;
  if (write_) {
    awvalid.write(true);
    awaddr.write(address_);
    wvalid.write(true);
    wdata.write(data_);
    wstrb.write(0xF);
    bready.write(true);
    state_ = State::kWriting;
  } else {
    arvalid.write(true);
    araddr.write(address_);
    rready.write(true);
    state_ = State::kReading;
  }
}

// What is read here is what the wires held before the edge.
void AxiLiteBridge::on_clock() {
  ++cycles_;
  switch (state_) {
    case State::kIdle:
      return;
    case State::kRequested:
      return drive();
    case State::kWriting:
      if (awready.read()) awvalid.write(false);
      if (wready.read()) wvalid.write(false);
      if (!bvalid.read()) return;
      bready.write(false);
      error_ = bresp.read() != 0;
      break;
    case State::kReading:
      if (arready.read()) arvalid.write(false);
      if (!rvalid.read()) return;
      rready.write(false);
      data_ = rdata.read();
      error_ = rresp.read() != 0;
      break;
  }
  state_ = State::kIdle;
  if (on_access) on_access(write_, address_, cycles_);
  completed_.notify(sc_core::SC_ZERO_TIME);
}

} // namespace dtrmc::platform
