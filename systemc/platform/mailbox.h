// SPDX-License-Identifier: Apache-2.0
// The controller's window to the outside: counts the commands that the driver rang, hands actions to the accelerator,
// and drives the two interrupt lines. Registers: firmware/protocol.h.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <optional>
#include <systemc>

#include "systemc/platform/action_queue.h"
#include "systemc/platform/interrupt_line.h"
#include "systemc/platform/probe.h"

namespace dtrmc::platform {

class Mailbox : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Mailbox, 32> socket;
  tlm_utils::simple_initiator_socket<Mailbox, 32> actions; // to the accelerator
  // Its state. Unbound: the mailbox counts by itself, told of actions that are carried out through the register DONE.
  sc_core::sc_port<ActionQueueIf, 1, sc_core::SC_ZERO_OR_MORE_BOUND> queue;
  sc_core::sc_export<InterruptLineIf> command_line;     // a rung command has not been taken
  sc_core::sc_export<InterruptLineIf> accelerator_line; // OUTSTANDING < THRESHOLD

  explicit Mailbox(sc_core::sc_module_name name);
  std::uint32_t taken() const { return taken_; } // commands that the firmware took, modulo 2^32
  Probe* probe = nullptr;

 private:
  class CommandLine : public InterruptLineIf {
   public:
    explicit CommandLine(Mailbox& mailbox) : mailbox_(mailbox) {}
    bool level() override;
    sc_core::sc_time next_change() override { return mailbox_.state().next_change(); }
    const sc_core::sc_event& changed() const override { return mailbox_.rang_; }

   private:
    Mailbox& mailbox_;
  };
  class AcceleratorLine : public InterruptLineIf {
   public:
    explicit AcceleratorLine(Mailbox& mailbox) : mailbox_(mailbox) {}
    bool level() override { return mailbox_.state().outstanding() < mailbox_.threshold_; }
    sc_core::sc_time next_change() override { return mailbox_.state().next_change(); }
    const sc_core::sc_event& changed() const override { return mailbox_.state().progressed(); }

   private:
    Mailbox& mailbox_;
  };

  // Counts what was posted and has not been reported as done.
  class OwnCount : public ActionQueueIf {
   public:
    std::uint32_t outstanding() override { return count_; }
    sc_core::sc_time next_change() override { return sc_core::sc_max_time(); } // only an access changes it
    const sc_core::sc_event& progressed() const override { return progressed_; }
    void add() { ++count_; }
    bool done(std::uint32_t actions);

   private:
    std::uint32_t count_ = 0;
    sc_core::sc_event progressed_;
  };

  ActionQueueIf& state() { return queue.size() != 0 ? *queue[0] : own_; }
  std::optional<std::uint32_t> peek(std::uint64_t offset);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  OwnCount own_;
  CommandLine command_{*this};
  AcceleratorLine accelerator_{*this};
  std::uint32_t rung_ = 0;
  std::uint32_t taken_ = 0;
  std::uint32_t threshold_ = 1;
  sc_core::sc_event rang_;
};

} // namespace dtrmc::platform
