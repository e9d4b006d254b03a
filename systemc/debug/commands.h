// SPDX-License-Identifier: Apache-2.0
// What each packet of the GDB remote protocol does while the CPU is halted. No sockets and no time here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systemc/debug/breakpoints.h"
#include "systemc/debug/run_control.h"
#include "systemc/debug/snapshot.h"

namespace dtrmc::debug {

class Commands {
 public:
  enum class Next : std::uint8_t { kStay, kContinue, kStep, kDetach, kKill };

  Commands(CpuPort& cpu, PlatformState& platform, Breakpoints& breakpoints)
      : cpu_(cpu), platform_(platform), breakpoints_(breakpoints) {}

  // Carries the packet out; what is to be sent is appended to `replies`, unframed.
  Next handle(std::string_view packet, std::vector<std::string>& replies);

  // The answer to `?` from now on.
  void set_stop_reply(std::string reply) { stop_reply_ = std::move(reply); }
  bool acknowledges() const { return acknowledges_; } // until gdb asks to go without

  // Stop reply with `signal`; `reason`: "swbreak:", "watch:80001000", ... or empty.
  std::string stop_reply(int signal, std::string_view reason) const;

 private:
  std::string query(std::string_view packet, std::vector<std::string>& replies);
  std::string transfer(std::string_view packet) const;
  std::string read_memory(std::string_view arguments);
  std::string write_memory(std::string_view arguments, bool binary);
  bool memory(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes, bool write);
  std::string read_registers();
  std::string write_registers(std::string_view values);
  std::string breakpoint(std::string_view packet);
  std::string host_file(std::string_view packet) const;
  std::string monitor_command(std::string_view hex, std::vector<std::string>& replies);
  // Where c, s, C, S go on: at their address, where they have one.
  bool resume_at(std::string_view arguments, bool with_signal);

  CpuPort& cpu_;
  PlatformState& platform_;
  Breakpoints& breakpoints_;
  std::string stop_reply_ = "S05";
  bool acknowledges_ = true;
  bool stop_reasons_ = false; // gdb understands swbreak and hwbreak
};

} // namespace dtrmc::debug
