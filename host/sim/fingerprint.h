// SPDX-License-Identifier: Apache-2.0
// 128 bits over the words that describe a state. Two independent lanes; each step of a lane is a bijection of the lane
// for a given word and of the word for a given lane, so states that differ in one word never meet, and others meet with
// a chance of about 2^-128.
#pragma once

#include <cstdint>

namespace dtrmc::sim {

struct Fingerprint {
  std::uint64_t a = 0x9E3779B97F4A7C15;
  std::uint64_t b = 0xC2B2AE3D27D4EB4F;

  void add(std::uint64_t word) {
    a = rotate(a ^ word, 27) * 0x9FB21C651E98DF25;
    b = rotate(b ^ word, 41) * 0xD6E8FEB86659FD93;
    a ^= a >> 32;
    b ^= b >> 29;
  }
  friend bool operator==(const Fingerprint& x, const Fingerprint& y) { return x.a == y.a && x.b == y.b; }
  friend bool operator!=(const Fingerprint& x, const Fingerprint& y) { return !(x == y); }

 private:
  static std::uint64_t rotate(std::uint64_t x, unsigned by) { return x << by | x >> (64 - by); }
};

} // namespace dtrmc::sim
