// SPDX-License-Identifier: Apache-2.0
// Runs under approximate arithmetic and coarse ticks, decision by decision on random traces against the rule's text;
// and what an audit says of them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>

#include "host/sim/choice_audit.h"
#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"

using namespace dtrmc;

namespace {

// Finds the victim anew: zero scores first unless a negative one stands before; then keys; infinity last.
class Judge : public sim::DecisionObserver {
 public:
  Judge(const arithmetic::Format& format, std::uint64_t tick, bool lru) : format_(format), tick_(tick), lru_(lru) {}

  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t,
                   std::uint32_t) override {
    ++decisions;
    std::size_t end = 0; // the scan stops behind the first zero
    while (end < pool.size() && !(denominator(pool[end]) && pool[end].cost == 0)) ++end;
    zeros += end < pool.size();
    const sim::Candidate* best = nullptr;
    for (std::size_t i = 0; i < std::min(end + 1, pool.size()); ++i) {
      if (best == nullptr || !above(pool[i], *best)) best = &pool[i];
    }
    wrong += best->storage != victim;
  }

  std::size_t decisions = 0;
  std::size_t wrong = 0;
  std::size_t zeros = 0;

 private:
  std::uint64_t staleness(const sim::Candidate& c) const {
    return c.staleness ? c.clock / tick_ - c.last_access / tick_ : 1;
  }
  bool denominator(const sim::Candidate& c) const { return c.size.value_or(1) != 0 && staleness(c) != 0; }
  // h of a > h of b
  bool above(const sim::Candidate& a, const sim::Candidate& b) const {
    if (!denominator(a) || !denominator(b)) return !denominator(a) && denominator(b);
    if (a.cost == 0 || b.cost == 0) return a.cost > b.cost;
    const score_key left = key(a);
    const score_key right = key(b);
    return score_compare(&left, &right) > 0;
  }
  score_key key(const sim::Candidate& c) const {
    if (lru_) REQUIRE(c.cost == static_cast<sim::Int128>(c.last_access / tick_));
    const bool negative = c.cost < 0;
    return score_key_of(&format_, static_cast<std::uint64_t>(negative ? -c.cost : c.cost), negative ? 1 : 0,
                        c.size.value_or(1), staleness(c));
  }

  arithmetic::Format format_;
  std::uint64_t tick_;
  bool lru_;
};

} // namespace

TEST_CASE("every decision is the rule's") {
  std::map<std::string, std::size_t> decisions;
  std::size_t zeros = 0;
  std::size_t turn = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    const std::uint64_t peak = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager);
    for (const char* heuristic : {"dtr-eq", "dtr", "lru", "size", "ab-eq", "dtr-unopt"}) {
      const char* const name = std::array{"log2", "mitchell:2", "fp12", "log2:6:4"}[turn % 4];
      const std::uint64_t tick = std::array<std::uint64_t, 3>{1, 10, 1000}[turn / 4 % 3];
      ++turn;
      sim::Settings settings;
      settings.heuristic = sim::parse_heuristic(heuristic);
      if (settings.heuristic.cost == sim::CostMetric::kFreshRegion) settings.runtime = sim::Runtime::kV1;
      settings.arithmetic = arithmetic::parse(name);
      settings.tick_ns = tick;
      settings.budget = peak / 2;
      settings.remat_limit = sim::remat_limit(schedule, 5);
      Judge judge(settings.arithmetic, tick, settings.heuristic.cost == sim::CostMetric::kLastAccess);
      settings.decisions = &judge;
      sim::simulate(schedule, settings);
      INFO(random.id << ' ' << heuristic << ' ' << name << ' ' << tick);
      CHECK(judge.wrong == 0);
      decisions[heuristic] += judge.decisions;
      zeros += judge.zeros;
    }
  });
  for (const auto& [heuristic, count] : decisions) {
    INFO(heuristic);
    CHECK(count > 100);
  }
  CHECK(zeros > 50);
}

TEST_CASE("an audit counts where an arithmetic leaves the exact choice") {
  std::uint64_t other = 0;
  std::uint64_t decisions = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic("dtr");
    settings.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) / 2;
    settings.remat_limit = sim::remat_limit(schedule, 5);
    const auto judged = [](const char* name, std::uint64_t tick) {
      sim::ChoiceAudit::Judged out;
      out.arithmetic = arithmetic::parse(name);
      out.tick_ns = tick;
      return out;
    };
    sim::ChoiceAudit audit({judged("exact", 1), judged("mitchell:1", 1), judged("exact", 100)});
    settings.decisions = &audit;
    const sim::Result exact = sim::simulate(schedule, settings);
    CHECK(audit.decisions() == exact.record.policy_evictions);
    CHECK(audit.judged()[0].other == 0);
    CHECK(audit.judged()[0].regret_max == 0);
    for (const sim::ChoiceAudit::Judged& j : audit.judged()) {
      CHECK(j.regret_sum >= 0);
      CHECK(j.regret_max <= j.regret_sum);
      CHECK(j.unbounded <= j.other);
    }
    other += audit.judged()[1].other;
    decisions += audit.decisions();
    // No difference at any decision of the exact run: then the other arithmetic's run is the same.
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (audit.judged()[i].other != 0) continue;
      sim::Settings own = settings;
      own.decisions = nullptr;
      own.arithmetic = audit.judged()[i].arithmetic;
      own.tick_ns = audit.judged()[i].tick_ns;
      CHECK(sim::simulate(schedule, own).record.all_sha256 == exact.record.all_sha256);
    }
  });
  CHECK(other > 0);
  CHECK(other < decisions);
}

TEST_CASE("rules of their own know exact arithmetic alone") {
  const trace::Schedule schedule =
      trace::parse_text("{\"INSTRUCTION\":\"ANNOTATE\",\"ANNOTATION\":\"START\"}\n", "t.log");
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic("he-star");
  settings.arithmetic = arithmetic::parse("fp24");
  CHECK_THROWS_AS(sim::simulate(schedule, settings), std::invalid_argument);
}
