// SPDX-License-Identifier: Apache-2.0
// 128 bits over the words that describe a state. Two independent lanes; each step of a lane is a bijection of the lane
// for a given word and of the word for a given lane, so states that differ in one word never meet, and others meet with
// a chance of about 2^-128.
//
// What changes little by little is told by a sum over its parts (Parts): it is kept up to date as parts come and go,
// and sums of different parts are the same with a chance of about 2^-128, too.
#pragma once

#include <cstdint>

namespace dtrmc::sim {

// A bijection whose results look drawn at random (the finalizer of splitmix64).
inline std::uint64_t scatter(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// Modulo 2^64 in either lane. Parts are numbers; each may be there several times.
struct Parts {
  std::uint64_t a = 0;
  std::uint64_t b = 0;

  static Parts of(std::uint64_t part) {
    return {scatter(part + 0x9E3779B97F4A7C15), scatter(part + 0x6A09E667F3BCC909)};
  }
  // Of a set with a value, as one part of something else.
  static Parts of(const Parts& set, std::uint64_t value) {
    return {scatter(set.a + value * 0xA0761D6478BD642F), scatter(set.b + value * 0xE7037ED1A0B428DB)};
  }
  Parts& operator+=(const Parts& other) {
    a += other.a;
    b += other.b;
    return *this;
  }
  Parts& operator-=(const Parts& other) {
    a -= other.a;
    b -= other.b;
    return *this;
  }
};

struct Fingerprint {
  std::uint64_t a = 0x9E3779B97F4A7C15;
  std::uint64_t b = 0xC2B2AE3D27D4EB4F;

  void add(std::uint64_t word) {
    a = rotate(a ^ word, 27) * 0x9FB21C651E98DF25;
    b = rotate(b ^ word, 41) * 0xD6E8FEB86659FD93;
    a ^= a >> 32;
    b ^= b >> 29;
  }
  void add(const Parts& parts) {
    add(parts.a);
    add(parts.b);
  }
  friend bool operator==(const Fingerprint& x, const Fingerprint& y) { return x.a == y.a && x.b == y.b; }
  friend bool operator!=(const Fingerprint& x, const Fingerprint& y) { return !(x == y); }

 private:
  static std::uint64_t rotate(std::uint64_t x, unsigned by) { return x << by | x >> (64 - by); }
};

} // namespace dtrmc::sim
