// SPDX-License-Identifier: Apache-2.0
// The driver: plays a schedule's commands in order. At most `queue_depth` commands are incomplete at a time; their
// descriptors lie in the ring in the controller's RAM, and each is rung at the mailbox.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "host/command/encoder.h"
#include "host/trace/schedule.h"
#include "systemc/platform/accelerator.h"

namespace dtrmc::platform {

// Told once, when the last command is complete or the firmware gave up (`fail`: enum dtrmc_fail, 0: complete).
class RunEndIf : public virtual sc_core::sc_interface {
 public:
  virtual void on_end(std::uint32_t fail, const sc_core::sc_time& time) = 0;
};

class Driver : public sc_core::sc_module, public CompletionIf {
 public:
  tlm_utils::simple_initiator_socket<Driver, 32> socket;
  sc_core::sc_export<CompletionIf> completion;
  sc_core::sc_port<RunEndIf> end;

  struct Ring {
    std::uint64_t address; // of word 0, as the bus sees it
    std::uint32_t words;
  };
  Driver(sc_core::sc_module_name name, const trace::Schedule& schedule, const Ring& ring, std::uint32_t queue_depth);

  std::size_t issued() const { return next_; } // commands rung

  void on_complete(const sc_core::sc_time& time) override;
  void on_fail(std::uint32_t reason, const sc_core::sc_time& time) override { end->on_end(reason, time); }

 private:
  void fill();
  void write(std::uint64_t address, std::vector<std::uint32_t>& words);

  const trace::Schedule& schedule_;
  command::TensorIds ids_;
  Ring ring_;
  std::uint32_t queue_depth_;
  command::RingAllocator allocator_;
  std::size_t next_ = 0;      // command to issue
  std::size_t completed_ = 0; // commands
  std::vector<std::uint32_t> words_;
};

} // namespace dtrmc::platform
