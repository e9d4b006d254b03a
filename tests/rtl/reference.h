// SPDX-License-Identifier: Apache-2.0
// What the scoring unit must answer, from the text of the rule alone. An independent reimplementation on purpose: it
// shares no code with the RTL, the firmware or the simulator, and takes another way (an ordered scan like simrd's,
// quotients by long division, limbs of its own for products beyond 128 bits).
#pragma once

#include <cstdint>
#include <vector>

namespace dtrmc::test {

__extension__ typedef unsigned __int128 Uint128;

struct Candidate {
  uint32_t slot = 0;
  int64_t cost = 0;
  uint64_t size = 0;
  uint64_t last = 0;
  uint32_t order = 0;
};

struct Terms {
  bool size = false;
  bool staleness = false;
};

enum class ScoreClass { kZero = 0, kFinite = 1, kInfinite = 2, kNone = 3 };

struct Expected {
  ScoreClass score_class = ScoreClass::kNone; // kNone: no candidates
  uint32_t slot = 0;                          // exact rule, class zero first
  uint32_t scan_slot = 0;                     // exact quotients, scanned like simrd; differs from slot only if mixed
  uint32_t rounded_slot = 0;                  // quotients as correctly rounded doubles, scanned like simrd
  bool mixed = false;                         // zero and negative finite scores
  bool near_allowed = false;                  // some pair of finite candidates is near
  bool near_required = false;                 // a finite winner, and a candidate near it with another quotient
};

// Values must fit 48 (signed), 40 and 48 bits.
Expected decide(std::vector<Candidate> candidates, Terms terms, uint64_t clock);

// The double nearest to numerator / denominator, ties to even. denominator in 1 .. 2^88.
double rounded_quotient(int64_t numerator, Uint128 denominator);

} // namespace dtrmc::test
