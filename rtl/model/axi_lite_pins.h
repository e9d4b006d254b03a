// SPDX-License-Identifier: Apache-2.0
// The pins of a Verilated unit, for whoever wants to drive them one by one.
#pragma once

#include <cstdint>

namespace dtrmc::unit {

struct AxiLiteInputs {
  bool awvalid = false;
  uint32_t awaddr = 0;
  bool wvalid = false;
  uint32_t wdata = 0;
  uint8_t wstrb = 0;
  bool bready = false;
  bool arvalid = false;
  uint32_t araddr = 0;
  bool rready = false;
};

struct AxiLiteOutputs {
  bool awready = false;
  bool wready = false;
  bool bvalid = false;
  uint8_t bresp = 0;
  bool arready = false;
  bool rvalid = false;
  uint32_t rdata = 0;
  uint8_t rresp = 0;
  bool irq = false;
  bool busy = false;
};

class AxiLitePins {
 public:
  virtual ~AxiLitePins() = default;
  // Inputs change between two edges; what the outputs then are.
  virtual AxiLiteOutputs settle(const AxiLiteInputs& inputs) = 0;
  // A rising edge at a device time (ps, for waveforms), with the inputs as they were before it.
  virtual AxiLiteOutputs rise(const AxiLiteInputs& inputs, uint64_t time_ps) = 0;
};

} // namespace dtrmc::unit
