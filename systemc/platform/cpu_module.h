// SPDX-License-Identifier: Apache-2.0
// The controller's CPU in SystemC: runs the instruction-set simulator (or whatever cpu::Processor takes its place)
// ahead of SystemC time by at most a quantum, and synchronises before every access with side effects, before it looks
// at an interrupt line, and before it sleeps. Results and cycle counts do not depend on the quantum.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "systemc/cpu/core.h"
#include "systemc/cpu/processor.h"
#include "systemc/debug/run_control.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/interrupt_line.h"
#include "systemc/profile/stepper.h"

namespace dtrmc::platform {

class CpuModule : public sc_core::sc_module, public cpu::Environment {
 public:
  tlm_utils::simple_initiator_socket<CpuModule, 32> socket;

  struct Options {
    std::uint32_t entry_pc;
    std::uint64_t quantum;          // cycles, at least 1
    profile::StepObserver* steps;   // told of every instruction; null: nobody
    std::uint64_t watchdog;         // cycles without progress after which the run ends as a fault; 0: none
    std::uint32_t stack_limit;      // lowest value of sp; 0: no check
    debug::RunControl* run_control; // a debugger; null: none. Instruction-set simulator only, as are steps
    cpu::MakeProcessor make;        // another CPU in place of the instruction-set simulator; empty: none
  };
  CpuModule(sc_core::sc_module_name name, const cpu::TimingProfile& profile, const ClockDomain& clock,
            const Options& options);

  // Connects `line` to bit `number` of mip. Before the simulation starts.
  void connect(unsigned number, sc_core::sc_export<InterruptLineIf>& line);

  // Ends the run after the instruction in hand, or wakes the CPU to end it.
  void finish();

  // Called when the CPU has stopped for good, after finish() or a fault. Unset: a fault is reported as an error
  // (sc_report), finish() ends nothing but the CPU.
  std::function<void()> stopped;

  // Both exist from the end of elaboration on.
  cpu::Processor& processor() { return *processor_; }
  cpu::Core* core() { return core_; } // the instruction-set simulator, null where another CPU takes its place
  // Set when the firmware did something that ends the run: what, where.
  const std::optional<std::string>& fault() const { return fault_; }
  // What a debugger needs. Valid from the end of elaboration on.
  debug::CpuPort debug_port();

 private:
  struct Line {
    unsigned number;
    sc_core::sc_export<InterruptLineIf>* source;
  };
  void end_of_elaboration() override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);
  void run();
  cpu::Stop advance(std::uint64_t limit);
  void sleep();
  std::uint64_t watchdog_cycle() const;
  void look_at_watchdog();
  bool debug_access(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, bool write);
  void sync(std::uint64_t cycle);
  cpu::RamView ask_for_ram();
  void ask_again_for_ram();
  std::uint32_t levels();
  std::uint64_t next_change_cycle();
  cpu::MmioResult transport(tlm::tlm_command command, std::uint32_t address, unsigned bytes, std::uint32_t data,
                            std::uint64_t cycle);
  cpu::MmioResult read(std::uint32_t address, unsigned bytes, std::uint64_t cycle) override;
  cpu::MmioResult write(std::uint32_t address, unsigned bytes, std::uint32_t data, std::uint64_t cycle) override;
  std::uint32_t interrupt_lines(std::uint64_t cycle) override;

  ClockDomain clock_;
  Options options_;
  const cpu::TimingProfile& profile_;
  // Made at the end of elaboration, on the memory that the bus gives DMI to.
  std::unique_ptr<cpu::Processor> processor_;
  cpu::Core* core_ = nullptr; // the same object where it is the instruction-set simulator
  std::vector<Line> lines_;
  sc_core::sc_event_or_list wake_events_;
  sc_core::sc_event finish_event_;
  bool finished_ = false;
  bool dmi_lost_ = false; // the RAM's timing changed: at the next synchronisation it is asked for again
  cpu::RamView ram_{};
  std::uint64_t last_access_cycle_ = 0;
  std::uint64_t last_progress_cycle_ = 0; // a command taken, an action posted, or something pending outside
  std::optional<std::string> fault_;
};

} // namespace dtrmc::platform
