// SPDX-License-Identifier: Apache-2.0
// Approximate arithmetic: the RTL against the C++ model (rtl/model/score_key.h) on the same tables, bit for bit as far
// as a victim can tell: random pools of every kind, updates and removals interleaved with searches, and pairs of
// candidates drawn so that their keys are equal or next to each other. DTRMC_DECISIONS searches in all.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/rtl/pools.h"
#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::PoolGenerator;
using dtrmc::test::Result;
using dtrmc::test::ScoreClass;
using dtrmc::test::Terms;
using dtrmc::test::UnitDriver;

uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

struct Expected {
  ScoreClass score_class = ScoreClass::kNone;
  uint32_t slot = 0;
  bool mixed = false;
  bool tie = false;     // another finite candidate has the winner's key
  bool differs = false; // exact arithmetic takes another
};

Expected decide(std::vector<Candidate> pool, Terms terms, uint64_t clock, const score_format& format) {
  Expected expected;
  std::sort(pool.begin(), pool.end(), [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  const Candidate* zero = nullptr;
  const Candidate* finite = nullptr;
  const Candidate* infinite = nullptr;
  score_key best{};
  bool negatives = false;
  for (const Candidate& candidate : pool) {
    const uint64_t size = terms.size ? candidate.size : 1;
    const uint64_t staleness = !terms.staleness ? 1 : clock > candidate.last ? clock - candidate.last : 0;
    if (size == 0 || staleness == 0) {
      infinite = &candidate;
    } else if (candidate.cost == 0) {
      if (zero == nullptr) zero = &candidate;
    } else {
      negatives = negatives || candidate.cost < 0;
      const score_key key =
          score_key_of(&format, magnitude(candidate.cost), candidate.cost < 0 ? 1 : 0, size, staleness);
      const int order = finite == nullptr ? -1 : score_compare(&key, &best);
      if (order > 0) continue;
      expected.tie = order == 0;
      finite = &candidate;
      best = key;
    }
  }
  expected.mixed = zero != nullptr && negatives;
  const Candidate* winner = zero != nullptr ? zero : finite != nullptr ? finite : infinite;
  if (winner == nullptr) return expected;
  expected.score_class = zero != nullptr     ? ScoreClass::kZero
                         : finite != nullptr ? ScoreClass::kFinite
                                             : ScoreClass::kInfinite;
  expected.tie = expected.tie && winner == finite;
  expected.slot = winner->slot;
  expected.differs = dtrmc::test::decide(pool, terms, clock).slot != expected.slot;
  return expected;
}

struct Seen {
  uint64_t zero = 0, infinite = 0, mixed = 0, ties = 0, negative = 0, differs = 0, full = 0;
};

class Session {
 public:
  Session(const std::string& name, uint64_t seed) : driver_(name), random_(seed) {}

  void run(uint64_t decisions) {
    while (decisions > 0) {
      start_pool();
      for (uint64_t left = 1 + below(8); left > 0 && decisions > 0; --left, --decisions) {
        change_pool();
        check();
      }
    }
  }
  const Seen& seen() const { return seen_; }

 private:
  uint64_t below(uint64_t limit) { return random_() % limit; }

  // Into the unit's widths.
  Candidate fit(Candidate candidate) {
    const auto& info = driver_.unit().info();
    if (info.cost_bits < 48) candidate.cost >>= 48 - info.cost_bits;
    if (info.size_bits < 40) candidate.size &= (uint64_t{1} << info.size_bits) - 1;
    if (info.time_bits < 48) candidate.last &= (uint64_t{1} << info.time_bits) - 1;
    return candidate;
  }

  // Beside one that is there: values that differ in their low bits alone, which is where approximation blurs.
  Candidate neighbour(const Candidate& of) {
    Candidate candidate = of;
    const auto nudge = [&](uint64_t value) {
      const uint64_t mask = uint64_t{0xFF} >> below(8);
      const uint64_t bits = value == 0 ? 0 : 64u - static_cast<unsigned>(__builtin_clzll(value));
      return bits < 20 ? value : value ^ ((random_() & mask) << below(bits - 8));
    };
    candidate.size = nudge(candidate.size);
    candidate.last = nudge(candidate.last);
    candidate.cost = candidate.cost < 0 ? -static_cast<int64_t>(nudge(magnitude(candidate.cost + 1)) & kCostMask) - 1
                                        : static_cast<int64_t>(nudge(magnitude(candidate.cost)) & kCostMask);
    return candidate;
  }
  static constexpr uint64_t kCostMask = (uint64_t{1} << 47) - 1;

  void insert(uint32_t slot) {
    if (driver_.holds(slot)) orders_.erase(driver_.at(slot).order);
    const std::vector<Candidate> present = driver_.candidates();
    Candidate candidate =
        !present.empty() && below(3) == 0 ? neighbour(present[below(present.size())]) : generator_.draw(random_);
    candidate = fit(candidate);
    candidate.slot = slot;
    candidate.order = next_order_;
    if (below(4) == 0) candidate.order = static_cast<uint32_t>(below(0x7000));
    while (!orders_.insert(candidate.order).second) ++candidate.order;
    next_order_ = candidate.order + 1;
    driver_.insert(candidate);
  }

  void remove(uint32_t slot) {
    if (driver_.holds(slot)) orders_.erase(driver_.at(slot).order);
    driver_.remove(slot);
  }

  void start_pool() {
    driver_.soft_reset();
    orders_.clear();
    next_order_ = 0;
    generator_ = PoolGenerator(random_);
    const bool whole = below(100) == 0;
    span_ = whole ? driver_.depth() : std::min<uint32_t>(driver_.depth(), 1 + static_cast<uint32_t>(below(24)));
    first_ = below(2) == 0 ? 0 : static_cast<uint32_t>(below(driver_.depth() - span_ + 1));
    for (uint32_t i = 0; i < span_; ++i) {
      if (whole || below(4) != 0) insert(first_ + i);
    }
  }

  void change_pool() {
    for (uint64_t changes = below(4); changes > 0; --changes) {
      const uint32_t slot = first_ + static_cast<uint32_t>(below(span_));
      if (below(4) == 0) {
        remove(slot);
      } else if (driver_.holds(slot) && below(2) == 0) {
        Candidate drawn = fit(generator_.draw(random_));
        driver_.update_cost(slot, drawn.cost);
      } else {
        insert(slot);
      }
    }
    clock_ = generator_.clock + (below(2) == 0 ? below(3) : 0);
    const uint32_t bits = driver_.unit().info().time_bits;
    clock_ &= (uint64_t{1} << bits) - 1;
    terms_ = {below(8) != 0, below(8) != 0};
    driver_.set_clock(clock_);
    driver_.set_terms(terms_);
  }

  void check() {
    const auto& info = driver_.unit().info();
    const Expected expected = decide(driver_.candidates(), terms_, clock_, info.format);
    const Result result = driver_.search();
    INFO(info.name << ", pool of " << driver_.candidates().size());
    REQUIRE(result.done());
    REQUIRE_FALSE(result.sat());
    REQUIRE_FALSE(result.near());
    REQUIRE(result.cycles == driver_.expected_cycles());
    REQUIRE(result.score_class() == expected.score_class);
    REQUIRE(result.empty() == (expected.score_class == ScoreClass::kNone));
    if (result.empty()) return;
    REQUIRE(result.slot() == expected.slot);
    REQUIRE(result.mixed() == expected.mixed);
    seen_.zero += expected.score_class == ScoreClass::kZero;
    seen_.infinite += expected.score_class == ScoreClass::kInfinite;
    seen_.mixed += expected.mixed;
    seen_.ties += expected.tie;
    seen_.differs += expected.differs;
    seen_.negative += expected.score_class == ScoreClass::kFinite && driver_.at(expected.slot).cost < 0;
    seen_.full += driver_.candidates().size() == driver_.depth();
  }

  UnitDriver driver_;
  std::mt19937_64 random_;
  PoolGenerator generator_{random_};
  std::set<uint32_t> orders_;
  uint32_t next_order_ = 0;
  uint32_t first_ = 0;
  uint32_t span_ = 1;
  uint64_t clock_ = 0;
  Terms terms_;
  Seen seen_;
};

/// `differing`: of 1,000 decisions, those at least in which exact numbers would choose another victim. Arithmetic that
/// never does would be exact arithmetic by another name; the finer its steps, the rarer it is.
void check(const std::string& name, uint64_t decisions, uint64_t seed, uint64_t differing = 10) {
  Session session(name, seed);
  session.run(decisions);
  const Seen& seen = session.seen();
  INFO(name);
  CHECK(seen.zero > decisions / 200);
  CHECK(seen.infinite > decisions / 200);
  CHECK(seen.mixed > decisions / 200);
  CHECK(seen.ties > decisions / 100);
  CHECK(seen.negative > decisions / 100);
  CHECK(seen.differs > (decisions < 1000 ? 0 : decisions * differing / 1000));
  if (decisions >= 1000) CHECK(seen.full > 0);
}

} // namespace

TEST_CASE("random decisions: log2-l4", "[rtl]") { check("log2-l4", DTRMC_DECISIONS / 4, 11); }
TEST_CASE("random decisions: mitchell-l4", "[rtl]") { check("mitchell-l4", DTRMC_DECISIONS / 4, 12); }
TEST_CASE("random decisions: fp24-l4", "[rtl]") { check("fp24-l4", DTRMC_DECISIONS / 4, 13); }
TEST_CASE("random decisions: formats at their ends", "[rtl]") {
  check("log2-steps-l2", DTRMC_DECISIONS / 16, 14);
  check("log2-fine-l1", DTRMC_DECISIONS / 16, 15);
  check("mitchell-narrow-l2", DTRMC_DECISIONS / 16, 16, 1); // of values cut to its widths, few quotients are close
  check("fp9-l1", DTRMC_DECISIONS / 32, 17);
  check("fp30-l8", DTRMC_DECISIONS / 32, 18);
}

TEST_CASE("what the instance says of its arithmetic", "[rtl]") {
  for (const auto& [name, arithmetic] :
       {std::pair("exact-l4", "exact"), std::pair("log2-l4", "log2"), std::pair("mitchell-l4", "mitchell"),
        std::pair("fp24-l4", "fp24"), std::pair("log2-steps-l2", "log2:8:256"), std::pair("fp30-l8", "fp30"),
        std::pair("mitchell-narrow-l2", "mitchell:22")}) {
    CHECK(dtrmc::unit::make_unit(name)->info().arithmetic == arithmetic);
  }
}

// Every leading bit position and every table segment, one candidate against its neighbour in value: the winner turns
// exactly where the model's keys do.
TEST_CASE("the ends of every segment", "[rtl]") {
  for (const char* name : {"log2-l4", "mitchell-l4", "fp24-l4"}) {
    UnitDriver driver(name);
    const score_format& format = driver.unit().info().format;
    driver.set_clock((uint64_t{1} << 48) - 1);
    uint64_t different = 0;
    for (unsigned bit = 0; bit < 40; ++bit) {
      for (uint64_t segment = 0; segment < 64; segment += bit % 3 + 1) {
        const uint64_t size = (uint64_t{1} << bit) + (segment << bit >> 6);
        if (size < 2 || size >> 40 != 0) continue;
        for (const uint64_t other : {size - 1, size + 1}) {
          if (other >> 40 != 0) continue;
          const std::vector<Candidate> pair = {{0, 1 << 20, size, 5, 1}, {5, 1 << 20, other, 5, 0}};
          for (const Candidate& candidate : pair) driver.insert(candidate);
          const Terms terms{true, bit % 2 == 0};
          driver.set_terms(terms);
          const Expected expected = decide(pair, terms, (uint64_t{1} << 48) - 1, format);
          REQUIRE(driver.search().slot() == expected.slot);
          different += expected.differs;
        }
      }
    }
    CHECK(different > 0);
  }
}
