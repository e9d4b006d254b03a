// SPDX-License-Identifier: Apache-2.0
// A GDB remote stub: gdb attaches over loopback TCP to the firmware on the instruction-set simulator. The CPU is halted
// before its first instruction until gdb connects. Breakpoints and watchpoints are looked at between single steps, so
// the core and the program know nothing of them, and every run that ends gives the results of a run without gdb.
//
// One debugger in a run. Once it has detached or is lost, the run goes on by itself to its end.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "systemc/debug/breakpoints.h"
#include "systemc/debug/commands.h"
#include "systemc/debug/connection.h"
#include "systemc/debug/packet.h"
#include "systemc/debug/run_control.h"
#include "systemc/debug/snapshot.h"

namespace dtrmc::debug {

class GdbServer : public RunControl {
 public:
  // Listens at once; throws PortError. `say` gets lines for the user (where to connect; a lost debugger).
  GdbServer(std::uint16_t port, std::function<void(const std::string& line)> say);

  std::uint16_t port() const { return listener_.port(); }

  void attach(CpuPort cpu, PlatformState& platform) override;
  cpu::Stop run(std::uint64_t until) override;
  bool killed() const override { return mode_ == Mode::kKilled; }
  void broke_off(const std::string& report, int signal) override;
  void finished(int exit_code) override;

 private:
  enum class Mode : std::uint8_t { kHalted, kContinue, kStep, kDetached, kKilled };

  bool running() const { return mode_ == Mode::kContinue || mode_ == Mode::kStep; }
  void wait_for_debugger();
  void serve();
  void halt(const std::string& stop_reply);
  void receive(); // what has arrived, without waiting
  void refuse_others();
  void notice_loss();
  bool interrupted();
  void handle(const std::string& packet);
  void send(std::string_view data);
  void leave(Mode mode);

  struct Item {
    PacketReader::Kind kind;
    std::string data;
  };

  Listener listener_;
  std::function<void(const std::string&)> say_;
  Connection connection_{-1};
  PacketReader reader_;
  std::deque<Item> received_;
  std::string last_sent_; // framed
  CpuPort cpu_;
  PlatformState* platform_ = nullptr;
  Breakpoints breakpoints_;
  std::optional<Commands> commands_;
  Mode mode_ = Mode::kHalted;
  std::string pending_stop_; // a stop that is told once the CPU is awake
};

} // namespace dtrmc::debug
