// SPDX-License-Identifier: Apache-2.0
// Packets and commands of the GDB remote protocol, right and wrong, without a debugger.
#include <catch2/catch.hpp>
#include <random>

#include "systemc/debug/commands.h"
#include "systemc/debug/packet.h"
#include "systemc/debug/registers.h"
#include "tests/cpu/assembler.h"
#include "tests/debug/debug_target.h"

using namespace dtrmc;
using namespace dtrmc::debug;
using debug::test::kBase;
using debug::test::Target;
using Kind = PacketReader::Kind;

namespace {

struct Event {
  Kind kind;
  std::string data;
  bool operator==(const Event& other) const { return kind == other.kind && data == other.data; }
};

std::vector<Event> read_all(std::string_view bytes) {
  PacketReader reader;
  std::vector<Event> events;
  for (const char c : bytes) {
    const auto kind = reader.feed(static_cast<std::uint8_t>(c));
    if (kind) events.push_back({*kind, *kind == Kind::kPacket ? reader.data() : ""});
  }
  return events;
}

// One packet's replies.
struct Talk {
  Target target;
  CpuPort port = target.port();
  Breakpoints breakpoints;
  Commands commands{port, target, breakpoints};
  Commands::Next next = Commands::Next::kStay;

  explicit Talk(const std::vector<std::uint32_t>& program) : target(program) {}
  std::string ask(std::string_view packet) {
    std::vector<std::string> replies;
    next = commands.handle(packet, replies);
    std::string text;
    for (const std::string& reply : replies) text += (text.empty() ? "" : "|") + reply;
    return text;
  }
};

const std::vector<std::uint32_t> kProgram = {cpu::test::nop(), cpu::test::nop(), cpu::test::jal(0, -8)};

} // namespace

TEST_CASE("packets: framing and checksum", "[debug]") {
  // the manual's own example of the checksum: the sum of the characters modulo 256
  CHECK(frame_packet("OK") == "$OK#9a");
  CHECK(frame_packet("") == "$#00");
  CHECK(frame_packet("a#b") ==
        "$a}\x03"
        "b#43");
  CHECK(read_all("+$g#67-\x03") ==
        std::vector<Event>{{Kind::kAck, ""}, {Kind::kPacket, "g"}, {Kind::kNak, ""}, {Kind::kInterrupt, ""}});
  CHECK(read_all("$G#47")[0] == Event{Kind::kPacket, "G"});
  CHECK(read_all("$g#6A").size() == 1); // upper-case digits are digits
  for (const char special : {'$', '#', '}', '*', '\0', '\x03'}) {
    const std::string data = std::string("x") + special + "y";
    CHECK(read_all(frame_packet(data)) == std::vector<Event>{{Kind::kPacket, data}});
  }
}

TEST_CASE("packets: wrong ones are noticed and the next one is read", "[debug]") {
  const std::vector<Event> bad_then_good = {{Kind::kBad, ""}, {Kind::kPacket, "g"}};
  CHECK(read_all("$g#00$g#67") == bad_then_good);
  CHECK(read_all("$g#6x$g#67") == bad_then_good);
  CHECK(read_all("$g#x7$g#67") == bad_then_good);
  CHECK(read_all("$m8000$g#67") == std::vector<Event>{{Kind::kPacket, "g"}}); // cut off
  CHECK(read_all("GET / HTTP/1.1\r\n\r\n$g#67") == std::vector<Event>{{Kind::kPacket, "g"}});
  const std::string largest(kMaxPacket, 'a');
  CHECK(read_all(frame_packet(largest)) == std::vector<Event>{{Kind::kPacket, largest}});
  CHECK(read_all(frame_packet(largest + "a") + "$g#67") == bad_then_good);
  CHECK(read_all("$" + std::string(std::size_t{8} << 20, 'a')).empty()); // never ends: no memory is taken for it
}

TEST_CASE("commands: registers", "[debug]") {
  Talk talk(kProgram);
  talk.target.core().set_reg(10, 0x12345678);
  const std::string all = talk.ask("g");
  CHECK(all.size() == 33 * 8);
  CHECK(all.substr(80, 8) == "78563412");
  CHECK(all.substr(32 * 8) == "00000080");
  CHECK(talk.ask("pa") == "78563412");
  CHECK(talk.ask("p20") == "00000080");
  CHECK(talk.ask("Pa=01000000") == "OK");
  CHECK(talk.target.core().reg(10) == 1);
  CHECK(talk.ask("P0=01000000") == "OK"); // x0 stays 0
  CHECK(talk.ask("p0") == "00000000");
  CHECK(talk.ask("P20=02000080") == "E16"); // not a multiple of 4
  CHECK(talk.ask("P20=08000080") == "OK");
  CHECK(talk.target.core().pc() == kBase + 8);
  const std::string changed = std::string(31 * 8, '0') + "ffffffff" + "04000080";
  CHECK(talk.ask("G" + changed) == "OK");
  CHECK(talk.target.core().reg(31) == 0xffffffffu);
  CHECK(talk.target.core().pc() == kBase + 4);
  CHECK(talk.ask("G" + changed.substr(1)) == "E16");
  CHECK(talk.ask("G") == "E16");
  CHECK(talk.ask("pffffffffffffffff") == "E16");
  CHECK(talk.ask("p") == "E16");

  // every register that the description names can be read, by its number, and no other one
  const std::string& xml = target_description();
  unsigned named = 0;
  for (std::size_t at = xml.find("<reg "); at != std::string::npos; at = xml.find("<reg ", at + 1)) ++named;
  CHECK(named == register_count());
  for (unsigned number = 0; number < register_count(); ++number) {
    CAPTURE(number);
    CHECK(xml.find(" regnum=\"" + std::to_string(number) + "\"") != std::string::npos);
    CHECK(read_register(talk.target.core(), number).has_value());
  }
  CHECK_FALSE(read_register(talk.target.core(), register_count()).has_value());
}

