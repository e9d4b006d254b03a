// SPDX-License-Identifier: Apache-2.0
// Which method goes on: the cheaper one nearly always, and the other soon where it has become the cheaper one.
#include "host/atlas/method_choice.h"

#include <catch2/catch.hpp>

using dtrmc::atlas::MethodChoice;

namespace {

// How many of `parts` go to method 1, whose intervals cost `cost[1]` each, method 0's `cost[0]`.
unsigned taken(MethodChoice& choice, unsigned parts, const unsigned (&cost)[2]) {
  unsigned ones = 0;
  for (unsigned i = 0; i < parts; ++i) {
    const unsigned method = choice.next();
    ones += method;
    choice.took(method, 100 * cost[method], 100);
  }
  return ones;
}

} // namespace

TEST_CASE("both are tried, then the cheaper one goes on, and trials become rare") {
  MethodChoice choice;
  CHECK(taken(choice, 2, {10, 1}) == 1);
  CHECK(taken(choice, 1000, {10, 1}) > 970);
  MethodChoice other;
  CHECK(taken(other, 1000, {1, 10}) < 30);
}

TEST_CASE("a line that changes its character is followed") {
  MethodChoice choice;
  taken(choice, 1000, {10, 1});
  CHECK(taken(choice, 100, {1, 10}) < 8); // it sees at once that the method at work has become dear
  CHECK(taken(choice, 1000, {1, 10}) < 30);
  // The other one has become cheap, which only a trial can tell.
  MethodChoice still;
  taken(still, 1000, {5, 10});
  const unsigned late = taken(still, 100, {5, 1});
  CHECK(late > 30);
  CHECK(taken(still, 100, {5, 1}) > 90);
}

TEST_CASE("cost counts per interval") {
  MethodChoice choice;
  choice.took(0, 1000, 1000);
  choice.took(1, 500, 10);
  CHECK(choice.next() == 0);
}
