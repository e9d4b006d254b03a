// SPDX-License-Identifier: Apache-2.0
// The controller's window to the outside: counts the commands that the driver rang, hands actions to the accelerator,
// and drives the two interrupt lines. Registers: firmware/protocol.h.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>

#include "systemc/platform/accelerator.h"
#include "systemc/platform/interrupt_line.h"
#include "systemc/platform/probe.h"

namespace dtrmc::platform {

class Mailbox : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Mailbox, 32> socket;
  tlm_utils::simple_initiator_socket<Mailbox, 32> actions; // to the accelerator
  sc_core::sc_port<ActionQueueIf> queue;                   // its state
  sc_core::sc_export<InterruptLineIf> command_line;        // a rung command has not been taken
  sc_core::sc_export<InterruptLineIf> accelerator_line;    // OUTSTANDING < THRESHOLD

  explicit Mailbox(sc_core::sc_module_name name);
  std::uint32_t taken() const { return taken_; } // commands that the firmware took, modulo 2^32
  Probe* probe = nullptr;

 private:
  class CommandLine : public InterruptLineIf {
   public:
    explicit CommandLine(Mailbox& mailbox) : mailbox_(mailbox) {}
    bool level() override;
    sc_core::sc_time next_change() override { return mailbox_.queue->next_change(); }
    const sc_core::sc_event& changed() const override { return mailbox_.rang_; }

   private:
    Mailbox& mailbox_;
  };
  class AcceleratorLine : public InterruptLineIf {
   public:
    explicit AcceleratorLine(Mailbox& mailbox) : mailbox_(mailbox) {}
    bool level() override { return mailbox_.queue->outstanding() < mailbox_.threshold_; }
    sc_core::sc_time next_change() override { return mailbox_.queue->next_change(); }
    const sc_core::sc_event& changed() const override { return mailbox_.queue->progressed(); }

   private:
    Mailbox& mailbox_;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  CommandLine command_{*this};
  AcceleratorLine accelerator_{*this};
  std::uint32_t rung_ = 0;
  std::uint32_t taken_ = 0;
  std::uint32_t threshold_ = 1;
  sc_core::sc_event rang_;
};

} // namespace dtrmc::platform