TEST_CASE("commands: memory", "[debug]") {
  Talk talk(kProgram);
  CHECK(talk.ask("m80000000,4") == "13000000");
  CHECK(talk.ask("M80000100,3:0102ff") == "OK");
  CHECK(talk.ask("m80000100,4") == "0102ff00");
  CHECK(talk.ask(std::string("X80000100,2:") + '\0' + '#') == "OK");
  CHECK(talk.ask("m80000100,2") == "0023");
  CHECK(talk.ask("X80000100,0:") == "OK"); // how gdb finds out that X is there
  CHECK(talk.ask("m80000ffc,4").size() == 8);
  CHECK(talk.ask("m80000ffd,4") == "E0e"); // beyond RAM
  CHECK(talk.ask("m7ffffffe,4") == "E0e");
  CHECK(talk.ask("m0,4") == "E0e"); // nothing there, and no bus in this test
  CHECK(talk.ask("mffffffff,ffffffffffffffff") == "E0e");
  CHECK(talk.ask("m80000000") == "E16");
  CHECK(talk.ask("m80000000,") == "E16");
  CHECK(talk.ask("m,4") == "E16");
  CHECK(talk.ask("m123456789,4") == "E16");
  CHECK(talk.ask("M80000100,2:01") == "E16");
  CHECK(talk.ask("M80000100,1:0g") == "E16");
  CHECK(talk.ask("M80001000,1:00") == "E0e");

  // code that was executed before is seen anew
  talk.target.core().run(1);
  talk.target.core().set_pc(kBase);
  CHECK(talk.ask("M80000000,4:13051000") == "OK"); // addi a0, zero, 1
  talk.target.core().run(talk.target.core().cycle() + 1);
  CHECK(talk.target.core().reg(10) == 1);
}

TEST_CASE("commands: breakpoints and watchpoints", "[debug]") {
  Talk talk(kProgram);
  CHECK(talk.ask("Z0,80000004,4") == "OK");
  CHECK(talk.ask("Z0,80000004,4") == "OK");
  CHECK(talk.breakpoints.at(kBase + 4));
  CHECK_FALSE(talk.breakpoints.at(kBase));
  CHECK(talk.ask("Z1,80000004,4") == "OK");
  CHECK(talk.ask("z0,80000004,4") == "OK");
  CHECK(talk.breakpoints.at(kBase + 4)); // the hardware one
  CHECK(talk.ask("z1,80000004,4") == "OK");
  CHECK(talk.breakpoints.empty());
  CHECK(talk.ask("Z0,80000002,4") == "E16");
  CHECK(talk.ask("Z0,80000000") == "E16");
  CHECK(talk.ask("Z5,80000000,4").empty()); // no such kind
  CHECK(talk.ask("Z2,ffffffff,2") == "E16");
  CHECK(talk.ask("Z2,80000100,0") == "E16");

  CHECK(talk.ask("Z2,80000100,8") == "OK");
  const auto hit = [&](std::uint32_t address, std::uint32_t bytes, bool write) {
    return talk.breakpoints.hit({address, bytes, write});
  };
  CHECK_FALSE(hit(kBase + 0x100, 4, false));
  CHECK(hit(kBase + 0x104, 4, true)->address == kBase + 0x104);
  CHECK(hit(kBase + 0xfe, 4, true)->address == kBase + 0x100); // overlaps the beginning
  CHECK_FALSE(hit(kBase + 0x108, 1, true));
  CHECK_FALSE(hit(kBase + 0xff, 1, true));
  CHECK(talk.ask("Z3,80000100,1") == "OK");
  CHECK(hit(kBase + 0x100, 1, false)->kind == WatchKind::kRead);
  CHECK(talk.ask("z2,80000100,8") == "OK");
  CHECK_FALSE(hit(kBase + 0x104, 4, true));
  CHECK(talk.ask("Z4,80000200,4") == "OK");
  CHECK(hit(kBase + 0x203, 1, true)->kind == WatchKind::kAccess);
  CHECK(hit(kBase + 0x203, 1, false)->kind == WatchKind::kAccess);
}

