// SPDX-License-Identifier: Apache-2.0
// What the interpreter's two loops compute alike.
#pragma once

#include <cstdint>
#include <cstring>

namespace dtrmc::cpu {

inline int32_t as_signed(uint32_t value) { return static_cast<int32_t>(value); }

inline uint32_t divide(uint32_t a, uint32_t b) {
  if (b == 0) return 0xffffffffu;
  if (a == 0x80000000u && b == 0xffffffffu) return a; // overflow
  return static_cast<uint32_t>(as_signed(a) / as_signed(b));
}

inline uint32_t remainder(uint32_t a, uint32_t b) {
  if (b == 0) return a;
  if (a == 0x80000000u && b == 0xffffffffu) return 0; // overflow
  return static_cast<uint32_t>(as_signed(a) % as_signed(b));
}

inline uint32_t shift_right_arithmetic(uint32_t value, uint32_t amount) {
  return static_cast<uint32_t>(as_signed(value) >> amount); // arithmetic in every compiler we build with
}

inline uint32_t high_product(int64_t a, int64_t b) {
  return static_cast<uint32_t>(static_cast<uint64_t>(a * b) >> 32); // |a * b| < 2^63 for all operand kinds
}

template <typename T>
T load_from(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// True when an access of `bytes` crosses a word boundary and so takes two accesses of the memory.
inline bool is_split(uint32_t offset, uint32_t bytes) { return (offset & 3u) + bytes > 4; }

} // namespace dtrmc::cpu
