// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/reference.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dtrmc::test {

namespace {

using Wide = std::array<uint32_t, 6>; // 192 bits, least significant limb first

Wide multiply(uint64_t a, Uint128 b) {
  Wide product{};
  for (int i = 0; i < 2; ++i) {
    const uint64_t left = static_cast<uint32_t>(a >> (32 * i));
    uint64_t carry = 0;
    for (int j = 0; i + j < 6; ++j) {
      const uint64_t right = j < 4 ? static_cast<uint32_t>(b >> (32 * j)) : 0;
      const uint64_t sum = product[static_cast<size_t>(i + j)] + left * right + carry;
      product[static_cast<size_t>(i + j)] = static_cast<uint32_t>(sum);
      carry = sum >> 32;
    }
  }
  return product;
}

int compare(const Wide& a, const Wide& b) {
  for (size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

Wide subtract(const Wide& a, const Wide& b) { // a >= b
  Wide difference{};
  int64_t borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t digit = static_cast<int64_t>(a[i]) - b[i] - borrow;
    borrow = digit < 0 ? 1 : 0;
    if (digit < 0) digit += int64_t{1} << 32;
    difference[i] = static_cast<uint32_t>(digit);
  }
  return difference;
}

Wide shift_right_51(const Wide& a) {
  Wide result{};
  for (size_t bit = 51; bit < 192; ++bit) {
    const uint32_t value = (a[bit / 32] >> (bit % 32)) & 1;
    result[(bit - 51) / 32] |= value << ((bit - 51) % 32);
  }
  return result;
}

struct Scored {
  Candidate candidate;
  uint64_t magnitude;
  bool negative;
  Uint128 denominator; // 0: infinite
};

int compare_magnitudes(const Scored& a, const Scored& b) {
  return compare(multiply(a.magnitude, b.denominator), multiply(b.magnitude, a.denominator));
}

// -1, 0, 1: h of a is smaller, equal, larger. Both finite.
int compare_scores(const Scored& a, const Scored& b) {
  const bool a_negative = a.negative && a.magnitude != 0;
  const bool b_negative = b.negative && b.magnitude != 0;
  if (a_negative != b_negative) return a_negative ? -1 : 1;
  const int order = compare_magnitudes(a, b);
  return a_negative ? -order : order;
}

bool near(const Scored& a, const Scored& b) {
  if (a.negative != b.negative || a.magnitude == 0 || b.magnitude == 0) return false;
  const Wide left = multiply(a.magnitude, b.denominator);
  const Wide right = multiply(b.magnitude, a.denominator);
  const int order = compare(left, right);
  if (order == 0) return false;
  const Wide& larger = order > 0 ? left : right;
  const Wide& smaller = order > 0 ? right : left;
  return compare(subtract(larger, smaller), shift_right_51(larger)) <= 0;
}

// simrd's scan: in insertion order, the last smallest wins, the first zero ends it. `less_or_equal(a, b)`: h of a <= h
// of b.
template <typename LessOrEqual>
uint32_t scan(const std::vector<Scored>& in_order, LessOrEqual less_or_equal) {
  const Scored* best = nullptr;
  for (const Scored& entry : in_order) {
    if (best == nullptr || less_or_equal(entry, *best)) best = &entry;
    if (entry.denominator != 0 && entry.magnitude == 0) break;
  }
  return best->candidate.slot;
}

} // namespace

double rounded_quotient(int64_t numerator, Uint128 denominator) {
  if (numerator == 0) return 0.0;
  const bool negative = numerator < 0;
  Uint128 a = negative ? -static_cast<uint64_t>(numerator) : static_cast<uint64_t>(numerator);
  Uint128 b = denominator;
  int exponent = 0;
  while (a < b) {
    a <<= 1;
    --exponent;
  }
  while (a >= b << 1) {
    b <<= 1;
    ++exponent;
  }
  uint64_t mantissa = 0; // 53 bits of a / b, which is in [1, 2)
  for (int bit = 0; bit < 53; ++bit) {
    mantissa <<= 1;
    if (a >= b) {
      mantissa |= 1;
      a -= b;
    }
    a <<= 1;
  }
  // a / (2 b) is what is left of the last place.
  if (a > b || (a == b && (mantissa & 1) != 0)) ++mantissa;
  const double value = std::ldexp(static_cast<double>(mantissa), exponent - 52);
  return negative ? -value : value;
}

Expected decide(std::vector<Candidate> candidates, Terms terms, uint64_t clock) {
  Expected expected;
  if (candidates.empty()) return expected;
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  std::vector<Scored> scored;
  for (const Candidate& candidate : candidates) {
    const uint64_t size = terms.size ? candidate.size : 1;
    const uint64_t staleness = !terms.staleness ? 1 : clock > candidate.last ? clock - candidate.last : 0;
    scored.push_back(
        {candidate, candidate.cost < 0 ? -static_cast<uint64_t>(candidate.cost) : static_cast<uint64_t>(candidate.cost),
         candidate.cost < 0, static_cast<Uint128>(size) * staleness});
  }

  const Scored* zero = nullptr;
  const Scored* finite = nullptr;
  const Scored* infinite = nullptr;
  bool negatives = false;
  for (const Scored& entry : scored) {
    if (entry.denominator == 0) {
      infinite = &entry; // the last one
    } else if (entry.magnitude == 0) {
      if (zero == nullptr) zero = &entry; // the first one
    } else {
      negatives = negatives || entry.negative;
      if (finite == nullptr || compare_scores(entry, *finite) <= 0) finite = &entry;
    }
  }
  expected.mixed = zero != nullptr && negatives;
  const Scored* winner = zero != nullptr ? zero : finite != nullptr ? finite : infinite;
  expected.score_class = zero != nullptr     ? ScoreClass::kZero
                         : finite != nullptr ? ScoreClass::kFinite
                                             : ScoreClass::kInfinite;
  expected.slot = winner->candidate.slot;

  expected.scan_slot = scan(scored, [](const Scored& a, const Scored& b) {
    if (b.denominator == 0) return true;
    if (a.denominator == 0) return false;
    return compare_scores(a, b) <= 0;
  });
  expected.rounded_slot = scan(scored, [](const Scored& a, const Scored& b) {
    const auto score = [](const Scored& entry) {
      return entry.denominator == 0 ? HUGE_VAL : rounded_quotient(entry.candidate.cost, entry.denominator);
    };
    return score(a) <= score(b);
  });

  // The condition of NEAR is (larger - smaller) / larger <= 2^-51, so that neighbours among the sorted quotients decide
  // whether there is any near pair.
  std::vector<const Scored*> sorted;
  for (const Scored& entry : scored) {
    if (entry.denominator != 0 && entry.magnitude != 0) sorted.push_back(&entry);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Scored* a, const Scored* b) { return compare_scores(*a, *b) < 0; });
  for (size_t i = 1; i < sorted.size(); ++i) {
    expected.near_allowed = expected.near_allowed || near(*sorted[i - 1], *sorted[i]);
  }
  if (winner == finite) {
    for (const Scored* entry : sorted) expected.near_required = expected.near_required || near(*entry, *winner);
  }
  return expected;
}

} // namespace dtrmc::test
