// SPDX-License-Identifier: Apache-2.0
// Margins between scores are exact: ties are ties, and the smallest differences are seen.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "host/compare/margins.h"
#include "host/compare/ranking.h"

using namespace dtrmc;
using compare::margin;
using sim::Candidate;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Candidate quotient(std::int64_t cost, std::uint64_t size, std::uint64_t staleness) {
  Candidate c;
  c.cost = cost;
  c.size = size;
  c.staleness = staleness;
  return c;
}

Candidate integer(std::int64_t cost) {
  Candidate c;
  c.cost = cost;
  return c;
}

} // namespace

TEST_CASE("equal quotients are a tie, however they are written") {
  CHECK(margin(quotient(2, 4, 3), quotient(3, 6, 3)) == 0);
  CHECK(margin(quotient(-2, 4, 3), quotient(-3, 6, 3)) == 0);
  CHECK(margin(quotient(std::int64_t{1} << 62, std::uint64_t{1} << 62, 3), quotient(5, 5, 3)) == 0);
}

TEST_CASE("a difference that doubles cannot hold is no tie") {
  // (2^62 + 1) / 2^62 against 1: 2^-62, where a double of either is 1.
  const Candidate one = quotient(5, 5, 1);
  const Candidate above = quotient((std::int64_t{1} << 62) + 1, std::uint64_t{1} << 62, 1);
  CHECK(compare::score(one) == compare::score(above));
  CHECK(margin(one, above) == std::ldexp(1.0, -62));
  // Denominators of 124 bits: 1 / (n (n + 1)) against 1 / (n n), relative 1 / (n + 1) of the winner's.
  const std::uint64_t n = (std::uint64_t{1} << 62) - 1;
  CHECK(margin(quotient(1, n, n + 1), quotient(1, n, n)) == Approx(1.0 / static_cast<double>(n)).epsilon(1e-12));
}

TEST_CASE("margins equal plain arithmetic where that is exact") {
  std::mt19937_64 random(4);
  for (int i = 0; i < 10000; ++i) {
    const auto small = [&] { return static_cast<std::int64_t>(random() % 2000000) - 1000000; };
    const auto positive = [&] { return random() % 1000 + 1; };
    const Candidate a = quotient(small(), positive(), positive());
    const Candidate b = quotient(small(), positive(), positive());
    if (a.cost == 0) continue;
    const auto den = [](const Candidate& c) { return static_cast<std::int64_t>(*c.size * *c.staleness); };
    const auto x = static_cast<std::int64_t>(a.cost) * den(b);
    const auto y = static_cast<std::int64_t>(b.cost) * den(a);
    CHECK(margin(a, b) == static_cast<double>(y - x) / static_cast<double>(std::llabs(x)));
  }
}

TEST_CASE("zero and infinite scores") {
  CHECK(margin(quotient(0, 4, 3), quotient(0, 6, 3)) == 0);
  CHECK(margin(quotient(0, 4, 3), quotient(1, 6, 3)) == kInfinity);
  CHECK(margin(quotient(0, 4, 3), quotient(-1, 6, 3)) == -kInfinity);
  CHECK(margin(quotient(1, 4, 3), quotient(1, 0, 3)) == kInfinity);
  CHECK(margin(quotient(1, 0, 3), quotient(7, 0, 3)) == 0);
  CHECK(compare::score(quotient(1, 0, 3)) == kInfinity);
  CHECK(margin(integer(10), integer(15)) == 0.5);
}

TEST_CASE("the runner-up is what the rule takes without the victim") {
  const std::vector<Candidate> pool{quotient(6, 1, 1), quotient(4, 2, 1), quotient(9, 3, 1), quotient(2, 1, 1),
                                    quotient(7, 0, 1)};
  CHECK(compare::choose(pool, std::nullopt) == 3); // the last of the two with 2
  CHECK(compare::choose(pool, 3) == 1);
  CHECK(compare::choose({pool[4]}, std::nullopt) == 0); // an infinite score is still a choice
  CHECK_FALSE(compare::choose({pool[4]}, 0));
  // The scan stops at the first 0; what follows is never seen.
  const std::vector<Candidate> zeros{quotient(3, 1, 1), quotient(0, 1, 1), quotient(-5, 1, 1)};
  CHECK(compare::choose(zeros, std::nullopt) == 1);
  CHECK(compare::choose(zeros, 1) == 2);
  const std::vector<Candidate> integers{integer(5), integer(3), integer(3), integer(0), integer(-1)};
  CHECK(compare::choose(integers, std::nullopt) == 3);
  CHECK(compare::choose(integers, 3) == 4);
}

TEST_CASE("scores that one double cannot tell apart are a tie to the rule, the later one wins") {
  const std::vector<Candidate> pool{quotient(5, 5, 1), quotient((std::int64_t{1} << 62) + 1, std::uint64_t{1} << 62, 1),
                                    quotient(9, 1, 1)};
  CHECK(compare::choose(pool, std::nullopt) == 1);
  CHECK(compare::judge(pool, 0)->margin == std::ldexp(1.0, -62));
}

TEST_CASE("exact scores name the factors that the heuristic uses") {
  CHECK(compare::exact_score(quotient(-7, 4, 3)) == "-7/(4*3)");
  Candidate c = integer(12);
  CHECK(compare::exact_score(c) == "12");
  c.size = 5;
  CHECK(compare::exact_score(c) == "12/5");
}
