// SPDX-License-Identifier: Apache-2.0
// Logs and explanations on a hand-sized trace, where every allocation can be counted on paper.
#include <catch2/catch.hpp>

#include "host/explain/explanation.h"
#include "host/explain/explanation_json.h"
#include "host/explain/explanation_text.h"
#include "host/explain/parallel.h"
#include "host/explain/picture.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"

using namespace dtrmc;

namespace {

// a (100 bytes) -> b (60) -> c (60) -> d (60); then e from b, f from d. Operator i makes tensor i.
trace::Schedule chain() {
  trace::Schedule s;
  s.name = "chain";
  s.operator_names = {"f"};
  std::uint64_t end = 0;
  const auto make = [&](std::uint64_t size, std::uint64_t cost, const std::vector<trace::TensorId>& from,
                        bool constant) {
    const auto id = static_cast<std::uint32_t>(s.operators.size());
    s.operators.push_back(
        {cost, static_cast<std::uint32_t>(s.inputs.size()), static_cast<std::uint32_t>(from.size()), id, 1, 0, id + 1});
    s.inputs.insert(s.inputs.end(), from.begin(), from.end());
    s.tensors.push_back({id, id, -1});
    s.storages.push_back({size, id});
    s.steps.push_back({constant ? trace::StepKind::kConstant : trace::StepKind::kCompute, id});
    s.tensor_name_text += static_cast<char>('a' + id);
    s.tensor_name_end.push_back(++end);
    s.total_cost += cost;
  };
  make(100, 0, {}, true);
  make(60, 5, {0}, false);
  make(60, 7, {1}, false);
  make(60, 9, {2}, false);
  make(60, 4, {1}, false);
  make(60, 4, {3}, false);
  return s;
}

explain::Question question(std::uint64_t works, std::uint64_t fails) {
  explain::Question q;
  q.settings.heuristic = sim::parse_heuristic("dtr");
  q.works = works;
  q.fails = fails;
  q.jobs = 2;
  return q;
}

} // namespace

TEST_CASE("a log holds every allocation with what was in use before it") {
  const trace::Schedule schedule = chain();
  explain::RunLog log;
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic("dtr");
  settings.budget = 290;
  settings.events = &log;
  settings.allocations = &log;
  const sim::Result result = sim::simulate(schedule, settings);
  REQUIRE(result.record.status == record::Status::kOk);
  CHECK(log.decisions.size() == result.record.policy_evictions);
  // a, b, c, d fit: 280 bytes. e asks for 60 more: 50 short, and b is locked.
  const explain::Materialisation& e = log.materialisations[4];
  CHECK(e.use == 280);
  CHECK(e.request == 60);
  CHECK(e.shortfall == 50);
  CHECK(e.nesting == 1);
  CHECK(e.pinned == 160);
  CHECK(e.candidates == 2);
  CHECK(e.victim_count == 1);
  CHECK(e.after == 280);
  // Every use follows from the changes before it.
  std::uint64_t rebuilt = 0;
  for (const explain::Change& change : log.changes) {
    if (change.kind == explain::Change::kRuns) {
      CHECK(log.materialisations[change.id].after == rebuilt + log.materialisations[change.id].request);
      rebuilt += 60 + (change.id == 0 ? 40 : 0);
    } else {
      rebuilt -= schedule.storages[change.id].size;
    }
  }
}

TEST_CASE("a retained storage is never evicted by the heuristic") {
  const trace::Schedule schedule = chain();
  for (trace::StorageId kept = 1; kept < 6; ++kept) {
    explain::RunLog log;
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic("dtr");
    settings.budget = 290;
    settings.retained = {kept};
    settings.events = &log;
    settings.allocations = &log;
    sim::simulate(schedule, settings);
    for (const explain::Decision& d : log.decisions) CHECK(d.victim != kept);
  }
}

TEST_CASE("a failing run is explained: the request, the chain, the control") {
  const trace::Schedule schedule = chain();
  const sim::Topology topology(schedule);
  const explain::Question q = question(290, 215);
  const explain::Explanation e = explain::explain(schedule, topology, q);
  CHECK(e.works.result.record.status == record::Status::kOk);
  REQUIRE(e.fails.result.failure.has_value());
  const explain::Materialisation& last = e.fails.log.materialisations[e.failing_materialisation];
  CHECK(last.request == e.fails.result.failure->request);
  CHECK(last.nesting == e.fails.result.failure->depth);
  CHECK(e.chain.size() == last.nesting);
  CHECK(e.chain.back().materialisation == e.failing_materialisation);
  REQUIRE(!e.trials.empty());
  CHECK(e.trials.front().same_as_run);
  CHECK(e.trials.front().result.record.status == record::Status::kOom);
  // The same question gives the same answer, whatever the number of jobs.
  explain::Question alone = q;
  alone.jobs = 1;
  const explain::Explanation again = explain::explain(schedule, topology, alone);
  CHECK(explain::to_json(schedule, q, e).dump() == explain::to_json(schedule, alone, again).dump());
  CHECK(explain::to_text(schedule, e) == explain::to_text(schedule, again));
  CHECK(explain::to_svg(schedule, e) == explain::to_svg(schedule, again));
}

