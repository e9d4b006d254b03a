// SPDX-License-Identifier: Apache-2.0
// TLM target to AXI4-Lite master, one access at a time. A request appears on the wires with the first edge at or after
// the transport call; the call returns at the edge that takes the response. So an access that the slave does not delay
// takes two cycles: one in which it is accepted, one for its response.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "systemc/platform/axi_lite_wires.h"
#include "systemc/platform/clock_domain.h"

namespace dtrmc::platform {

class AxiLiteBridge : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<AxiLiteBridge, 32> socket; // waits: threads only
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_out<bool> awvalid{"awvalid"}, wvalid{"wvalid"}, bready{"bready"}, arvalid{"arvalid"}, rready{"rready"};
  sc_core::sc_out<std::uint32_t> awaddr{"awaddr"}, wdata{"wdata"}, wstrb{"wstrb"}, araddr{"araddr"};
  sc_core::sc_in<bool> awready{"awready"}, wready{"wready"}, bvalid{"bvalid"}, arready{"arready"}, rvalid{"rvalid"};
  sc_core::sc_in<std::uint32_t> bresp{"bresp"}, rdata{"rdata"}, rresp{"rresp"};

  // `clock`: what drives clk, whose rising edges lie at multiples of its period.
  AxiLiteBridge(sc_core::sc_module_name name, const ClockDomain& clock);

  void bind(AxiLiteWires& wires);
  // Told of every access: write or read, address, cycles from the request to the end of the response.
  std::function<void(bool, std::uint32_t, std::uint64_t)> on_access;
  // What a debugger reads at an address, without time; unset: nothing.
  std::function<std::optional<std::uint32_t>(std::uint64_t)> peek;
  bool active() const { return state_ != State::kIdle; } // an access is in progress

 private:
  enum class State { kIdle, kRequested, kWriting, kReading };
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void on_clock();
  void drive();

  ClockDomain clock_;
  sc_core::sc_mutex mutex_;
  State state_ = State::kIdle;
  bool write_ = false; // the request
  std::uint32_t address_ = 0;
  std::uint32_t data_ = 0; // and the answer
  bool error_ = false;
  std::uint64_t cycles_ = 0; // since the request appeared
  sc_core::sc_event drive_now_;
  sc_core::sc_event completed_;
};

} // namespace dtrmc::platform
