// SPDX-License-Identifier: Apache-2.0
// Constrained-random candidates: every kind of pool that has its own way of going wrong.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "tests/rtl/reference.h"

namespace dtrmc::test {

enum class PoolKind {
  kRealistic, // magnitudes of real traces, all scores different
  kTies,      // few small values: equal quotients, zeros, infinities, all signs
  kPositive,  // as kTies without zero and negative costs: ties and infinities decide
  kExtreme,   // the ends of every width
  kColliding, // different quotients that round to one double
  kCount
};

struct PoolGenerator {
  PoolKind kind = PoolKind::kRealistic;
  uint64_t clock = 0;
  uint64_t base_size = 0;
  uint64_t base_staleness = 0;
  int64_t base_cost = 0;

  static uint64_t below(std::mt19937_64& random, uint64_t limit) { return random() % limit; }
  static uint64_t log_uniform(std::mt19937_64& random, unsigned bits) { // 0 .. 2^bits - 1
    const unsigned used = static_cast<unsigned>(below(random, bits + 1));
    return used == 0 ? 0 : random() >> (64 - used);
  }

  explicit PoolGenerator(std::mt19937_64& random) {
    kind = static_cast<PoolKind>(below(random, static_cast<uint64_t>(PoolKind::kCount)));
    const uint64_t half = uint64_t{1} << 47;
    switch (kind) {
      case PoolKind::kRealistic:
        clock = half / 2 + log_uniform(random, 46);
        break;
      case PoolKind::kTies:
      case PoolKind::kPositive:
        clock = below(random, 2) == 0 ? 3 : half;
        break;
      case PoolKind::kExtreme:
        clock = below(random, 3) == 0 ? log_uniform(random, 48) : 2 * half - 1;
        break;
      default:
        // With staleness = 256 size + r, (size + k) x (staleness - 256 k) moves by about k r: from 2^-86 to 2^-40 of
        // itself, on both sides of what a double can tell apart.
        base_size = (uint64_t{1} << 39) + below(random, uint64_t{1} << 38);
        base_staleness = 256 * base_size + log_uniform(random, 40);
        base_cost = static_cast<int64_t>(1 + below(random, half - 1)) * (below(random, 2) == 0 ? 1 : -1);
        clock = 2 * half - 1;
    }
  }

  // Slot and order are the caller's.
  Candidate draw(std::mt19937_64& random) const {
    Candidate candidate;
    switch (kind) {
      case PoolKind::kRealistic:
        candidate.cost = static_cast<int64_t>(1 + log_uniform(random, 44));
        candidate.size = 1 + log_uniform(random, 36);
        candidate.last = clock - 1 - below(random, clock / 2);
        break;
      case PoolKind::kTies:
        candidate.cost = static_cast<int64_t>(below(random, 7)) - 3;
        candidate.size = below(random, 4);
        candidate.last = clock + 1 - below(random, 5);
        break;
      case PoolKind::kPositive:
        candidate.cost = static_cast<int64_t>(1 + below(random, 3));
        candidate.size = below(random, 4);
        candidate.last = clock + 1 - below(random, 5);
        break;
      case PoolKind::kExtreme: {
        const int64_t half = int64_t{1} << 47;
        const std::array<int64_t, 7> costs = {half - 1, half - 2, -half, -half + 1, 1, -1, 0};
        const std::array<uint64_t, 5> sizes = {(uint64_t{1} << 40) - 1, (uint64_t{1} << 40) - 2, 1, 2, 0};
        const std::array<uint64_t, 5> lasts = {0, 1, (uint64_t{1} << 48) - 1, (uint64_t{1} << 48) - 2,
                                               uint64_t{1} << 47};
        candidate.cost = costs[below(random, costs.size())];
        candidate.size = sizes[below(random, sizes.size())];
        candidate.last = lasts[below(random, lasts.size())];
        break;
      }
      default: {
        const uint64_t step = below(random, 64);
        candidate.cost = base_cost;
        candidate.size = base_size + step;
        candidate.last = clock - (base_staleness - 256 * step);
      }
    }
    return candidate;
  }
};

} // namespace dtrmc::test
