// SPDX-License-Identifier: Apache-2.0
// The victim search: scans the pool in order, the last entry with the smallest score wins, and the scan stops at
// the first score of zero. A pool is anything that has first() and next().
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "host/arithmetic/arithmetic.h"
#include "host/sim/policy.h"
#include "host/sim/pool.h"
#include "host/sim/quotient.h"
#include "host/sim/state.h"

namespace dtrmc::sim {

// Scores that are integers as they stand. score(s) -> Int128.
template <typename Pool, typename Score>
Choice choose_exact(const Pool& pool, Score score) {
  Choice choice;
  Int128 best = 0;
  for (trace::StorageId s = pool.first(); s != kNoStorage; s = pool.next(s)) {
    ++choice.evaluated;
    const Int128 h = score(s);
    if (choice.victim == kNoStorage || h <= best) {
      choice.victim = s;
      best = h;
    }
    if (h == 0) break;
  }
  return choice;
}

// Scores are cost / (size x age), each one correctly rounded double. By a quick estimate (three conversions, a product,
// a quotient: off by less than 2^-50 of it): is this one above `best` for sure? `size` and `age` below 2^63, not 0.
template <typename Integer>
bool clearly_above(Integer cost, std::uint64_t size, std::uint64_t age, double best) {
  constexpr double kSlack = 1.0 / (std::uint64_t{1} << 48);
  const double estimate = static_cast<double>(cost) / (static_cast<double>(static_cast<std::int64_t>(size)) *
                                                       static_cast<double>(static_cast<std::int64_t>(age)));
  return estimate - best > std::fabs(estimate) * kSlack;
}

// cost(s) -> an integer, |cost| < 2^64; size(s), age(s) -> uint64 below 2^63, 1 for a factor that does not take part.
template <typename Pool, typename Cost, typename Size, typename Age>
Choice choose_quotient(const Pool& pool, Cost cost, Size size, Age age) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Choice choice;
  double best = kInfinity;
  for (trace::StorageId s = pool.first(); s != kNoStorage; s = pool.next(s)) {
    ++choice.evaluated;
    const std::uint64_t bytes = size(s);
    const std::uint64_t idle = age(s);
    double h = kInfinity;
    if (bytes != 0 && idle != 0) {
      const auto numerator = cost(s);
      if (numerator == 0) {
        h = 0.0;
      } else {
        if (clearly_above(numerator, bytes, idle, best)) continue; // the exact value cannot matter
        h = rounded_quotient(numerator, static_cast<UInt128>(bytes) * idle);
      }
    }
    if (h <= best) { // also the first entry: best starts at infinity
      choice.victim = s;
      best = h;
    }
    if (h == 0.0) break;
  }
  return choice;
}

// The same by approximate arithmetic: scores are compared by their keys, zero and infinity are what they are. Without
// quotient size and age are 1.
template <typename Pool, typename Cost, typename Size, typename Age>
Choice choose_approximate(const Pool& pool, const arithmetic::Format& format, Cost cost, Size size, Age age) {
  Choice choice;
  bool finite = false;
  score_key best{};
  for (trace::StorageId s = pool.first(); s != kNoStorage; s = pool.next(s)) {
    ++choice.evaluated;
    const std::uint64_t bytes = size(s);
    const std::uint64_t idle = age(s);
    if (bytes == 0 || idle == 0) {
      if (!finite) choice.victim = s;
      continue;
    }
    const Int128 numerator = cost(s);
    if (numerator == 0) {
      if (!finite || best.negative == 0) choice.victim = s;
      break;
    }
    const bool negative = numerator < 0;
    const score_key key = score_key_of(&format, static_cast<std::uint64_t>(negative ? -numerator : numerator),
                                       negative ? 1 : 0, bytes, idle);
    if (finite && score_compare(&key, &best) > 0) continue;
    finite = true;
    choice.victim = s;
    best = key;
  }
  return choice;
}

} // namespace dtrmc::sim
