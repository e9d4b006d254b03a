// SPDX-License-Identifier: Apache-2.0
// Random pools, updates and removals interleaved with searches: every decision, flag and cycle count against the
// reference. DTRMC_DECISIONS searches in all, shared by the units.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/rtl/corners.h"
#include "tests/rtl/pools.h"
#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::Corners;
using dtrmc::test::Expected;
using dtrmc::test::PoolGenerator;
using dtrmc::test::PoolKind;
using dtrmc::test::Result;
using dtrmc::test::ScoreClass;
using dtrmc::test::Terms;
using dtrmc::test::UnitDriver;

// What the random pools have reached, so that a generator gone stale cannot pass.
struct Seen {
  Corners corners;
  uint64_t finite = 0, rounded_differs = 0, negative = 0, without_near = 0, one_row = 0;
};

class Session {
 public:
  // Narrow: a unit whose widths only the pools of small values fit.
  Session(const std::string& name, uint64_t seed, bool narrow)
      : driver_(name), random_(seed), narrow_(narrow), next_order_(0) {}

  void run(uint64_t decisions) {
    while (decisions > 0) {
      start_pool();
      for (uint64_t left = 1 + below(8); left > 0 && decisions > 0; --left, --decisions) {
        change_pool();
        if (below(32) == 0) saturate();
        if (below(32) == 0) {
          reset_during_search();
          break;
        }
        decide();
      }
    }
  }

  Seen seen() const {
    Seen seen = seen_;
    seen.corners.queue_full = driver_.held_off();
    return seen;
  }

 private:
  uint64_t below(uint64_t limit) { return random_() % limit; }

  uint32_t draw_order() {
    // Mostly counting up; sometimes anywhere below 2^32, so that slots and orders have nothing in common.
    uint32_t order = below(4) == 0 ? static_cast<uint32_t>(random_()) : next_order_;
    if (narrow_) order &= 0x7FFF;
    while (!orders_.insert(order).second) ++order;
    next_order_ = order + 1;
    return order;
  }

  void insert(uint32_t slot) {
    if (driver_.holds(slot)) orders_.erase(driver_.at(slot).order);
    Candidate candidate = generator_.draw(random_);
    candidate.slot = slot;
    candidate.order = draw_order();
    driver_.insert(candidate);
  }

  void remove(uint32_t slot) {
    if (driver_.holds(slot)) orders_.erase(driver_.at(slot).order);
    driver_.remove(slot); // also of a slot that holds nothing
  }

  void start_pool() {
    driver_.soft_reset();
    orders_.clear();
    searches_cycles_ = 0;
    do {
      generator_ = PoolGenerator(random_);
    } while (narrow_ && (generator_.clock != 3 || generator_.kind == PoolKind::kExtreme));
    const uint64_t way = below(50);
    // Most pools are small, in slots from a span that may lie anywhere; some fill the table.
    span_ = way == 0 ? driver_.depth() : std::min<uint32_t>(driver_.depth(), 1 + static_cast<uint32_t>(below(24)));
    first_ = static_cast<uint32_t>(below(driver_.depth() - span_ + 1));
    if (below(2) == 0) first_ = 0;
    for (uint32_t i = 0; i < span_; ++i) {
      if (way == 0 || below(4) != 0) insert(first_ + i);
    }
  }

  void change_pool() {
    for (uint64_t changes = below(4); changes > 0; --changes) {
      const uint32_t slot = first_ + static_cast<uint32_t>(below(span_));
      switch (below(5)) {
        case 0:
          remove(slot);
          break;
        case 1:
          if (driver_.holds(slot)) driver_.update_cost(slot, generator_.draw(random_).cost);
          break;
        case 2:
          if (driver_.holds(slot)) driver_.update_last(slot, generator_.draw(random_).last);
          break;
        case 3:
          if (driver_.was_removed(slot)) driver_.reinsert(slot, draw_order(), generator_.draw(random_).last);
          break;
        default:
          insert(slot);
      }
    }
    clock_ = generator_.clock + (generator_.kind == PoolKind::kTies ? below(3) : 0);
    driver_.set_clock(clock_);
    const bool colliding = generator_.kind == PoolKind::kColliding;
    terms_ = {colliding || below(4) != 0, colliding || below(4) != 0};
    driver_.set_terms(terms_);
  }

