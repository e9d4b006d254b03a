// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/gdb_server.h"

#include <fmt/format.h>

#include <utility>

namespace dtrmc::debug {

namespace {

// Instructions between two looks at the socket while the CPU is stepped.
constexpr std::uint64_t kPollInterval = 1 << 14;
// Packets that may wait: gdb sends one and waits for its answer.
constexpr std::size_t kMostWaiting = 64;

} // namespace

GdbServer::GdbServer(std::uint16_t port, std::function<void(const std::string& line)> say)
    : listener_(port), say_(std::move(say)) {}

void GdbServer::attach(CpuPort cpu, PlatformState& platform) {
  cpu_ = std::move(cpu);
  platform_ = &platform;
  commands_.emplace(cpu_, platform, breakpoints_);
}

cpu::Stop GdbServer::run(std::uint64_t until) {
  cpu::Core& core = *cpu_.core;
  if (mode_ == Mode::kHalted) serve(); // before the first instruction
  if (running() && !pending_stop_.empty()) halt(std::exchange(pending_stop_, {}));
  if (running() && interrupted()) halt(commands_->stop_reply(signal::kInterrupt, ""));

  std::uint64_t steps = 0;
  while (running()) {
    if (mode_ == Mode::kContinue && breakpoints_.empty()) return cpu_.advance(until);
    if (core.cycle() >= until) return cpu::Stop::kCycleLimit;
    if (++steps % kPollInterval == 0 && interrupted()) {
      halt(commands_->stop_reply(signal::kInterrupt, ""));
      continue;
    }
    // A step leaves a breakpoint that it starts at; going on does not: gdb takes the breakpoint away for that.
    if (mode_ == Mode::kContinue) {
      if (const auto stop = breakpoints_.at(core.pc())) {
        halt(commands_->stop_reply(signal::kTrap, stop->hardware ? "hwbreak:" : "swbreak:"));
        continue;
      }
    }
    const auto access = breakpoints_.watching() ? next_access(core) : std::nullopt;
    const std::uint64_t retired = core.instructions();
    const cpu::Stop stop = cpu_.advance(core.cycle() + 1);
    if (stop == cpu::Stop::kFault || stop == cpu::Stop::kRequested) return stop;
    const auto hit = access && core.instructions() != retired ? breakpoints_.hit(*access) : std::nullopt;
    std::string reply;
    if (hit) {
      const char* const kind = hit->kind == WatchKind::kWrite  ? "watch"
                               : hit->kind == WatchKind::kRead ? "rwatch"
                                                               : "awatch";
      reply = commands_->stop_reply(signal::kTrap, fmt::format("{}:{:x}", kind, hit->address));
    } else if (mode_ == Mode::kStep) {
      reply = commands_->stop_reply(signal::kTrap, "");
    }
    if (stop == cpu::Stop::kWaitForInterrupt) { // the WFI has been executed; it ends when the CPU is woken
      pending_stop_ = std::move(reply);
      return stop;
    }
    if (!reply.empty()) halt(reply);
  }
  return mode_ == Mode::kKilled ? cpu::Stop::kRequested : cpu_.advance(until);
}

void GdbServer::halt(const std::string& stop_reply) {
  cpu_.synchronise();
  mode_ = Mode::kHalted;
  commands_->set_stop_reply(stop_reply);
  send(stop_reply);
  serve();
}

void GdbServer::broke_off(const std::string& report, int signal) {
  if (!running()) return;
  send("O" + to_hex(report));
  halt(commands_->stop_reply(signal, ""));
}

void GdbServer::finished(int exit_code) {
  if (running()) send(fmt::format("W{:02x}", exit_code));
  listener_.close();
  connection_.finish(1000);
}

void GdbServer::wait_for_debugger() {
  say_(fmt::format("gdb: waiting on 127.0.0.1:{port}; connect with: gdb-multiarch -ex 'target remote 127.0.0.1:{port}'",
                   fmt::arg("port", port())));
  while (!connection_.open()) {
    wait_for_input(listener_.descriptor(), -1, -1);
    if (auto accepted = listener_.accept()) connection_ = std::move(*accepted);
  }
}

void GdbServer::serve() {
  if (!connection_.open()) wait_for_debugger();
  while (mode_ == Mode::kHalted) {
    while (!received_.empty() && mode_ == Mode::kHalted) {
      const Item item = std::move(received_.front());
      received_.pop_front();
      switch (item.kind) {
        case PacketReader::Kind::kPacket:
          if (commands_->acknowledges()) connection_.write("+");
          handle(item.data);
          break;
        case PacketReader::Kind::kBad:
          if (commands_->acknowledges()) {
            connection_.write("-");
          } else {
            send("E16");
          }
          break;
        case PacketReader::Kind::kNak:
          connection_.write(last_sent_);
          break;
        case PacketReader::Kind::kAck:
        case PacketReader::Kind::kInterrupt: // it is halted already
          break;
      }
    }
    if (mode_ != Mode::kHalted) return;
    if (!connection_.open()) return notice_loss();
    wait_for_input(connection_.descriptor(), listener_.descriptor(), -1);
    refuse_others();
    receive();
  }
}

void GdbServer::handle(const std::string& packet) {
  std::vector<std::string> replies;
  const Commands::Next next = commands_->handle(packet, replies);
  for (const std::string& reply : replies) send(reply);
  switch (next) {
    case Commands::Next::kStay:
      break;
    case Commands::Next::kContinue:
      mode_ = Mode::kContinue;
      break;
    case Commands::Next::kStep:
      mode_ = Mode::kStep;
      break;
    case Commands::Next::kDetach:
      say_("gdb: detached; the run goes on to its end");
      leave(Mode::kDetached);
      break;
    case Commands::Next::kKill:
      leave(Mode::kKilled);
      break;
  }
}

// The debugger is gone for good; a port that nobody listens on refuses the next one by itself.
void GdbServer::leave(Mode mode) {
  mode_ = mode;
  breakpoints_.clear();
  pending_stop_.clear();
  received_.clear();
  listener_.close();
  connection_.finish(1000);
}

void GdbServer::notice_loss() {
  say_("gdb: the connection was closed without detaching; the run goes on to its end");
  leave(Mode::kDetached);
}

void GdbServer::receive() {
  char bytes[4096];
  while (received_.size() < kMostWaiting) {
    const std::size_t count = connection_.read(bytes, sizeof bytes);
    if (count == 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      const auto kind = reader_.feed(static_cast<std::uint8_t>(bytes[i]));
      if (!kind || *kind == PacketReader::Kind::kAck) continue;
      received_.push_back({*kind, *kind == PacketReader::Kind::kPacket ? reader_.data() : std::string()});
    }
  }
}

void GdbServer::refuse_others() {
  while (auto other = listener_.accept()) {
    // gdb shows the text as the failure of its first request.
    other->write("+" + frame_packet("E.another debugger is attached to this run"));
    other->finish(100);
  }
}

// While the CPU runs: a byte 0x03 has come. Loses the debugger where the connection is closed.
bool GdbServer::interrupted() {
  refuse_others();
  if (received_.empty()) receive();
  if (!connection_.open()) {
    notice_loss();
    return false;
  }
  // Packets wait until the CPU is halted.
  while (!received_.empty() && received_.front().kind != PacketReader::Kind::kPacket) {
    const PacketReader::Kind kind = received_.front().kind;
    received_.pop_front();
    if (kind == PacketReader::Kind::kInterrupt) return true;
    if (kind == PacketReader::Kind::kNak) connection_.write(last_sent_);
    if (kind == PacketReader::Kind::kBad) connection_.write("-");
  }
  return false;
}

void GdbServer::send(std::string_view data) {
  last_sent_ = frame_packet(data);
  connection_.write(last_sent_);
}

} // namespace dtrmc::debug
