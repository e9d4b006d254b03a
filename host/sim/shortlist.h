// SPDX-License-Identifier: Apache-2.0
// The victim search of scores cost / (size x age), of most pool entries without looking at them.
//
// A scan now and then settles a cap, a score that some entries are at or below, and a horizon, a time. Whoever stays
// above the cap until the horizon, as long as its cost does not fall below a floor, sleeps; the others are listed. As
// long as that holds, and one of the listed is at or below the cap, the smallest score is theirs. Who joins the pool,
// or whose cost may fall below its floor, is listed again. What is chosen, and what counts as evaluated, is as if the
// whole pool was scanned (choose_quotient).
//
// Costs often share a large part that moves (the value of a class). Then cap and floors are multiples of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "host/sim/chooser.h"
#include "host/sim/pool.h"
#include "host/sim/quotient.h"
#include "host/sim/state.h"

namespace dtrmc::sim {

class Shortlist {
 public:
  explicit Shortlist(std::size_t storages) : where_(storages, kAsleep) {}

  // `s` joined the pool, or its cost may have changed in a way that floors do not tell.
  void touch(trace::StorageId s) {
    if (!valid_ || where_[s] != kAsleep) return;
    where_[s] = kNew;
    new_.push_back(s);
  }
  // Floors do not hold, or the clock stands elsewhere.
  void invalidate() { valid_ = false; }

  // As choose_quotient with the storages' sizes and their ages at `clock` (ns). The pool is not empty. Costs:
  //   cost(s), an integer;
  //   refer(s): settles the reference, a value that most of the cost of s comes from, and drops older promises;
  //   reference(): it, as it is now; 0 if nothing can be said by it any more;
  //   ratio(s): promises that cost(s) will be no less than this times the reference, or touch(s) is called.
  template <typename Costs>
  Choice choose(const Pool& pool, const State& state, std::uint64_t clock, Costs& costs) {
    if (pool.size() < kWorthwhile) {
      valid_ = false;
      return scan(pool, state, clock, costs);
    }
    if (valid_ && clock < horizon_) {
      const double reference = costs.reference();
      if (reference > 0) {
        ++uses_;
        const Best best = best_listed(state, clock, costs);
        if (best.zero) return scan(pool, state, clock, costs);
        if (best.score <= cap_ * reference) return {best.victim, pool.size()};
      }
    }
    const Choice choice = scan(pool, state, clock, costs);
    if (uses_ != 0 || valid_) pause_ = uses_ >= kPaid ? 0 : std::min(2 * pause_ + 1, kLongestPause);
    uses_ = 0;
    valid_ = false;
    if (pause_ > paused_++) return choice;
    paused_ = 0;
    settle(pool, state, clock, costs);
    if (!valid_) pause_ = std::min(2 * pause_ + 1, kLongestPause);
    return choice;
  }

 private:
  enum Where : std::uint8_t { kAsleep, kNew, kListed };
  static constexpr std::uint64_t kWorthwhile = 32; // candidates; a smaller pool is scanned
  static constexpr std::uint64_t kPaid = 6;        // decisions by one list that make up for its making
  static constexpr std::uint64_t kLongestPause = 63;
  static constexpr double kMargin = 1e-9; // far above the rounding of the few operations behind it

  // As in choose_quotient, but in any order: of equals the one that joined last.
  struct Best {
    trace::StorageId victim = kNoStorage;
    double score = std::numeric_limits<double>::infinity();
    std::uint64_t joined = 0;
    bool zero = false; // some score is zero: the order of the pool decides where the search ends

    template <typename Costs>
    void look_at(trace::StorageId s, const StorageState& entry, std::uint64_t age, Costs& costs) {
      if (entry.size == 0 || age == 0) return; // infinite, above any cap
      const auto numerator = costs.cost(s);
      if (numerator == 0) {
        zero = true;
        return;
      }
      if (clearly_above(numerator, entry.size, age, score)) return;
      const double h = rounded_quotient(numerator, static_cast<UInt128>(entry.size) * age);
      if (h > score || (h == score && entry.joined < joined)) return;
      victim = s;
      score = h;
      joined = entry.joined;
    }
  };

  template <typename Costs>
  static Choice scan(const Pool& pool, const State& state, std::uint64_t clock, Costs& costs) {
    return choose_quotient(
        pool, [&](trace::StorageId s) { return costs.cost(s); },
        [&](trace::StorageId s) { return state.storages[s].size; },
        [&](trace::StorageId s) { return clock - state.storages[s].last_access; });
  }

