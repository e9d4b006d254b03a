// SPDX-License-Identifier: Apache-2.0
// The victim rules against their definitions, decision by decision on random traces; copies of runs in the middle;
// names and parameters.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "host/sim/policies.h"
#include "host/sim/quotient.h"
#include "host/sim/simulator.h"
#include "host/sim/tie_counter.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"

using namespace dtrmc;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double quotient(const sim::Candidate& c, bool with_size) {
  const sim::UInt128 denominator = static_cast<sim::UInt128>(with_size ? *c.size : 1) * *c.staleness;
  return denominator == 0 ? kInfinity : sim::rounded_quotient(c.cost, denominator);
}

// Looks at every decision from outside and finds the victim anew.
class Judge : public sim::DecisionObserver, public sim::AllocationObserver, public record::EventSink {
 public:
  Judge(std::string rule, std::size_t storages) : rule_(std::move(rule)), evictions_(storages) {}

  void on_enter(std::size_t, trace::TensorId, std::uint32_t) override {}
  void on_check(const sim::Allocation& check) override { shortfall_ = check.shortfall; }
  void on_event(const record::Event& event) override {
    if (event.kind == record::EventKind::kEvictEager || event.kind == record::EventKind::kEvictPolicy) {
      ++evictions_[event.id];
    }
  }
  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t,
                   std::uint32_t nesting) override {
    ++decisions;
    if (expected(pool) != victim) ++wrong;
    counter.on_decision(pool, victim, 0, nesting);
    std::vector<double> scores;
    for (const sim::Candidate& c : considered(pool)) scores.push_back(score(c));
    const double best = *std::min_element(scores.begin(), scores.end());
    const auto tied = [&](double bound) {
      return static_cast<std::size_t>(
                 std::count_if(scores.begin(), scores.end(), [&](double h) { return h == best || h <= bound; })) -
             1;
    };
    exact += tied(best);
    near += tied(best + 1e-6 * best);
    exact_decisions += tied(best) > 0 ? 1 : 0;
    if (last_minimum(pool, [](const auto& c) { return quotient(c, true); }) != victim) ++unlike_dtr;
  }

  std::size_t decisions = 0;
  std::size_t wrong = 0;
  std::size_t unlike_dtr = 0;
  sim::TieCounter counter;
  std::size_t exact = 0; // candidates beside one of the smallest score
  std::size_t near = 0;
  std::size_t exact_decisions = 0;

 private:
  double score(const sim::Candidate& c) const {
    if (rule_ == "thrash-pen") return quotient(c, true) * (1.0 + evictions_[c.storage]);
    return quotient(c, rule_ == "tie-aware");
  }

  template <typename Score>
  static trace::StorageId last_minimum(const std::vector<sim::Candidate>& pool, Score score) {
    double best = kInfinity;
    trace::StorageId victim = pool.front().storage;
    for (const sim::Candidate& c : pool) {
      const double h = score(c);
      if (h <= best) {
        best = h;
        victim = c.storage;
      }
      if (h == 0) break;
    }
    return victim;
  }

  trace::StorageId expected(std::vector<sim::Candidate> pool) const {
    if (rule_ == "cost-stale") {
      return last_minimum(pool, [](const auto& c) { return quotient(c, false); });
    }
    if (rule_ == "thrash-pen") {
      return last_minimum(pool, [&](const auto& c) { return quotient(c, true) * (1.0 + evictions_[c.storage]); });
    }
    if (rule_ == "tie-aware") {
      double best = kInfinity;
      for (const auto& c : pool) best = std::min(best, quotient(c, true));
      pool.erase(std::remove_if(pool.begin(), pool.end(),
                                [&](const auto& c) { return quotient(c, true) > best * (1 + 1e-6); }),
                 pool.end());
      return std::min_element(pool.begin(), pool.end(), larger_then_older)->storage;
    }
    const std::vector<sim::Candidate> fitting = considered(std::move(pool)); // two-phase:2
    return std::min_element(fitting.begin(), fitting.end(),
                            [](const auto& a, const auto& b) {
                              const double of_a = quotient(a, false);
                              const double of_b = quotient(b, false);
                              return of_a != of_b ? of_a < of_b : larger_then_older(a, b);
                            })
        ->storage;
  }

  std::vector<sim::Candidate> considered(std::vector<sim::Candidate> pool) const {
    if (rule_ != "two-phase:2") return pool;
    std::vector<sim::Candidate> fitting;
    for (const auto& c : pool) {
      if (*c.size >= std::max<std::uint64_t>(shortfall_, 1)) fitting.push_back(c);
    }
    if (fitting.empty()) {
      std::sort(pool.begin(), pool.end(), larger_then_older);
      fitting.assign(pool.begin(),
                     pool.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(pool.size())));
    }
    return fitting;
  }

  static bool larger_then_older(const sim::Candidate& a, const sim::Candidate& b) {
    return *a.size != *b.size ? *a.size > *b.size : a.storage < b.storage;
  }

  std::string rule_;
  std::uint64_t shortfall_ = 0;
  std::vector<std::uint32_t> evictions_;
};

