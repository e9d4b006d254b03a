// SPDX-License-Identifier: Apache-2.0
// Long sequences of searches over one table, as a cached search meets them: time runs on (and sometimes back), few
// updates, some of them during a search, other terms, resets, values that do not fit. Every decision is held against
// the reference.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>

#include "tests/rtl/pools.h"
#include "tests/rtl/unit_driver.h"

namespace dtrmc::test {

class CacheSequence {
 public:
  // Narrow: a unit that only kSmall fits.
  CacheSequence(std::unique_ptr<unit::RtlUnit> unit, uint64_t seed, bool narrow)
      : driver_(std::move(unit)), random_(seed), narrow_(narrow) {}

  void run(uint64_t decisions) {
    while (decisions > 0) {
      begin();
      for (uint64_t left = 1 + below(60); left > 0 && decisions > 0; --left, --decisions) {
        change();
        decide();
      }
    }
  }

  uint64_t cycles = 0;
  uint64_t scan_cycles = 0;
  uint64_t near = 0;
  uint64_t mixed = 0;
  uint64_t rounded_differs = 0;
  uint64_t backwards = 0;
  uint64_t aborted = 0;
  uint64_t saturated = 0;
  uint64_t updated = 0; // searches with updates while they ran

 private:
  enum class Kind {
    kRealistic, // magnitudes of traces, lines that cross
    kTies,      // few values: equal quotients, equal lines
    kSigns,     // zeros, infinities that become finite, negative scores
    kColliding, // quotients that come within rounding of each other and part again
    kExtreme,   // the ends of the widths
    kSmall,     // fits narrow units
    kCount
  };

  uint64_t below(uint64_t limit) { return random_() % limit; }

  PoolGenerator generator(PoolKind kind) {
    for (;;) {
      const PoolGenerator made(random_);
      if (made.kind == kind) return made;
    }
  }

  void begin() {
    driver_.soft_reset();
    order_ = 0;
    kind_ = narrow_ ? Kind::kSmall : static_cast<Kind>(below(static_cast<uint64_t>(Kind::kCount)));
    colliding_ = generator(PoolKind::kColliding);
    extreme_ = generator(PoolKind::kExtreme);
    terms_ = draw_terms();
    switch (kind_) {
      case Kind::kColliding:
        clock_ = colliding_.clock - below(200);
        break;
      case Kind::kExtreme:
        clock_ = extreme_.clock / 2;
        break;
      case Kind::kSmall:
        clock_ = 1000;
        break;
      default:
        clock_ = (uint64_t{1} << 40) + below(uint64_t{1} << 30);
    }
    const unsigned step_bits = kind_ == Kind::kRealistic ? 32
                               : kind_ == Kind::kExtreme ? 46
                               : kind_ == Kind::kSmall   ? 6
                                                         : 12;
    step_ = uint64_t{1} << below(step_bits);
    span_ = below(3) == 0 ? driver_.depth() : 1 + static_cast<uint32_t>(below(below(2) == 0 ? 64 : driver_.depth()));
    span_ = std::min(span_, driver_.depth());
    for (uint32_t slot = 0; slot < span_; ++slot) {
      if (below(8) != 0) insert(slot);
    }
  }

  Terms draw_terms() { return {below(5) != 0, below(6) != 0}; }

  Candidate draw() {
    Candidate candidate;
    switch (kind_) {
      case Kind::kRealistic:
        candidate.cost = static_cast<int64_t>((1 + (random_() >> (20 + below(30)))) & ((uint64_t{1} << 44) - 1));
        candidate.size = 1 + (random_() >> (28 + below(30)));
        candidate.last = clock_ - below(uint64_t{1} << (10 + below(29)));
        break;
      case Kind::kTies:
        candidate.cost = static_cast<int64_t>(100 * (1 + below(4)));
        candidate.size = 1000 * (1 + below(3));
        candidate.last = clock_ - 1 - below(50) * 100;
        break;
      case Kind::kSigns:
        candidate.cost = static_cast<int64_t>(below(9)) - 4;
        candidate.size = below(4);
        candidate.last = clock_ - below(8) + (below(4) == 0 ? below(4) : 0);
        break;
      case Kind::kColliding:
        candidate = colliding_.draw(random_);
        break;
      case Kind::kExtreme:
        candidate = extreme_.draw(random_);
        break;
      default:
        candidate.cost = static_cast<int64_t>(below(2000)) - 300;
        candidate.size = 1 + below(50);
        candidate.last = below(clock_ + 10);
    }
    return candidate;
  }

