// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/packet.h"

namespace dtrmc::debug {

namespace {

constexpr char kDigits[] = "0123456789abcdef";
constexpr char kEscapeByte = '}';
constexpr std::uint8_t kEscapeMask = 0x20;

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

} // namespace

std::string frame_packet(std::string_view data) {
  std::string packet = "$";
  for (const char c : data) {
    if (c == '$' || c == '#' || c == kEscapeByte || c == '*') { // *: would announce a repetition
      packet += kEscapeByte;
      packet += static_cast<char>(static_cast<std::uint8_t>(c) ^ kEscapeMask);
    } else {
      packet += c;
    }
  }
  std::uint8_t sum = 0;
  for (std::size_t i = 1; i < packet.size(); ++i) sum = static_cast<std::uint8_t>(sum + packet[i]);
  packet += '#';
  packet += kDigits[sum >> 4];
  packet += kDigits[sum & 15];
  return packet;
}

std::optional<PacketReader::Kind> PacketReader::feed(std::uint8_t byte) {
  const char c = static_cast<char>(byte);
  switch (state_) {
    case State::kIdle:
      if (c == '+') return Kind::kAck;
      if (c == '-') return Kind::kNak;
      if (byte == 0x03) return Kind::kInterrupt;
      if (c == '$') {
        state_ = State::kData;
        data_.clear();
        too_long_ = bad_digit_ = false;
        sum_ = 0;
      }
      return std::nullopt;
    case State::kData:
    case State::kEscape:
      if (c == '#') {
        state_ = State::kChecksumHigh;
        return std::nullopt;
      }
      if (c == '$') { // the packet before was cut off: this one counts
        state_ = State::kData;
        data_.clear();
        too_long_ = false;
        sum_ = 0;
        return std::nullopt;
      }
      sum_ = static_cast<std::uint8_t>(sum_ + byte);
      if (state_ == State::kData && c == kEscapeByte) {
        state_ = State::kEscape;
        return std::nullopt;
      }
      if (data_.size() == kMaxPacket) {
        too_long_ = true;
      } else {
        data_ += state_ == State::kEscape ? static_cast<char>(byte ^ kEscapeMask) : c;
      }
      state_ = State::kData;
      return std::nullopt;
    case State::kChecksumHigh:
      bad_digit_ = digit_value(c) < 0;
      expected_ = static_cast<std::uint8_t>(digit_value(c) * 16);
      state_ = State::kChecksumLow;
      return std::nullopt;
    case State::kChecksumLow:
      state_ = State::kIdle;
      bad_digit_ = bad_digit_ || digit_value(c) < 0;
      expected_ = static_cast<std::uint8_t>(expected_ + digit_value(c));
      return too_long_ || bad_digit_ || expected_ != sum_ ? Kind::kBad : Kind::kPacket;
  }
  return std::nullopt;
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string word_to_hex(std::uint32_t word) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
  return to_hex(bytes);
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = digit_value(digits[i]);
    const int low = digit_value(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::optional<std::uint32_t> word_from_hex(std::string_view digits) {
  const auto bytes = from_hex(digits);
  if (!bytes || bytes->size() != 4) return std::nullopt;
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word |= std::uint32_t{static_cast<std::uint8_t>((*bytes)[i])} << (8 * i);
  return word;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  std::size_t count = 0;
  while (count < text.size() && digit_value(text[count]) >= 0) {
    if (count == 16) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(digit_value(text[count]));
    ++count;
  }
  if (count == 0) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

} // namespace dtrmc::debug