  template <typename Costs>
  Best best_listed(const State& state, std::uint64_t clock, Costs& costs) {
    Best best;
    std::size_t kept = 0;
    for (const trace::StorageId s : listed_) {
      const StorageState& entry = state.storages[s];
      if (!entry.in_pool) {
        where_[s] = kAsleep; // touched when it joins again
        continue;
      }
      listed_[kept++] = s;
      best.look_at(s, entry, clock - entry.last_access, costs);
    }
    listed_.resize(kept);
    for (const trace::StorageId s : new_) {
      const StorageState& entry = state.storages[s];
      where_[s] = kAsleep;
      if (!entry.in_pool) continue;
      best.look_at(s, entry, clock - entry.last_access, costs);
      if (above_cap_until(entry, costs.ratio(s)) >= horizon_) continue;
      where_[s] = kListed;
      listed_.push_back(s);
    }
    new_.clear();
    return best;
  }

  // The score of `entry` is above the cap up to then, if its cost is `ratio` of the reference at least (and longer, if
  // it is accessed). 0: it may be below at any time.
  std::uint64_t above_cap_until(const StorageState& entry, double ratio) const {
    if (!(ratio > 0)) return 0;
    if (entry.size == 0) return UINT64_MAX;
    const double age = ratio / (static_cast<double>(entry.size) * cap_) * (1 - kMargin);
    constexpr double kMost = 9e18;
    return entry.last_access + static_cast<std::uint64_t>(std::min(age, kMost)); // last_access <= 2^63
  }

  // A cap and a horizon for the pool as it is.
  template <typename Costs>
  void settle(const Pool& pool, const State& state, std::uint64_t clock, Costs& costs) {
    for (const trace::StorageId s : listed_) where_[s] = kAsleep;
    for (const trace::StorageId s : new_) where_[s] = kAsleep;
    listed_.clear();
    new_.clear();
    // So many at or below the cap that scans and looking at the listed cost about the same.
    const auto below = static_cast<std::size_t>(std::sqrt(static_cast<double>(pool.size())));
    scores_.clear();
    for (trace::StorageId s = pool.first(); s != kNoStorage; s = pool.next(s)) {
      const StorageState& entry = state.storages[s];
      const double score = static_cast<double>(costs.cost(s)) /
                           (static_cast<double>(entry.size) * static_cast<double>(clock - entry.last_access));
      scores_.push_back({std::isnan(score) ? std::numeric_limits<double>::infinity() : score, s});
    }
    const auto at = scores_.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(scores_.begin(), at, scores_.end(),
                     [](const Score& a, const Score& b) { return a.score < b.score; });
    costs.refer(at->storage);
    cap_ = at->score / costs.reference();
    if (!(at->score > 0) || !std::isnormal(at->score) || !std::isnormal(cap_)) return; // too many at zero, or infinite
    times_.clear();
    for (trace::StorageId s = pool.first(); s != kNoStorage; s = pool.next(s)) {
      times_.push_back({above_cap_until(state.storages[s], costs.ratio(s)), s});
    }
    const auto end = times_.begin() + static_cast<std::ptrdiff_t>(std::min(kListedPart * below, times_.size() - 1));
    std::nth_element(times_.begin(), end, times_.end(), [](const Time& a, const Time& b) { return a.until < b.until; });
    horizon_ = end->until;
    if (horizon_ <= clock) return;
    for (auto time = times_.begin(); time != end; ++time) {
      if (time->until >= horizon_) continue;
      where_[time->storage] = kListed;
      listed_.push_back(time->storage);
    }
    valid_ = true;
  }

  struct Score {
    double score;
    trace::StorageId storage;
  };
  struct Time {
    std::uint64_t until;
    trace::StorageId storage;
  };
  static constexpr std::size_t kListedPart = 3; // times those below the cap at first

  bool valid_ = false;
  std::uint64_t uses_ = 0;               // decisions since the list was made
  std::uint64_t pause_ = 0;              // plain scans before the next list: more where lists did not pay
  std::uint64_t paused_ = 0;             // of them so far
  double cap_ = 0;                       // times the reference
  std::uint64_t horizon_ = 0;            // ns
  std::vector<std::uint8_t> where_;      // by storage
  std::vector<trace::StorageId> listed_; // may fall to the cap before the horizon; some have left the pool
  std::vector<trace::StorageId> new_;    // not judged yet
  std::vector<Score> scores_;            // scratch
  std::vector<Time> times_;
};

} // namespace dtrmc::sim
