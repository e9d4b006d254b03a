// SPDX-License-Identifier: Apache-2.0
// The controller as one TLM-2.0 module: CPU with its firmware, RAM, mailbox, timer and scoring unit on one bus. It
// knows nothing of traces, accelerators and ledgers; whoever puts it into a design binds
//
//   host     the driver's side: writes command descriptors into the ring (ring_address(), ring_words()) and rings
//            DTRMC_MAILBOX_DOORBELL at DTRMC_MAILBOX_BASE once per command. Addresses are the controller's own.
//   actions  to the accelerator: a write of one word at address 0 per action, in the order to carry them out
//   queue    what the accelerator has not carried out yet, as a function of time (exact at every quantum); or leave it
//            unbound, and
//   device   then is where the accelerator writes to DTRMC_MAILBOX_DONE how many more actions it has carried out
//
// Descriptors, actions and registers: firmware/protocol.h. The time resolution must be SystemC's default, 1 ps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "firmware/protocol.h"
#include "systemc/cpu/elf_loader.h"
#include "systemc/platform/action_queue.h"
#include "systemc/platform/bus.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/controller_config.h"
#include "systemc/platform/controller_view.h"
#include "systemc/platform/cpu_module.h"
#include "systemc/platform/mailbox.h"
#include "systemc/platform/ram.h"
#include "systemc/platform/timer.h"
#include "systemc/platform/unit_module.h"

namespace dtrmc::platform {

class Controller : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<32> host;
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> device;
  tlm::tlm_initiator_socket<32> actions;
  sc_core::sc_port<ActionQueueIf, 1, sc_core::SC_ZERO_OR_MORE_BOUND> queue;

  // Throws InputError for a firmware image that does not fit or a number out of its range, std::invalid_argument for
  // an unknown unit or CPU profile.
  Controller(sc_core::sc_module_name name, ControllerConfig config);

  const ControllerConfig& config() const { return config_; }
  const ClockDomain& clock() const { return clock_; }

  // The command ring: address of word 0 on the bus, and its words.
  std::uint64_t ring_address() const { return shared_address_ + std::uint64_t{DTRMC_RING_OFFSET}; }
  std::uint32_t ring_words() const { return shared_->ring_words; }

  // The block that firmware and platform share; the firmware's results are valid once END is complete or FAIL came.
  const dtrmc_shared& shared() const { return *shared_; }

  // Another timing of the RAM from the CPU's next synchronisation on: at most a quantum later. The instruction-set
  // simulator can do that, another CPU where its set_ram_wait_states says so.
  void set_ram_wait_states(std::uint32_t cycles) { ram_.set_latency(clock_.at(cycles)); }

  // Ends the CPU's work: after the instruction in hand, or out of its sleep.
  void finish() { cpu_.finish(); }
  // Called when the CPU has stopped for good. Unset: a firmware fault is reported as an error (sc_report).
  void set_stopped(std::function<void()> stopped) { cpu_.stopped = std::move(stopped); }
  // What the firmware did that ended the run, where it did.
  const std::optional<std::string>& fault() const { return cpu_.fault(); }

  // Cycle and instruction counters, activities. From the end of elaboration on.
  cpu::Processor& processor() { return cpu_.processor(); }

  // For whoever watches or debugs.
  CpuModule& cpu() { return cpu_; }
  Ram& ram() { return ram_; }
  Mailbox& mailbox() { return mailbox_; }
  Timer& timer() { return timer_; }
  UnitModule* unit() { return unit_.get(); } // null with scorer `firmware`
  const cpu::LoadedElf& elf() const { return elf_; }
  // The firmware's own state; null where the image does not say where it is.
  const ControllerView* view() const { return view_ ? &*view_ : nullptr; }

 private:
  std::vector<Bus::Region> regions() const;
  void configure();

  ControllerConfig config_;
  ClockDomain clock_;
  Ram ram_;
  cpu::LoadedElf elf_;
  std::uint32_t shared_address_ = 0; // as the CPU sees it
  dtrmc_shared* shared_;
  Bus bus_;
  Mailbox mailbox_;
  Timer timer_;
  CpuModule cpu_;
  std::unique_ptr<UnitModule> unit_;
  std::optional<ControllerView> view_;
};

} // namespace dtrmc::platform
