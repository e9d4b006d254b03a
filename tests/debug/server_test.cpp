// SPDX-License-Identifier: Apache-2.0
// The stub over real sockets: a client in this thread, the run in another one.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "systemc/debug/gdb_server.h"
#include "systemc/debug/packet.h"
#include "tests/cpu/assembler.h"
#include "tests/debug/debug_target.h"

using namespace dtrmc;
using namespace dtrmc::debug;
using debug::test::kBase;
using debug::test::Target;
namespace as = cpu::test;

namespace {

class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{30, 0}; // then a test fails instead of hanging
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected() const { return connected_; }
  void send(std::string_view bytes) { ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  // The next character, 0 at the end of the stream.
  char get() {
    char c = 0;
    return ::recv(socket_, &c, 1, 0) == 1 ? c : '\0';
  }
  // The next packet's data, acknowledged; acks before it are skipped.
  std::string reply() {
    PacketReader reader;
    for (char c = get(); c != 0; c = get()) {
      if (reader.feed(static_cast<std::uint8_t>(c)) == PacketReader::Kind::kPacket) {
        send("+");
        return reader.data();
      }
    }
    return "(closed)";
  }
  std::string ask(std::string_view packet) {
    send(frame_packet(packet));
    return reply();
  }

 private:
  int socket_;
  bool connected_ = false;
};

// A run of `program` until the core is past `cycles`, the debugger ends it, or it faults.
struct Run {
  Target target;
  GdbServer server{0, [this](const std::string& line) { said += line + "\n"; }};
  std::string said; // to be read after join() only
  std::atomic<bool> ended{false};
  std::uint16_t port = server.port();
  std::thread thread;

  explicit Run(const std::vector<std::uint32_t>& program, std::uint64_t cycles = ~std::uint64_t{0}) : target(program) {
    server.attach(target.port(), target);
    thread = std::thread([this, cycles] {
      while (!server.killed() && target.core().cycle() < cycles && !target.core().faulted()) {
        server.run(std::min(cycles, target.core().cycle() + 1000));
      }
      if (target.core().faulted()) server.broke_off("broke off\n", signal::kIllegal);
      server.finished(target.core().faulted() ? 1 : 0);
      ended = true;
    });
  }
  ~Run() { join(); }
  void join() {
    if (thread.joinable()) thread.join();
  }
};

// a0 counts up, stored at 0x80000100, for ever
const std::vector<std::uint32_t> kCounter = {as::lui(as::a1, kBase), as::addi(as::a0, as::a0, 1),
                                             as::sw(as::a0, as::a1, 0x100), as::lw(as::a2, as::a1, 0x100),
                                             as::jal(0, -12)};

} // namespace

TEST_CASE("server: steps, breakpoints, watchpoints, interrupt, kill", "[debug]") {
  Run run(kCounter);
  Client client(run.port);
  REQUIRE(client.connected());
  CHECK(client.ask("?") == "S05");
  CHECK(client.ask("qSupported:swbreak+;hwbreak+").find("PacketSize=4000") == 0);
  CHECK(client.ask("s") == "T0520:04000080;");
  CHECK(client.ask("Z0,80000010,4") == "OK");
  CHECK(client.ask("c") == "T0520:10000080;swbreak:;");
  CHECK(client.ask("c") == "T0520:10000080;swbreak:;"); // still there: whoever goes on takes it away
  CHECK(client.ask("s") == "T0520:04000080;");          // a step leaves it
  CHECK(client.ask("z0,80000010,4") == "OK");
  CHECK(client.ask("Z1,80000008,4") == "OK");
  CHECK(client.ask("c") == "T0520:08000080;hwbreak:;");
  CHECK(client.ask("z1,80000008,4") == "OK");
  CHECK(client.ask("pa") == "02000000");
  CHECK(client.ask("Z2,80000100,4") == "OK");
  CHECK(client.ask("c") == "T0520:0c000080;watch:80000100;"); // after the store
  CHECK(client.ask("m80000100,4") == "02000000");
  CHECK(client.ask("z2,80000100,4") == "OK");
  CHECK(client.ask("Z3,80000102,1") == "OK");
  CHECK(client.ask("c") == "T0520:10000080;rwatch:80000102;");
  CHECK(client.ask("z3,80000102,1") == "OK");
  CHECK(client.ask("Z4,80000100,4") == "OK");
  CHECK(client.ask("c") == "T0520:0c000080;awatch:80000100;");
  CHECK(client.ask("c") == "T0520:10000080;awatch:80000100;");

  // interrupted while it steps past a watchpoint that is never hit, and while it runs freely
  CHECK(client.ask("z4,80000100,4") == "OK");
  for (const char* watch : {"Z2,80000200,4", "z2,80000200,4"}) {
    CHECK(client.ask(watch) == "OK");
    client.send(frame_packet("c"));
    CHECK(client.get() == '+');
    client.send("\x03");
    CHECK(client.reply().substr(0, 3) == "T02");
  }
  const std::string cycle = client.ask("p2a"); // mcycle: time stands still
  CHECK(client.ask("p2a") == cycle);
  CHECK(client.ask("vKill;1") == "OK");
  CHECK(client.reply() == "(closed)");
  run.join();
  CHECK(run.server.killed());
}