void for_each_trace(std::size_t part, const std::function<void(const trace::Schedule&, std::uint64_t)>& visit) {
  std::size_t index = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    if (index++ % part != 0) return;
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    visit(schedule, sim::unlimited_peak(schedule, sim::Runtime::kV2Eager));
  });
}

} // namespace

TEST_CASE("every decision of a rule is the one that its definition names") {
  for (const char* name : {"cost-stale", "thrash-pen", "tie-aware", "two-phase:2"}) {
    std::size_t decisions = 0;
    std::size_t unlike_dtr = 0;
    std::size_t ties = 0;
    for_each_trace(2, [&](const trace::Schedule& schedule, std::uint64_t peak) {
      for (const std::uint64_t part : {6, 8, 10, 12}) {
        sim::Settings settings;
        settings.heuristic = sim::parse_heuristic(name);
        settings.budget = peak * part / 14;
        settings.remat_limit = sim::remat_limit(schedule, 8);
        Judge judge(name, schedule.storages.size());
        settings.decisions = &judge;
        settings.allocations = &judge;
        settings.events = &judge;
        sim::simulate(schedule, settings);
        INFO(name << " " << schedule.name << " budget " << settings.budget);
        CHECK(judge.wrong == 0);
        decisions += judge.decisions;
        unlike_dtr += judge.unlike_dtr;
        CHECK(judge.counter.exact().candidates == judge.exact);
        CHECK(judge.counter.exact().decisions == judge.exact_decisions);
        CHECK(judge.counter.near().candidates == judge.near);
        ties += judge.exact_decisions;
      }
    });
    INFO(name);
    CHECK(decisions > 1000);
    CHECK(unlike_dtr > 20); // the rule is not dtr by another name
    CHECK(ties > 10);
  }
}

namespace {

// Every decision of any rule that scores.
struct Shown : sim::DecisionObserver {
  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override {
    ties.on_decision(pool, victim, pinned, nesting);
    double best = kInfinity;
    std::optional<double> chosen;
    for (const sim::Candidate& c : pool) {
      best = std::min(best, c.rule_score.value_or(kInfinity));
      if (!c.rule_score) ++left_out;
      if (c.storage == victim) chosen = c.rule_score;
    }
    if (!chosen || *chosen > best * (1 + 1e-6)) ++wrong;
  }
  sim::TieCounter ties;
  std::size_t wrong = 0;
  std::size_t left_out = 0;
};

} // namespace

TEST_CASE("the victim of a rule has the smallest of the scores that the rule shows") {
  std::map<std::string, std::size_t> left_out;
  std::map<std::string, std::vector<std::uint64_t>> ties;
  for_each_trace(4, [&](const trace::Schedule& schedule, std::uint64_t peak) {
    for (const char* name : {"cost-stale", "thrash-pen", "tie-aware", "two-phase:2", "he-star", "nbhd-penalty:0.25",
                             "nbhd-penalty:0", "t-control:0.9", "dtr"}) {
      Shown shown;
      sim::Settings settings;
      settings.heuristic = sim::parse_heuristic(name);
      settings.budget = peak * 4 / 7;
      settings.remat_limit = sim::remat_limit(schedule, 8);
      settings.decisions = &shown;
      sim::simulate(schedule, settings);
      INFO(name << " " << schedule.name);
      if (std::string(name) != "dtr") CHECK(shown.wrong == 0);
      left_out[name] += shown.left_out;
      ties[name].push_back(shown.ties.exact().candidates);
      ties[name].push_back(shown.ties.near().decisions);
    }
  });
  CHECK(left_out["two-phase:2"] > 100);
  CHECK(left_out["t-control:0.9"] > 100);
  CHECK(left_out["nbhd-penalty:0.25"] == 0);
  CHECK(ties["nbhd-penalty:0"] == ties["dtr"]); // the same scores
  CHECK(ties["he-star"] != ties["dtr"]);
}

