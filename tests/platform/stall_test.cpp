// SPDX-License-Identifier: Apache-2.0
// Idle time of the accelerator against what the controller did, on made timelines.
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "firmware/protocol.h"
#include "systemc/platform/stall_account.h"

using namespace dtrmc::platform;

namespace {

std::uint64_t of(const StallTimes& times, StallCause cause) { return times[static_cast<std::size_t>(cause)]; }

} // namespace

TEST_CASE("a stall goes to what the controller did meanwhile, hidden work to nobody") {
  StallAccount account;
  account.on_activity(DTRMC_ACTIVITY_METADATA, 10);
  account.on_activity(DTRMC_ACTIVITY_SEARCH | DTRMC_IN_DECISION, 25);
  account.on_activity(DTRMC_ACTIVITY_COMMANDS, 40);
  account.on_execute(50, 100); // idle: commands 10 + 10, metadata 15, search 15
  account.on_activity(DTRMC_ACTIVITY_COST, 60);
  account.on_activity(DTRMC_ACTIVITY_COST | DTRMC_IN_DECISION, 90); // 10 of 30 hidden
  account.on_activity(DTRMC_ACTIVITY_WAIT_UNIT | DTRMC_IN_DECISION, 120);
  account.on_activity(DTRMC_ACTIVITY_COMMANDS, 125);
  account.on_execute(130, 200);
  account.on_execute(200, 300); // queued behind: no stall
  account.on_activity(DTRMC_ACTIVITY_WAIT_ACCELERATOR, 140);
  account.on_activity(DTRMC_ACTIVITY_IDLE, 303);
  const StallTimes times = account.finish(310);
  CHECK(of(times, StallCause::kCommands) == 10 + 10 + 5);
  CHECK(of(times, StallCause::kMetadata) == 15);
  CHECK(of(times, StallCause::kDecisionSearch) == 15);
  CHECK(of(times, StallCause::kCost) == 0);
  CHECK(of(times, StallCause::kDecisionCost) == 20);
  CHECK(of(times, StallCause::kDecisionUnit) == 5);
  CHECK(of(times, StallCause::kCompletion) == 3);
  CHECK(of(times, StallCause::kNoCommand) == 7);
  CHECK(of(times, StallCause::kDecisionScore) == 0);
}

TEST_CASE("the parts are those of a count by hand, moment by moment") {
  std::mt19937_64 generator(7);
  for (int round = 0; round < 200; ++round) {
    StallAccount account;
    std::vector<StallCause> cause; // of every moment
    std::vector<bool> busy;
    std::uint32_t mark = 0;
    std::uint64_t now = 0, free_at = 0;
    for (int step = 0; step < 60; ++step) {
      const std::uint64_t until = now + generator() % 6;
      cause.resize(until, stall_cause(mark));
      now = until;
      if (generator() % 3 == 0) {
        const std::uint64_t start = std::max(now, free_at);
        const std::uint64_t finish = start + generator() % 20;
        busy.resize(start, false);
        busy.resize(finish, true);
        account.on_execute(start, finish);
        free_at = finish;
      } else {
        mark = static_cast<std::uint32_t>(generator() % DTRMC_ACTIVITY_COUNT) |
               (generator() % 2 == 0 ? DTRMC_IN_DECISION : 0);
        account.on_activity(mark, now);
      }
    }
    const std::uint64_t end = std::max(now, free_at) + generator() % 9;
    cause.resize(end, stall_cause(mark));
    busy.resize(end, false);
    StallTimes expected{};
    for (std::uint64_t t = 0; t < end; ++t) {
      if (!busy[t]) ++expected[static_cast<std::size_t>(cause[t])];
    }
    REQUIRE(account.finish(end) == expected);
  }
}
