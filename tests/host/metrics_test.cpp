// SPDX-License-Identifier: Apache-2.0
// The metrics beside the golden fields, against the same figures computed from the events and decisions of the run.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "host/sim/memory_series.h"
#include "host/sim/simulator.h"
#include "host/sim/tie_counter.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"

using namespace dtrmc;

namespace {

struct Watch : sim::DecisionObserver, sim::AllocationObserver, record::EventSink {
  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override {
    ties.on_decision(pool, victim, pinned, nesting);
    candidates += pool.size();
    most = std::max<std::uint64_t>(most, pool.size());
  }
  void on_enter(std::size_t, trace::TensorId, std::uint32_t) override {}
  void on_check(const sim::Allocation& check) override {
    series.on_check(check);
    if (check.shortfall == 0) steps.emplace_back(check.clock, check.use + check.request);
  }
  void on_event(const record::Event& event) override {
    if (event.kind == record::EventKind::kEvictEager || event.kind == record::EventKind::kEvictPolicy) {
      ++evictions[event.id];
    }
  }
  explicit Watch(std::size_t buckets) : series(buckets) {}

  sim::TieCounter ties;
  sim::MemorySeries series;
  std::uint64_t candidates = 0;
  std::uint64_t most = 0;

  std::map<trace::StorageId, std::uint32_t> evictions;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps; // clock, memory from then on
};

} // namespace

TEST_CASE("metrics of random runs equal what their events say") {
  std::size_t runs = 0;
  std::uint64_t exact = 0;
  std::uint64_t near = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    for (const test::GoldenRow& row : random.runs) {
      Watch watch(1 + runs % 9);
      sim::Settings settings;
      settings.heuristic = sim::parse_heuristic(row.heuristic);
      settings.runtime = sim::parse_runtime(row.runtime);
      settings.budget = row.budget;
      if (row.overhead_limit) settings.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
      settings.hashes = false;
      const sim::Result plain = sim::simulate(schedule, settings);
      settings.decisions = &watch;
      settings.allocations = &watch;
      settings.events = &watch;
      const sim::Result result = sim::simulate(schedule, settings);
      watch.series.finish(result.record.clock);
      INFO(test::describe(row));
      CHECK(test::differences(plain.record, result.record, true) == ""); // watching changes nothing
      CHECK(result.candidates == watch.candidates);
      CHECK(result.most_candidates == watch.most);
      std::map<std::uint32_t, std::uint32_t> histogram;
      for (const auto& [storage, times] : watch.evictions) ++histogram[times];
      CHECK(std::equal(histogram.begin(), histogram.end(), result.eviction_histogram.begin(),
                       result.eviction_histogram.end(),
                       [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
      const sim::TieCounter& ties = watch.ties;
      CHECK(ties.exact().decisions <= ties.near().decisions);
      CHECK(ties.exact().candidates <= ties.near().candidates);
      exact += ties.exact().decisions;
      near += ties.near().decisions;

      // Each bucket against the memory at every allocation and what is held across.
      const auto& buckets = watch.series.buckets();
      CHECK(buckets.size() <= 1 + runs % 9);
      std::uint64_t peak = 0;
      for (std::size_t i = 0; i < buckets.size(); ++i) {
        const std::uint64_t begin = 1 + i * watch.series.width();
        const std::uint64_t end = begin + watch.series.width();
        std::uint64_t least = 0;
        for (std::size_t k = 0; k < watch.steps.size(); ++k) {
          const std::uint64_t until = k + 1 < watch.steps.size() ? watch.steps[k + 1].first : result.record.clock;
          const bool runs_here = watch.steps[k].first < end && until > begin; // its time overlaps the bucket's
          const bool starts_here = watch.steps[k].first >= begin && watch.steps[k].first < end;
          if (runs_here || starts_here) least = std::max(least, watch.steps[k].second);
        }
        CHECK(buckets[i].memory >= least);
        peak = std::max(peak, buckets[i].memory);
      }
      if (result.record.status == record::Status::kOk) CHECK(peak == result.record.max_memory);
      std::uint64_t pinned = 0;
      for (const auto& bucket : buckets) pinned = std::max(pinned, bucket.pinned);
      CHECK(pinned == result.pinned_peak);
      ++runs;
    }
  });
  CHECK(exact > 100);
  CHECK(near >= exact);
}

TEST_CASE("a series in buckets of one nanosecond is the memory itself, and halves when the run outgrows it") {
  sim::MemorySeries series(4);
  const auto check = [&](std::uint64_t clock, std::uint64_t use, std::uint64_t request) {
    sim::Allocation a;
    a.clock = clock;
    a.use = use;
    a.request = request;
    series.on_check(a);
  };
  check(1, 0, 10); // held over clocks 1 and 2
  check(3, 5, 2);  // 7 over clock 3
  series.finish(4);
  REQUIRE(series.buckets().size() == 3);
  CHECK(series.width() == 1);
  CHECK(series.buckets()[0].memory == 10);
  CHECK(series.buckets()[1].memory == 10);
  CHECK(series.buckets()[2].memory == 7);
  check(9, 1, 2); // 7 until clock 8; now at clock 9
  series.finish(10);
  CHECK(series.width() == 4);
  REQUIRE(series.buckets().size() == 3);
  CHECK(series.buckets()[0].memory == 10);
  CHECK(series.buckets()[1].memory == 7);
  CHECK(series.buckets()[2].memory == 3);
}