  // A value beyond the widths: flagged for as long as it is there.
  void saturate() {
    const std::vector<Candidate> candidates = driver_.candidates();
    if (candidates.empty()) return;
    const Candidate& candidate = candidates[below(candidates.size())];
    driver_.update_cost(candidate.slot,
                        (below(2) == 0 ? 1 : -1) * ((int64_t{1} << 62) + static_cast<int64_t>(below(9))));
    const Result result = driver_.search();
    REQUIRE(result.sat());
    searches_cycles_ += result.cycles;
    driver_.update_cost(candidate.slot, candidate.cost);
    ++seen_.corners.saturated;
  }

  // At any cycle, also with writes in the queue. What follows starts from nothing.
  void reset_during_search() {
    driver_.start();
    driver_.unit().clock(below(driver_.expected_cycles() + 2));
    seen_.corners.reset += driver_.unit().busy();
    if (below(2) == 0 && driver_.unit().busy()) change_pool();
    driver_.soft_reset();
    const Result result = driver_.result();
    REQUIRE_FALSE(driver_.unit().busy());
    REQUIRE_FALSE(result.busy());
    REQUIRE_FALSE(result.done());
    REQUIRE(result.cycles == 0);
    REQUIRE(driver_.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == 0);
    REQUIRE(driver_.read(SCORING_UNIT_COUNT_OFFSET) == 0);
    REQUIRE((driver_.read(SCORING_UNIT_QUEUE_OFFSET) & SCORING_UNIT_QUEUE_LEVEL_MASK) == 0);
    REQUIRE(driver_.search().empty());
    REQUIRE(driver_.read(SCORING_UNIT_NEXT_ORDER_OFFSET) == 0);
  }

  // Another finite candidate has the winner's quotient (small numbers only).
  bool tie(const std::vector<Candidate>& candidates, uint32_t slot, Terms terms, uint64_t clock) const {
    const auto score = [&](const Candidate& c) {
      const uint64_t staleness = !terms.staleness ? 1 : clock > c.last ? clock - c.last : 0;
      return std::pair(c.cost, (terms.size ? c.size : 1) * staleness);
    };
    const auto [cost, denominator] = score(driver_.at(slot));
    if (cost == 0 || denominator == 0 || std::abs(cost) > 1000 || denominator > 1000) return false;
    for (const Candidate& other : candidates) {
      const auto [other_cost, other_denominator] = score(other);
      if (other.slot == slot || std::abs(other_cost) > 1000 || other_denominator > 1000) continue;
      if (other_denominator != 0 &&
          cost * static_cast<int64_t>(other_denominator) == other_cost * static_cast<int64_t>(denominator)) {
        return true;
      }
    }
    return false;
  }