TEST_CASE("random repeats with its seed, differs with another, and chooses evenly") {
  std::size_t differ = 0;
  std::size_t runs = 0;
  for_each_trace(4, [&](const trace::Schedule& schedule, std::uint64_t peak) {
    sim::Settings settings;
    settings.budget = peak * 2 / 3;
    settings.remat_limit = sim::remat_limit(schedule, 4);
    std::set<std::string> outcomes;
    for (const char* name : {"random:1", "random:1", "random:2", "RandomStorage:1"}) {
      settings.heuristic = sim::parse_heuristic(name);
      outcomes.insert(sim::simulate(schedule, settings).record.all_sha256);
    }
    CHECK(outcomes.size() <= 2);
    differ += outcomes.size() == 2 ? 1 : 0;
    ++runs;
  });
  CHECK(differ > runs / 4);

  // One decision among three equal storages, with many seeds.
  const trace::Schedule s =
      trace::parse_text(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})"
                        "\n"
                        R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["a","b","c"],"TIME":"1"})"
                        "\n"
                        R"({"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":"8"})"
                        "\n"
                        R"({"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":"-1"})"
                        "\n"
                        R"({"INSTRUCTION":"MEMORY","NAME":"b","MEMORY":"8"})"
                        "\n"
                        R"({"INSTRUCTION":"ALIAS","NAME":"b","ALIAS":"-1"})"
                        "\n"
                        R"({"INSTRUCTION":"MEMORY","NAME":"c","MEMORY":"8"})"
                        "\n"
                        R"({"INSTRUCTION":"ALIAS","NAME":"c","ALIAS":"-1"})"
                        "\n"
                        R"({"INSTRUCTION":"CALL","NAME":"g","ARGS":[],"RESULT":["d"],"TIME":"1"})"
                        "\n"
                        R"({"INSTRUCTION":"MEMORY","NAME":"d","MEMORY":"8"})"
                        "\n"
                        R"({"INSTRUCTION":"ALIAS","NAME":"d","ALIAS":"-1"})"
                        "\n",
                        "even.log");
  struct First : record::EventSink {
    std::optional<trace::StorageId> victim;
    void on_event(const record::Event& event) override {
      if (event.kind == record::EventKind::kEvictPolicy && !victim) victim = event.id;
    }
  };
  std::vector<int> chosen(3);
  for (int seed = 0; seed < 3000; ++seed) {
    First first;
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic("random:" + std::to_string(seed));
    settings.budget = 24;
    settings.remat_limit = 4;
    settings.events = &first;
    sim::simulate(s, settings);
    REQUIRE(first.victim.has_value());
    ++chosen.at(*first.victim);
  }
  for (const int count : chosen) CHECK((count > 900 && count < 1100));
}

TEST_CASE("names and parameters: what is refused says how to write it") {
  CHECK(sim::parse_heuristic("nbhd-penalty").name == "nbhd-penalty:0.25");
  CHECK(sim::parse_heuristic("nbhd-penalty:1e-3").factor == 1e-3);
  CHECK(sim::parse_heuristic("two-phase:3").number == 3);
  CHECK(sim::parse_heuristic("two-phase").reads_budget);
  CHECK(sim::parse_heuristic("t-control").reads_budget);
  CHECK_FALSE(sim::parse_heuristic("tie-aware").reads_budget);
  CHECK(sim::parse_heuristic("random:18446744073709551615").number == UINT64_MAX);
  for (const char* wrong : {"random", "random:", "random:-1", "random:18446744073709551616",
                            "nbhd-penalty:", "two-phase:0", "nbhd-penalty:-1", "nbhd-penalty:nan", "nbhd-penalty:inf",
                            "nbhd-penalty:1x", "he-star:1", "two-phase:1.5", "dtr:1", "nbhd-penalty(0.25)"}) {
    INFO(wrong);
    CHECK_THROWS_AS(sim::parse_heuristic(wrong), std::invalid_argument);
  }
  for (const std::string& name : sim::heuristic_names()) CHECK(sim::parse_heuristic(name).name == name);
  CHECK_THROWS_AS(sim::require_supported(sim::parse_heuristic("he-star"), sim::Runtime::kV1), std::invalid_argument);
  CHECK_NOTHROW(sim::require_supported(sim::parse_heuristic("random:1"), sim::Runtime::kV1));
}
