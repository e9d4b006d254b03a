// SPDX-License-Identifier: Apache-2.0
// Framing of the GDB remote serial protocol (GDB manual, appendix "Remote Protocol", section Overview):
// $<data>#<two hex digits: sum of the data bytes modulo 256>, acknowledged by + or -.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dtrmc::debug {

// Longest data of a packet that is accepted, bytes; announced to gdb as PacketSize.
inline constexpr std::size_t kMaxPacket = 0x4000;

// "$...#xx"; bytes with a meaning of their own ($ # } *) are escaped.
std::string frame_packet(std::string_view data);

// Reads packets from a byte stream. Anything between packets that means nothing is skipped.
class PacketReader {
 public:
  enum class Kind : std::uint8_t {
    kPacket,    // data() holds the unescaped data
    kBad,       // a packet with a wrong checksum, or longer than kMaxPacket: to be asked for again
    kAck,       // +
    kNak,       // -
    kInterrupt, // byte 0x03: stop the program
  };

  // One byte; what it completed, if anything.
  std::optional<Kind> feed(std::uint8_t byte);
  const std::string& data() const { return data_; }

 private:
  enum class State : std::uint8_t { kIdle, kData, kEscape, kChecksumHigh, kChecksumLow };
  State state_ = State::kIdle;
  std::string data_;
  bool too_long_ = false;
  bool bad_digit_ = false;
  std::uint8_t sum_ = 0;
  std::uint8_t expected_ = 0;
};

// --- hexadecimal, as the protocol writes it: lower case, bytes in memory order

std::string to_hex(std::string_view bytes);
std::string word_to_hex(std::uint32_t word); // little-endian: 8 digits
// Nothing where there is an odd number of digits or something else than digits.
std::optional<std::string> from_hex(std::string_view digits);
std::optional<std::uint32_t> word_from_hex(std::string_view digits); // exactly 8 digits
// A number written most significant digit first, 1 to 16 digits; `text` moves behind it.
std::optional<std::uint64_t> take_number(std::string_view& text);
// True and `text` moves behind it where it starts with `prefix`.
bool take(std::string_view& text, std::string_view prefix);

} // namespace dtrmc::debug