  void insert(uint32_t slot) {
    Candidate candidate = draw();
    candidate.slot = slot;
    candidate.order = order_++;
    driver_.insert(candidate);
  }

  void change() {
    for (uint64_t updates = below(4) == 0 ? below(12) : below(3); updates > 0; --updates) {
      const auto slot = static_cast<uint32_t>(below(span_));
      switch (below(4)) {
        case 0:
          driver_.remove(slot);
          break;
        case 1:
          if (driver_.holds(slot)) driver_.update_cost(slot, draw().cost);
          break;
        case 2:
          if (driver_.holds(slot)) driver_.update_last(slot, draw().last);
          break;
        default:
          insert(slot);
      }
    }
    if (below(3) != 0) clock_ += below(step_);
    if (below(40) == 0) {
      clock_ -= std::min(clock_ / 2, below(2 * step_));
      ++backwards;
    }
    clock_ = std::min(clock_, (uint64_t{1} << (narrow_ ? 24 : 48)) - 1);
    if (below(60) == 0) terms_ = draw_terms();
    driver_.set_clock(clock_);
    driver_.set_terms(terms_);
  }

  void decide() {
    // A search that ends in a reset, after which the table is filled anew.
    if (below(200) == 0) {
      driver_.start();
      driver_.unit().clock(below(60));
      ++aborted;
      begin();
      change();
    }
    // A search with a value that does not fit, and the same without it.
    if (below(100) == 0) {
      const auto slot = static_cast<uint32_t>(below(span_));
      if (driver_.holds(slot)) {
        const int64_t cost = driver_.at(slot).cost;
        driver_.update_cost(slot, INT64_MAX);
        REQUIRE(driver_.search().sat());
        driver_.update_cost(slot, cost);
        ++saturated;
      }
    }
    const Expected expected = driver_.expected();
    const uint32_t scan = driver_.expected_cycles();
    driver_.start();
    if (below(5) == 0) { // for the search after this one
      driver_.unit().clock(below(40));
      updated += driver_.unit().busy();
      change();
    }
    driver_.finish();
    const Result result = driver_.result();
    INFO(driver_.unit().info().name << ", kind " << static_cast<int>(kind_) << ", " << driver_.candidates().size()
                                    << " candidates");
    REQUIRE(result.done());
    REQUIRE_FALSE(result.busy());
    REQUIRE_FALSE(result.sat());
    REQUIRE(result.empty() == (expected.score_class == ScoreClass::kNone));
    REQUIRE(result.score_class() == expected.score_class);
    cycles += result.cycles;
    scan_cycles += scan;
    if (result.empty()) return;
    REQUIRE(result.slot() == expected.slot);
    REQUIRE(result.mixed() == expected.mixed);
    if (expected.near_required) REQUIRE(result.near());
    if (!expected.near_allowed) REQUIRE_FALSE(result.near());
    if (!result.near() && !result.mixed()) REQUIRE(result.slot() == expected.rounded_slot);
    near += result.near();
    mixed += result.mixed();
    rounded_differs += !expected.mixed && expected.slot != expected.rounded_slot;
    if (below(2) == 0) driver_.remove(result.slot());
  }

  UnitDriver driver_;
  std::mt19937_64 random_;
  bool narrow_;
  Kind kind_ = Kind::kSmall;
  PoolGenerator colliding_{random_};
  PoolGenerator extreme_{random_};
  Terms terms_;
  uint64_t clock_ = 0;
  uint64_t step_ = 1;
  uint32_t span_ = 1;
  uint32_t order_ = 0;
};

} // namespace dtrmc::test