TEST_CASE("where both complete, the difference of their costs is explained") {
  const trace::Schedule schedule = chain();
  const sim::Topology topology(schedule);
  // 290 bytes: enough for all but one; 220: b is gone when e reads it, d when f does.
  const explain::Question q = question(290, 230);
  const explain::Explanation e = explain::explain(schedule, topology, q);
  REQUIRE(e.kind == explain::Kind::kCost);
  std::uint64_t works = 0;
  std::uint64_t fails = 0;
  std::int64_t most = 0;
  for (const explain::StepCost& c : e.step_costs) {
    works += c.works;
    fails += c.fails;
    const auto more = static_cast<std::int64_t>(c.fails) - static_cast<std::int64_t>(c.works);
    most = std::max(most, more);
    if (c.step == e.failing_step) CHECK(more >= most);
  }
  CHECK(works == e.works.result.record.remat_compute);
  CHECK(fails == e.fails.result.record.remat_compute);
  CHECK(most > 0);
  REQUIRE(!e.suspects.empty());
  CHECK(e.suspects.front().why == explain::Why::kMissing);
  CHECK(e.chain.front().materialisation == e.fails.log.first_of(e.failing_step));
  std::size_t controls = 0;
  for (const explain::Trial& t : e.trials) {
    if (t.name == "control" && !t.retained) {
      CHECK(t.same_as_run);
      ++controls;
    }
  }
  CHECK(controls == 2);
  explain::Question alone = q;
  alone.jobs = 1;
  const explain::Explanation again = explain::explain(schedule, topology, alone);
  CHECK(explain::to_json(schedule, q, e).dump() == explain::to_json(schedule, alone, again).dump());
  CHECK(explain::to_text(schedule, e) == explain::to_text(schedule, again));
  CHECK(explain::to_svg(schedule, e) == explain::to_svg(schedule, again));
}

TEST_CASE("what is said of the first victim holds in the other run's events") {
  std::size_t kept = 0;
  std::size_t moved = 0;
  std::size_t index = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    if (index++ % 2 != 0) return;
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    const sim::Topology topology(schedule);
    const std::uint64_t peak = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager);
    for (std::uint64_t part = 4; part < 12; ++part) {
      explain::Question q = question(peak * (part + 2) / 14, peak * part / 14);
      q.settings.remat_limit = sim::remat_limit(schedule, 8);
      q.suspects = 20;
      q.jobs = 1;
      explain::Explanation e;
      try {
        e = explain::explain(schedule, topology, q);
      } catch (const explain::NoQuestion&) {
        continue;
      }
      for (const explain::Suspect& s : e.suspects) {
        if (s.why != explain::Why::kFirstVictim && s.why != explain::Why::kFirstMoved) continue;
        const explain::RunLog& log = e.works.log;
        std::size_t evictions = 0; // by the other run, after what both share
        for (std::size_t i = e.equal_decisions; i < log.decisions.size(); ++i) {
          if (log.decisions[i].victim != s.storage) continue;
          if (log.materialisations[log.decisions[i].by].step < e.failing_step) ++evictions;
        }
        INFO(schedule.name << " part " << part);
        CHECK(e.fails.log.decisions[e.equal_decisions].victim == s.storage);
        CHECK((s.why == explain::Why::kFirstMoved) == (evictions > 0));
        CHECK(s.works_first_evicted.has_value() == (evictions > 0));
        ++(evictions > 0 ? moved : kept);
      }
    }
  });
  CHECK(kept > 10);
  CHECK(moved > 10);
}

TEST_CASE("there is nothing to explain where both complete at about one cost, or neither does") {
  const trace::Schedule schedule = chain();
  const sim::Topology topology(schedule);
  CHECK_THROWS_AS(explain::explain(schedule, topology, question(290, 300)), explain::NoQuestion);
  CHECK_THROWS_AS(explain::explain(schedule, topology, question(215, 215)), explain::NoQuestion);
  CHECK_THROWS_WITH(explain::explain(schedule, topology, question(230, 290)), Catch::Contains("other way round"));
}

TEST_CASE("work in parallel is done once each, and its first failure arrives") {
  std::vector<int> done(100);
  explain::in_parallel(done.size(), 4, [&](std::size_t i) { ++done[i]; });
  CHECK(done == std::vector<int>(100, 1));
  CHECK_THROWS_AS(explain::in_parallel(5, 3,
                                       [](std::size_t i) {
                                         if (i == 2) throw explain::NoQuestion("no");
                                       }),
                  explain::NoQuestion);
  explain::in_parallel(0, 4, [](std::size_t) { FAIL("called"); });
}
