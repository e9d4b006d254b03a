// SPDX-License-Identifier: Apache-2.0
// Lets somebody else than the CPU module decide how far the CPU runs: the place where a debugger stands. Without one
// the CPU module tests one pointer per quantum.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "systemc/cpu/core.h"

namespace dtrmc::debug {

class PlatformState; // snapshot.h

// What the CPU module offers.
struct CpuPort {
  cpu::Core* core = nullptr;
  std::function<cpu::Stop(std::uint64_t until)> advance; // core->run, watched by whoever watches instructions
  std::function<void()> synchronise;                     // brings the platform to core->cycle()
  // Bytes outside RAM, in no time and without side effects; false where the target does not allow that.
  std::function<bool(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, bool write)> bus;
};

class RunControl {
 public:
  virtual ~RunControl() = default;
  // Before the simulation starts.
  virtual void attach(CpuPort cpu, PlatformState& platform) = 0;
  // In place of CpuPort::advance. May block for as long as a user thinks; device time stands still meanwhile.
  virtual cpu::Stop run(std::uint64_t until) = 0;
  // The user ended the run; run() then returned kRequested.
  virtual bool killed() const = 0;
  // The run broke off, with everything as it was at that moment: a chance to look. `signal`: a number of gdb's.
  virtual void broke_off(const std::string& report, int signal) = 0;
  // The run is over.
  virtual void finished(int exit_code) = 0;
};

// Signal numbers of the GDB remote protocol (include/gdb/signals.def).
namespace signal {
constexpr int kInterrupt = 2;
constexpr int kIllegal = 4;
constexpr int kTrap = 5;
constexpr int kAbort = 6;
constexpr int kBus = 10;
constexpr int kSegment = 11;
constexpr int kAlarm = 14;
} // namespace signal

// The signal that stands for a fault's cause.
int signal_of(std::uint32_t cause);

} // namespace dtrmc::debug