TEST_CASE("server: wrong packets are asked for again", "[debug]") {
  Run run(kCounter);
  Client client(run.port);
  client.send("$?#00");
  CHECK(client.get() == '-');
  client.send("garbage\r\n\r\n$" + std::string(100000, 'm') + "#00");
  CHECK(client.get() == '-');
  client.send("$?#3f");
  CHECK(client.get() == '+');
  CHECK(client.reply() == "S05");
  client.send("-"); // the reply was damaged on its way: it is sent again
  CHECK(client.reply() == "S05");
  CHECK(client.ask("QStartNoAckMode") == "OK");
  client.send("$?#00"); // nothing is asked for again in this mode
  CHECK(client.reply() == "E16");
  client.send("$k#6b");
  run.join();
}

TEST_CASE("server: a debugger that goes away lets the run go on to its end", "[debug]") {
  const auto lost = [](const std::function<void(Client&)>& talk) {
    Run run(kCounter, 100000);
    {
      Client client(run.port);
      talk(client);
    }
    run.join();
    CHECK(run.target.core().cycle() >= 100000);
    CHECK(run.said.find("closed without detaching") != std::string::npos);
    return run.target.core().cycle();
  };
  const std::uint64_t cycle = lost([](Client&) {});
  CHECK(lost([](Client& client) { client.send("$m8000"); }) == cycle);
  CHECK(lost([](Client& client) {
          client.ask("?");
          client.ask("Z0,80000004,4"); // must not stop anybody any more
          client.ask("Z2,80000100,4");
        }) == cycle);
  CHECK(lost([](Client& client) { client.send(std::string(5000, '$') + "}"); }) == cycle);
}

TEST_CASE("server: detach, and nobody gets in afterwards", "[debug]") {
  Run run(kCounter, 100000);
  Client client(run.port);
  CHECK(client.ask("?") == "S05");
  {
    Client second(run.port);
    REQUIRE(second.connected());
    CHECK(second.reply().substr(0, 2) == "E.");
    CHECK(second.reply() == "(closed)");
  }
  CHECK(client.ask("?") == "S05"); // undisturbed
  CHECK(client.ask("D") == "OK");
  CHECK(client.reply() == "(closed)");
  CHECK_FALSE(Client(run.port).connected());
  run.join();
}

TEST_CASE("server: the end of the run and a run that breaks off are told", "[debug]") {
  {
    Run run(kCounter, 100000);
    Client client(run.port);
    CHECK(client.ask("c") == "W00");
    run.join();
  }
  Run run({as::nop(), 0});
  Client client(run.port);
  CHECK(client.ask("c") == "O" + to_hex("broke off\n"));
  CHECK(client.reply() == "T0420:04000080;");
  CHECK(client.ask("p20") == "04000080");
  CHECK(client.ask("c") == "W01");
  run.join();
}

TEST_CASE("server: a port is refused in one line", "[debug]") {
  const Listener first(0);
  try {
    const Listener second(first.port());
    FAIL("two listeners on one port");
  } catch (const PortError& error) {
    const std::string text = error.what();
    CHECK(text.find("port " + std::to_string(first.port())) == 0);
    CHECK(text.find('\n') == std::string::npos);
  }
}
