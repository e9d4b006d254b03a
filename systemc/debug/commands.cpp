// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "systemc/debug/monitor.h"
#include "systemc/debug/packet.h"
#include "systemc/debug/registers.h"

namespace dtrmc::debug {

namespace {

// Error numbers of the protocol's own list (File-I/O errno values).
constexpr const char* kBadArgument = "E16"; // EINVAL
constexpr const char* kBadAddress = "E0e";  // EFAULT

// A read of memory is answered in hexadecimal: two characters a byte.
constexpr std::uint64_t kMostBytes = kMaxPacket / 2;

// Name by which gdb fetches the firmware from us (with its default sysroot "target:").
constexpr const char* kFirmwareName = "/dtrmc-firmware.elf";
constexpr const char* kFirmwareDescriptor = "3";

// Part of `text` for qXfer and vFile:pread.
std::string_view part(std::string_view text, std::uint64_t offset, std::uint64_t length) {
  return offset >= text.size() ? std::string_view() : text.substr(offset, std::min(length, kMostBytes));
}

void big_endian(std::string& to, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to += static_cast<char>(value >> (8 * i));
}

} // namespace

std::string Commands::stop_reply(int signal, std::string_view reason) const {
  std::string reply = fmt::format("T{:02x}{:02x}:{};", signal, kPcNumber, word_to_hex(cpu_.core->pc()));
  const bool breakpoint = reason == "swbreak:" || reason == "hwbreak:";
  if (!reason.empty() && (stop_reasons_ || !breakpoint)) reply += fmt::format("{};", reason);
  return reply;
}

Commands::Next Commands::handle(std::string_view packet, std::vector<std::string>& replies) {
  const auto answer = [&](std::string reply) {
    replies.push_back(std::move(reply));
    return Next::kStay;
  };
  if (packet.empty()) return answer("");
  const char kind = packet.front();
  const std::string_view rest = packet.substr(1);
  switch (kind) {
    case '?':
      return answer(stop_reply_);
    case 'g':
      return answer(read_registers());
    case 'G':
      return answer(write_registers(rest));
    case 'p': {
      std::string_view text = rest;
      const auto number = take_number(text);
      if (!number || *number >= register_count()) return answer(kBadArgument);
      const auto value = read_register(*cpu_.core, static_cast<unsigned>(*number));
      return answer(value ? word_to_hex(*value) : kBadArgument);
    }
    case 'P': {
      std::string_view text = rest;
      const auto number = take_number(text);
      const bool equals = take(text, "=");
      const auto value = word_from_hex(text);
      if (!number || !equals || !value || *number >= register_count()) return answer(kBadArgument);
      return answer(write_register(*cpu_.core, static_cast<unsigned>(*number), *value) ? "OK" : kBadArgument);
    }
    case 'm':
      return answer(read_memory(rest));
    case 'M':
      return answer(write_memory(rest, false));
    case 'X':
      return answer(write_memory(rest, true));
    case 'Z':
    case 'z':
      return answer(breakpoint(packet));
    case 'c':
    case 'C':
    case 's':
    case 'S':
      if (!resume_at(rest, kind == 'C' || kind == 'S')) return answer(kBadArgument);
      return kind == 'c' || kind == 'C' ? Next::kContinue : Next::kStep;
    case 'D':
      replies.emplace_back("OK");
      return Next::kDetach;
    case 'k':
      return Next::kKill;
    case 'H': // there is one thread
    case 'T':
      return answer("OK");
    case 'q':
    case 'Q':
      return answer(query(packet, replies));
    case 'v':
      break;
    default:
      return answer(""); // not supported
  }

  std::string_view text = packet;
  if (text == "vCont?") return answer("vCont;c;C;s;S");
  if (take(text, "vCont;")) {
    if (text.empty()) return answer(kBadArgument);
    // The first action that names our only thread is the first one.
    switch (text.front()) {
      case 'c':
      case 'C':
        return Next::kContinue;
      case 's':
      case 'S':
        return Next::kStep;
      default:
        return answer(kBadArgument);
    }
  }
  if (take(text, "vKill")) {
    replies.emplace_back("OK");
    return Next::kKill;
  }
  if (take(text, "vFile:")) return answer(host_file(text));
  return answer("");
}

bool Commands::resume_at(std::string_view arguments, bool with_signal) {
  if (with_signal) { // the signal itself has no meaning for the firmware
    if (!take_number(arguments)) return false;
    if (!arguments.empty() && !take(arguments, ";")) return false;
  }
  if (arguments.empty()) return true;
  const auto address = take_number(arguments);
  return address && arguments.empty() && *address <= 0xffffffffu &&
         write_register(*cpu_.core, kPcNumber, static_cast<std::uint32_t>(*address));
}

std::string Commands::read_registers() {
  std::string text;
  for (unsigned number = 0; number < kGeneralRegisters; ++number) {
    text += word_to_hex(read_register(*cpu_.core, number).value_or(0));
  }
  return text;
}

std::string Commands::write_registers(std::string_view values) {
  if (values.size() != 8 * std::size_t{kGeneralRegisters} || !from_hex(values)) return kBadArgument;
  const auto pc = word_from_hex(values.substr(8 * std::size_t{kPcNumber}));
  if (!pc || *pc % 4 != 0) return kBadArgument;
  for (unsigned number = 0; number < kGeneralRegisters; ++number) {
    write_register(*cpu_.core, number, word_from_hex(values.substr(8 * std::size_t{number}, 8)).value_or(0));
  }
  return "OK";
}

bool Commands::memory(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes, bool write) {
  const cpu::RamView& ram = cpu_.core->ram();
  if (bytes == 0) return true;
  if (address >= ram.base && address - ram.base < ram.size && bytes <= ram.size - (address - ram.base)) {
    std::uint8_t* const place = ram.data + (address - ram.base);
    if (write) {
      std::memcpy(place, data, bytes);
      cpu_.core->invalidate_code(static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(bytes));
    } else {
      std::memcpy(data, place, bytes);
    }
    return true;
  }
  return address + bytes <= (std::uint64_t{1} << 32) && cpu_.bus &&
         cpu_.bus(static_cast<std::uint32_t>(address), data, static_cast<std::uint32_t>(bytes), write);
}

std::string Commands::read_memory(std::string_view arguments) {
  const auto address = take_number(arguments);
  const bool comma = take(arguments, ",");
  const auto bytes = take_number(arguments);
  if (!address || !comma || !bytes || !arguments.empty() || *address > 0xffffffffu) return kBadArgument;
  std::string data(std::min(*bytes, kMostBytes), '\0'); // fewer than asked for: gdb asks for the rest
  if (!memory(*address, reinterpret_cast<std::uint8_t*>(data.data()), data.size(), false)) return kBadAddress;
  return to_hex(data);
}

std::string Commands::write_memory(std::string_view arguments, bool binary) {
  const auto address = take_number(arguments);
  const bool comma = take(arguments, ",");
  const auto bytes = take_number(arguments);
  const bool colon = take(arguments, ":");
  if (!address || !comma || !bytes || !colon || *address > 0xffffffffu) return kBadArgument;
  std::string data(arguments);
  if (!binary) {
    auto decoded = from_hex(arguments);
    if (!decoded) return kBadArgument;
    data = std::move(*decoded);
  }
  if (data.size() != *bytes) return kBadArgument;
  return memory(*address, reinterpret_cast<std::uint8_t*>(data.data()), data.size(), true) ? "OK" : kBadAddress;
}

std::string Commands::breakpoint(std::string_view packet) {
  const bool insert = packet.front() == 'Z';
  packet.remove_prefix(1);
  const auto type = take_number(packet);
  const bool first_comma = take(packet, ",");
  const auto address = take_number(packet);
  const bool second_comma = take(packet, ",");
  const auto bytes = take_number(packet);
  if (!type || !first_comma || !address || !second_comma || !bytes || *address > 0xffffffffu) return kBadArgument;
  const auto at = static_cast<std::uint32_t>(*address);
  switch (*type) {
    case 0: // software: also kept in a list, so the program's bytes stay as they are
    case 1: // hardware
      if (!insert) {
        breakpoints_.remove(at, *type == 1);
        return "OK";
      }
      return at % 4 == 0 && breakpoints_.add(at, *type == 1) ? "OK" : kBadArgument;
    case 2:
    case 3:
    case 4: {
      if (*bytes == 0 || *bytes > (std::uint64_t{1} << 32) - at) return kBadArgument;
      const Breakpoints::Watch watch{static_cast<WatchKind>(*type), at, static_cast<std::uint32_t>(*bytes)};
      if (!insert) {
        breakpoints_.remove_watch(watch);
        return "OK";
      }
      return breakpoints_.add_watch(watch) ? "OK" : kBadArgument;
    }
    default:
      return "";
  }
}

std::string Commands::query(std::string_view packet, std::vector<std::string>& replies) {
  std::string_view text = packet;
  if (take(text, "qSupported")) {
    stop_reasons_ = text.find("swbreak+") != std::string_view::npos && text.find("hwbreak+") != std::string_view::npos;
    return fmt::format(
        "PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;qXfer:exec-file:read+;vContSupported+;swbreak+;hwbreak+",
        kMaxPacket);
  }
  if (text == "QStartNoAckMode") {
    acknowledges_ = false;
    return "OK";
  }
  if (take(text, "qRcmd,")) return monitor_command(text, replies);
  if (take(text, "qXfer:")) return transfer(text);
  if (text == "qC") return "QC1";
  if (text == "qfThreadInfo") return "m1";
  if (text == "qsThreadInfo") return "l";
  if (take(text, "qThreadExtraInfo")) return to_hex("firmware");
  if (take(text, "qAttached")) return "1"; // so that leaving gdb detaches instead of killing
  if (take(text, "qSymbol")) return "OK";
  return "";
}

std::string Commands::transfer(std::string_view packet) const {
  std::string_view content;
  if (take(packet, "features:read:target.xml:")) {
    content = target_description();
  } else if (take(packet, "exec-file:read:")) {
    const std::size_t colon = packet.find(':'); // after the process id
    if (colon == std::string_view::npos) return kBadArgument;
    packet.remove_prefix(colon + 1);
    content = kFirmwareName;
  } else {
    return "E00"; // no such object
  }
  const auto offset = take_number(packet);
  const bool comma = take(packet, ",");
  const auto length = take_number(packet);
  if (!offset || !comma || !length || !packet.empty()) return kBadArgument;
  const std::string_view piece = part(content, *offset, *length);
  return (*offset + piece.size() >= content.size() ? "l" : "m") + std::string(piece);
}

// Host I/O: gdb fetches the firmware file, so that nobody has to find the built-in image on disk.
std::string Commands::host_file(std::string_view packet) const {
  const std::vector<std::uint8_t>& bytes = platform_.firmware_file();
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (take(packet, "setfs:")) return "F0";
  if (take(packet, "open:")) {
    const auto name = from_hex(packet.substr(0, packet.find(',')));
    if (!name || *name != kFirmwareName) return "F-1,2"; // ENOENT
    return std::string("F") + kFirmwareDescriptor;
  }
  const auto ours = [&packet] { return take(packet, kFirmwareDescriptor); };
  constexpr const char* kBadDescriptor = "F-1,9"; // EBADF
  if (take(packet, "close:")) return ours() ? "F0" : kBadDescriptor;
  if (take(packet, "pread:")) {
    if (!ours() || !take(packet, ",")) return kBadDescriptor;
    const auto count = take_number(packet);
    const bool comma = take(packet, ",");
    const auto offset = take_number(packet);
    if (!count || !comma || !offset) return "F-1,16";
    const std::string_view piece = part(file, *offset, *count);
    return fmt::format("F{:x};", piece.size()) + std::string(piece);
  }
  if (take(packet, "fstat:")) {
    if (!ours()) return kBadDescriptor;
    // struct stat of the protocol: device, inode, mode, links, user, group, device type (4 bytes each), size, block
    // size, blocks (8), three times (4)
    std::string stat;
    constexpr std::uint32_t kRegularReadable = 0100444;
    for (const std::uint32_t word : {0u, 0u, kRegularReadable, 1u, 0u, 0u, 0u}) big_endian(stat, word, 4);
    for (const std::uint64_t word : {std::uint64_t{file.size()}, std::uint64_t{512}, (file.size() + 511) / 512}) {
      big_endian(stat, word, 8);
    }
    for (int i = 0; i < 3; ++i) big_endian(stat, 0, 4);
    return fmt::format("F{:x};", stat.size()) + stat;
  }
  return "";
}

std::string Commands::monitor_command(std::string_view hex, std::vector<std::string>& replies) {
  const auto command = from_hex(hex);
  if (!command) return kBadArgument;
  const std::string text = monitor(*command, platform_.snapshot());
  for (std::string_view left = text; !left.empty();) {
    const std::string_view piece = left.substr(0, kMostBytes / 2);
    replies.push_back("O" + to_hex(piece));
    left.remove_prefix(piece.size());
  }
  return "OK";
}

} // namespace dtrmc::debug