  void decide() {
    const std::vector<Candidate> candidates = driver_.candidates();
    const Expected expected = driver_.expected();
    const uint32_t scan_cycles = driver_.expected_cycles();
    seen_.one_row += scan_cycles != 4 && std::all_of(candidates.begin(), candidates.end(),
                                                     [&](const Candidate& c) { return c.slot < driver_.lanes(); });
    seen_.corners.ties += expected.score_class == ScoreClass::kFinite && tie(candidates, expected.slot, terms_, clock_);
    driver_.start();
    if (below(4) == 0) { // changes during the search: for the next one
      driver_.unit().clock(below(20));
      seen_.corners.updated += driver_.unit().busy();
      for (uint64_t times = below(8); times > 0; --times) change_pool();
    }
    driver_.finish();
    const Result result = driver_.result();
    // A cached search depends on what happened before: cache.cpp has more about it.
    const uint32_t cycles = driver_.unit().info().search == "cache" ? result.cycles : scan_cycles;
    searches_cycles_ += cycles;

    INFO(driver_.unit().info().name << ", pool of " << candidates.size());
    REQUIRE(result.done());
    REQUIRE_FALSE(result.busy());
    REQUIRE_FALSE(result.sat());
    REQUIRE(result.cycles == cycles);
    REQUIRE(driver_.read(SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET) == searches_cycles_);
    REQUIRE(driver_.read(SCORING_UNIT_COUNT_OFFSET) == driver_.candidates().size());
    REQUIRE((driver_.read(SCORING_UNIT_QUEUE_OFFSET) & SCORING_UNIT_QUEUE_LEVEL_MASK) == 0);
    REQUIRE(result.empty() == (expected.score_class == ScoreClass::kNone));
    REQUIRE(result.score_class() == expected.score_class);
    if (result.empty()) {
      ++seen_.corners.empty;
      return;
    }
    REQUIRE(result.slot() == expected.slot);
    REQUIRE(result.mixed() == expected.mixed);
    if (!expected.mixed) REQUIRE(expected.slot == expected.scan_slot); // the rule is simrd's scan
    if (expected.near_required) REQUIRE(result.near());
    if (!expected.near_allowed) REQUIRE_FALSE(result.near());
    // What all this is for: an unflagged search is what doubles would have chosen.
    if (!result.near() && !result.mixed()) REQUIRE(result.slot() == expected.rounded_slot);

    seen_.corners.zeros += expected.score_class == ScoreClass::kZero;
    seen_.finite += expected.score_class == ScoreClass::kFinite;
    seen_.corners.infinities += expected.score_class == ScoreClass::kInfinite;
    seen_.corners.mixed += expected.mixed;
    seen_.corners.near += result.near();
    seen_.without_near += !result.near();
    seen_.rounded_differs += !expected.mixed && expected.slot != expected.rounded_slot;
    seen_.negative += expected.score_class == ScoreClass::kFinite &&
                      std::any_of(candidates.begin(), candidates.end(),
                                  [&](const Candidate& c) { return c.slot == expected.slot && c.cost < 0; });
    seen_.corners.full += candidates.size() == driver_.depth();
  }

  UnitDriver driver_;
  std::mt19937_64 random_;
  bool narrow_;
  PoolGenerator generator_{random_};
  uint32_t next_order_;
  std::set<uint32_t> orders_;
  uint32_t first_ = 0;
  uint32_t span_ = 1;
  uint64_t searches_cycles_ = 0;
  uint64_t clock_ = 0;
  Terms terms_;
  Seen seen_;
};

void check(const std::string& name, uint64_t decisions, uint64_t seed, bool narrow = false) {
  Session session(name, seed, narrow);
  session.run(decisions);
  const Seen seen = session.seen();
  const dtrmc::unit::UnitInfo info = dtrmc::unit::make_unit(name)->info();
  seen.corners.report(name, decisions, narrow, info.search == "cache" || info.depth < 100);
  CHECK(seen.finite > decisions / 10);
  CHECK(seen.without_near > decisions / 2);
  if (!narrow) CHECK(seen.rounded_differs > decisions / 100);
  CHECK(seen.negative > decisions / 100);
  CHECK(seen.one_row > decisions / 200);
}

} // namespace

TEST_CASE("random decisions: exact-l1", "[rtl]") { check("exact-l1", DTRMC_DECISIONS / 4, 1); }
TEST_CASE("random decisions: exact-l2", "[rtl]") { check("exact-l2", DTRMC_DECISIONS / 8, 5); }
TEST_CASE("random decisions: exact-l4", "[rtl]") { check("exact-l4", DTRMC_DECISIONS / 2, 2); }
TEST_CASE("random decisions: exact-l8", "[rtl]") { check("exact-l8", DTRMC_DECISIONS / 8, 6); }
TEST_CASE("random decisions: exact-l4-d16", "[rtl]") { check("exact-l4-d16", DTRMC_DECISIONS / 4, 3); }
TEST_CASE("random decisions: narrow-l2", "[rtl]") { check("narrow-l2", DTRMC_DECISIONS / 8, 4, true); }
TEST_CASE("random decisions: exact-l4-cache", "[rtl]") { check("exact-l4-cache", DTRMC_DECISIONS / 4, 21); }
TEST_CASE("random decisions: cache-narrow-l2", "[rtl]") { check("cache-narrow-l2", DTRMC_DECISIONS / 8, 23, true); }