TEST_CASE("commands: running, queries, files", "[debug]") {
  using Next = Commands::Next;
  Talk talk(kProgram);
  CHECK(talk.ask("?") == "S05");
  const auto next = [&](std::string_view packet) {
    talk.ask(packet);
    return talk.next;
  };
  CHECK(next("c") == Next::kContinue);
  CHECK(next("s80000008") == Next::kStep);
  CHECK(talk.target.core().pc() == kBase + 8);
  CHECK(next("C05;80000004") == Next::kContinue);
  CHECK(talk.target.core().pc() == kBase + 4);
  CHECK(next("S05") == Next::kStep);
  CHECK(next("c80000002") == Next::kStay); // misaligned: refused
  CHECK(next("vCont;s:1;c") == Next::kStep);
  CHECK(next("vCont;c") == Next::kContinue);
  CHECK(next("vCont;") == Next::kStay);
  CHECK(next("vCont;t") == Next::kStay);
  CHECK(next("D") == Next::kDetach);
  CHECK(next("D;1") == Next::kDetach);
  CHECK(next("k") == Next::kKill);
  CHECK(next("vKill;1") == Next::kKill);
  CHECK(talk.ask("vMustReplyEmpty").empty());
  CHECK(talk.ask("R00").empty());
  CHECK(talk.ask("").empty());
  CHECK(talk.ask("qSupported:swbreak+;hwbreak+").find("qXfer:features:read+") != std::string::npos);
  CHECK(talk.commands.stop_reply(5, "swbreak:") == "T0520:04000080;swbreak:;");
  CHECK(talk.commands.acknowledges());
  CHECK(talk.ask("QStartNoAckMode") == "OK");
  CHECK_FALSE(talk.commands.acknowledges());

  // the target description in pieces is the whole
  std::string xml;
  for (std::size_t offset = 0;; offset += 100) {
    const std::string piece = talk.ask("qXfer:features:read:target.xml:" + [&] {
      char text[32];
      std::snprintf(text, sizeof text, "%zx,64", offset);
      return std::string(text);
    }());
    REQUIRE_FALSE(piece.empty());
    xml += piece.substr(1);
    if (piece[0] == 'l') break;
    REQUIRE(piece[0] == 'm');
  }
  CHECK(xml == target_description());
  CHECK(talk.ask("qXfer:features:read:other.xml:0,64") == "E00");
  CHECK(talk.ask("qXfer:features:read:target.xml:0") == "E16");
  CHECK(talk.ask("qXfer:features:read:target.xml:ffffffffffffffff,64") == "l");

  // the firmware file, fetched as gdb does
  const std::string name = talk.ask("qXfer:exec-file:read:1:0,ff").substr(1);
  CHECK(talk.ask("vFile:open:" + to_hex(name) + ",0,0") == "F3");
  CHECK(talk.ask("vFile:open:" + to_hex("/etc/passwd") + ",0,0") == "F-1,2"); // nothing else of this machine
  CHECK(talk.ask("vFile:pread:3,4,0") ==
        "F4;\x7f"
        "ELF");
  CHECK(talk.ask("vFile:pread:3,4,ffffffffff") == "F0;");
  CHECK(talk.ask("vFile:pread:4,4,0") == "F-1,9");
  CHECK(talk.ask("vFile:fstat:3").substr(0, 4) == "F40;");
  CHECK(talk.ask("vFile:fstat:3").size() == 4 + 64);
  CHECK(talk.ask("vFile:unlink:" + to_hex(name)).empty());

  // monitor: text, then OK
  const std::string help = talk.ask("qRcmd," + to_hex("help"));
  REQUIRE(help.front() == 'O');
  CHECK(help.substr(help.size() - 3) == "|OK");
  CHECK(from_hex(help.substr(1, help.find('|') - 1))->find("monitor commands:") == 0);
  CHECK(talk.ask("qRcmd,6") == "E16");
}

TEST_CASE("commands: any bytes are answered or ignored", "[debug]") {
  Talk talk(kProgram);
  std::mt19937 random(1);
  const std::string alphabet = "?gGpPmMXZzcCsSDkHTqQv:;,=-0123456789abcdef+$#*}";
  const std::vector<std::string> starts = {"",
                                           "m8",
                                           "M8000",
                                           "X80000",
                                           "Z0,",
                                           "z2,8",
                                           "P",
                                           "vCont;",
                                           "vFile:",
                                           "qXfer:",
                                           "qRcmd,",
                                           "vFile:pread:3,",
                                           "qXfer:features:read:target.xml:"};
  for (int round = 0; round < 200000; ++round) {
    std::string packet = starts[random() % starts.size()];
    for (std::uint32_t length = random() % 24; length != 0; --length) {
      packet += random() % 8 == 0 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    }
    std::string framed = frame_packet(packet);
    if (random() % 4 == 0) framed[random() % framed.size()] = static_cast<char>(random());
    for (const Event& event : read_all(framed)) {
      if (event.kind == Kind::kPacket) talk.ask(event.data);
    }
    if (talk.target.core().pc() % 4 != 0) FAIL("a misaligned pc by " << packet);
  }
}
