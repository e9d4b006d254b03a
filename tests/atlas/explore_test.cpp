// SPDX-License-Identifier: Apache-2.0
// The atlas against brute force: every budget of a range run singly must agree with the interval that holds it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/atlas/explore.h"
#include "host/atlas/floor.h"
#include "host/atlas/interval_json.h"
#include "host/atlas/summary.h"
#include "host/record/sha256.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

// All events of a run, in one number that two different runs do not share.
class EventHash : public record::EventSink {
 public:
  void on_event(const record::Event& event) override {
    hash_.update(std::to_string(static_cast<int>(event.kind)) + " " + std::to_string(event.id) + " " +
                 std::to_string(event.clock) + "\n");
  }
  std::string hex() { return hash_.hex(); }

 private:
  record::Sha256 hash_;
};

struct Case {
  trace::Schedule schedule;
  sim::Topology topology;
  sim::Settings settings;
  Case(trace::Schedule s, const std::string& heuristic, sim::Runtime runtime, double limit)
      : schedule(std::move(s)), topology(schedule) {
    settings.heuristic = sim::parse_heuristic(heuristic);
    settings.runtime = runtime;
    settings.remat_limit = sim::remat_limit(schedule, limit);
  }
  sim::Result at(std::uint64_t budget, record::EventSink* events = nullptr) const {
    sim::Settings own = settings;
    own.budget = budget;
    own.events = events;
    return sim::simulate(schedule, topology, own);
  }
  std::string events_at(std::uint64_t budget) const {
    EventHash hash;
    at(budget, &hash);
    return hash.hex();
  }
  std::uint64_t peak() const { return sim::unlimited_peak(schedule, settings.runtime); }
  std::vector<atlas::Interval> map(std::uint64_t from, std::uint64_t to, const atlas::Limits& limits) const {
    std::vector<atlas::Interval> all;
    atlas::explore(schedule, topology, settings, from, to, limits, [&](const atlas::Interval& i) { all.push_back(i); });
    return all;
  }
};

// "" where every field of a run is the same.
std::string different(const sim::Result& a, const sim::Result& b, std::uint64_t budget) {
  std::string out = test::differences(a.record, b.record, true);
  if (a.pinned_peak != b.pinned_peak) out += "pinned_peak; ";
  if (a.depth_at_pinned_peak != b.depth_at_pinned_peak) out += "depth_at_pinned_peak; ";
  if (a.max_nesting != b.max_nesting) out += "max_nesting; ";
  if (a.simrd_defined != b.simrd_defined) out += "simrd_defined; ";
  if (a.failure.has_value() != b.failure.has_value()) return out + "failure; ";
  if (a.failure) {
    if (a.failure->request != b.failure->request || a.failure->pinned != b.failure->pinned ||
        a.failure->depth != b.failure->depth || a.failure->op != b.failure->op) {
      out += "failure; ";
    }
    if (b.failure->over_by != b.failure->pinned + b.failure->request - budget) out += "over_by; ";
  }
  return out;
}

// The intervals are [from, to] without gap, ascending.
void check_cover(const std::vector<atlas::Interval>& map, std::uint64_t from, std::uint64_t to) {
  REQUIRE(!map.empty());
  CHECK(map.front().lo == from);
  CHECK(map.back().hi == to);
  for (std::size_t i = 0; i < map.size(); ++i) {
    CHECK(map[i].lo <= map[i].hi);
    if (i > 0) CHECK(map[i].lo == map[i - 1].hi + 1);
  }
}

// Every single budget. Returns how many were run.
std::size_t check_every_budget(const Case& c, std::uint64_t from, std::uint64_t to, const atlas::Limits& limits) {
  const std::vector<atlas::Interval> map = c.map(from, to, limits);
  check_cover(map, from, to);
  std::size_t runs = 0;
  std::string events_below;
  for (const atlas::Interval& interval : map) {
    std::string events;
    for (std::uint64_t budget = interval.lo; budget <= interval.hi; ++budget, ++runs) {
      INFO(c.schedule.name << " " << c.settings.heuristic.name << " budget " << budget);
      EventHash hash;
      const sim::Result alone = c.at(budget, &hash);
      CHECK(different(interval.result, alone, budget) == "");
      const std::string hex = hash.hex();
      if (events.empty()) events = hex;
      CHECK(events == hex);
    }
    // No cut without a reason: the next byte of budget takes another run.
    INFO(c.schedule.name << " " << c.settings.heuristic.name << " cut below " << interval.lo);
    CHECK(events != events_below);
    events_below = events;
  }
  return runs;
}

bool knows(const std::string& heuristic, sim::Runtime runtime) {
  try {
    const sim::Heuristic h = sim::parse_heuristic(heuristic);
    sim::require_supported(h, runtime);
    return !h.reads_budget; // no intervals
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// By the intricate method; the plain one is compared with it below, and what chooses between them.
const atlas::Limits kPlain{1, 256, atlas::Method::kReconverge};
const atlas::Limits kTight{3, 2, atlas::Method::kReconverge}; // several threads, nearly every snapshot dropped
const atlas::Limits kChosen{2, 8, atlas::Method::kAuto};

// A chain of eight operators whose sizes differ, then each of its tensors is read again from the end.
std::string chain() {
  using Json = nlohmann::json;
  std::string text = Json{{"INSTRUCTION", "ANNOTATE"}, {"ANNOTATION", "START"}}.dump() + "\n";
  const auto line = [&](const Json& j) { text += j.dump() + "\n"; };
  const auto call = [&](const std::string& name, const Json& args, int size, int time) {
    line({{"INSTRUCTION", "CALL"}, {"NAME", "op"}, {"ARGS", args}, {"RESULT", {name}}, {"TIME", std::to_string(time)}});
    line({{"INSTRUCTION", "MEMORY"}, {"NAME", name}, {"MEMORY", std::to_string(size)}});
    line({{"INSTRUCTION", "ALIAS"}, {"NAME", name}, {"ALIAS", "-1"}});
  };
  line({{"INSTRUCTION", "CONSTANT"}, {"NAME", "c"}});
  line({{"INSTRUCTION", "MEMORY"}, {"NAME", "c"}, {"MEMORY", "5"}});
  std::string before = "c";
  const int sizes[] = {11, 7, 13, 3, 17, 2, 19, 23};
  for (int i = 0; i < 8; ++i) {
    const std::string name = "x" + std::to_string(i);
    call(name, {before}, sizes[i], 10 + 3 * i);
    before = name;
  }
  std::string gradient = before;
  for (int i = 7; i >= 0; --i) {
    const std::string name = "g" + std::to_string(i);
    call(name, {"x" + std::to_string(i), gradient}, sizes[i] + 1, 20);
    if (gradient[0] == 'g') line({{"INSTRUCTION", "RELEASE"}, {"NAME", gradient}});
    line({{"INSTRUCTION", "RELEASE"}, {"NAME", "x" + std::to_string(i)}});
    gradient = name;
  }
  return text;
}

} // namespace

TEST_CASE("a hand-made chain: every budget from 0 beyond the peak, all heuristics and runtimes") {
  std::size_t maps = 0;
  for (const sim::Runtime runtime : {sim::Runtime::kV2Eager, sim::Runtime::kV2, sim::Runtime::kV1}) {
    for (const std::string& heuristic : sim::heuristic_names()) {
      if (!knows(heuristic, runtime)) continue;
      const Case c(trace::parse_text(chain(), "chain.log"), heuristic, runtime, 4.0);
      const std::uint64_t peak = c.peak();
      REQUIRE(peak > 60);
      check_every_budget(c, 0, peak + 3, maps % 3 == 0 ? kPlain : maps % 3 == 1 ? kTight : kChosen);
      // Above the peak nothing is ever evicted: one interval.
      const auto top = c.map(peak, peak + 1000, kPlain);
      CHECK(top.size() == 1);
      CHECK(top.front().result.record.policy_evictions == 0);
      ++maps;
    }
  }
  CHECK(maps > 20);
}

TEST_CASE("random traces: every budget") {
  std::size_t runs = 0;
  std::size_t index = 0;
  std::vector<std::string> heuristics = sim::heuristic_names();
  heuristics.erase(std::remove_if(heuristics.begin(), heuristics.end(),
                                  [](const auto& name) { return sim::parse_heuristic(name).reads_budget; }),
                   heuristics.end());
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    ++index;
    if (index % 5 > 1) return;
    const std::size_t taken = index / 5 * 2 + index % 5;
    trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    const std::string heuristic = heuristics[taken % heuristics.size()];
    const auto runtime = static_cast<sim::Runtime>(taken / heuristics.size() % 3);
    if (!knows(heuristic, runtime)) return;
    const Case c(std::move(schedule), heuristic, runtime, 6.0);
    const std::uint64_t peak = c.peak();
    if (peak > 600) return;
    const atlas::Limits* const limits[] = {&kPlain, &kTight, &kChosen};
    runs += check_every_budget(c, peak / 4, peak + 1, *limits[taken % 3]);
  });
  CHECK(runs > 20000);
}

TEST_CASE("random traces of realistic sizes: the ends of every interval, budgets inside, and the byte outside") {
  std::mt19937_64 draw(7);
  std::size_t intervals = 0;
  std::size_t wide = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    const test::GoldenRow& row = random.runs.front();
    const Case c(std::move(schedule), row.heuristic, sim::parse_runtime(row.runtime), 6.0);
    const std::uint64_t peak = c.peak();
    if (peak < 100000) return;
    const auto map = c.map(peak / 3, peak, kTight);
    check_cover(map, peak / 3, peak);
    for (const atlas::Interval& interval : map) {
      const std::uint64_t inside = interval.lo + draw() % (interval.hi - interval.lo + 1);
      for (const std::uint64_t budget : {interval.lo, inside, interval.hi}) {
        INFO(c.schedule.name << " " << c.settings.heuristic.name << " budget " << budget);
        CHECK(different(interval.result, c.at(budget), budget) == "");
      }
      if (interval.hi < peak) CHECK(c.events_at(interval.hi) != c.events_at(interval.hi + 1));
      ++intervals;
      if (interval.hi > interval.lo) ++wide;
    }
  });
  CHECK(intervals > 1000);
  CHECK(wide > 500);
}

namespace {

std::vector<std::string> lines_of(const Case& c, std::uint64_t from, std::uint64_t to, const atlas::Limits& limits) {
  std::vector<std::string> out;
  for (const atlas::Interval& i : c.map(from, to, limits)) {
    out.push_back(atlas::to_json_line(i, c.schedule.total_cost));
    for (const auto& [times, storages] : i.result.eviction_histogram) {
      out.back() += " " + std::to_string(times) + ":" + std::to_string(storages);
    }
    out.back() += " " + std::to_string(i.result.candidates) + " " + std::to_string(i.result.most_candidates);
  }
  return out;
}

} // namespace

TEST_CASE("random traces, all heuristics and runtimes: all methods write the same") {
  std::vector<std::pair<sim::Runtime, std::string>> pairs;
  for (const sim::Runtime runtime : {sim::Runtime::kV2Eager, sim::Runtime::kV2, sim::Runtime::kV1}) {
    for (const std::string& heuristic : sim::heuristic_names()) {
      if (knows(heuristic, runtime)) pairs.emplace_back(runtime, heuristic);
    }
  }
  std::size_t intervals = 0;
  std::size_t index = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const auto& [runtime, heuristic] = pairs[index++ % pairs.size()];
    const Case c(trace::parse_text(random.text, random.id + ".log"), heuristic, runtime, 3.0);
    const std::uint64_t peak = c.peak();
    INFO(random.id << " " << heuristic << " " << sim::to_string(runtime));
    const auto plain = lines_of(c, peak / 3, peak, {1, 64, atlas::Method::kRerun});
    CHECK(lines_of(c, peak / 3, peak, index % 2 == 0 ? kPlain : kTight) == plain);
    CHECK(lines_of(c, peak / 3, peak, {1 + static_cast<unsigned>(index % 3), 16, atlas::Method::kAuto}) == plain);
    intervals += plain.size();
  });
  CHECK(index > pairs.size());
  CHECK(intervals > 1000);
}

TEST_CASE("public traces: all methods write the same where runs thrash, fail and complete") {
  struct Part {
    const char* trace;
    const char* heuristic;
    double from;
    double to;
  };
  for (const Part& part : {Part{"resnet32", "dtr-eq", 0.095, 0.105}, Part{"resnet32", "dtr", 0.096, 0.098},
                           Part{"resnet32", "msps", 0.12, 0.14}, Part{"unet", "dtr-eq", 0.3, 0.5},
                           Part{"unet", "dtr", 0.4, 0.5}, Part{"lstm", "dtr-eq", 0.105, 0.107}}) {
    const auto path = test::shared_or_skip(std::string("traces/public/") + part.trace + ".log");
    if (!path) return;
    const Case c(trace::parse_file(path->string()), part.heuristic, sim::Runtime::kV2Eager, 60.0);
    const auto at = [&](double ratio) { return static_cast<std::uint64_t>(ratio * static_cast<double>(c.peak())); };
    INFO(part.trace << " " << part.heuristic);
    const auto plain = lines_of(c, at(part.from), at(part.to), {1, 64, atlas::Method::kRerun});
    CHECK(plain.size() > 20);
    CHECK(lines_of(c, at(part.from), at(part.to), {1, 256, atlas::Method::kReconverge}) == plain);
    CHECK(lines_of(c, at(part.from), at(part.to), {2, 9, atlas::Method::kReconverge}) == plain);
    CHECK(lines_of(c, at(part.from), at(part.to), {2, 64, atlas::Method::kAuto}) == plain);
  }
}

TEST_CASE("nothing completes below the floor, and often it is reached") {
  std::size_t reached = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    const sim::Topology topology(schedule);
    for (const sim::Runtime runtime : {sim::Runtime::kV2Eager, sim::Runtime::kV2, sim::Runtime::kV1}) {
      const std::uint64_t floor = atlas::hopeless_below(schedule, runtime);
      sim::Settings settings;
      settings.heuristic = sim::parse_heuristic("size");
      settings.runtime = runtime;
      settings.remat_limit = sim::remat_limit(schedule, 6.0);
      if (floor > 0) {
        atlas::explore(schedule, topology, settings, floor / 2, floor - 1, kPlain, [&](const atlas::Interval& i) {
          INFO(random.id << " " << sim::to_string(runtime) << " at " << i.lo);
          CHECK(i.result.record.status != record::Status::kOk);
        });
      }
      settings.budget = floor;
      if (sim::simulate(schedule, topology, settings).record.status == record::Status::kOk) ++reached;
    }
  });
  CHECK(reached > 20);
}

TEST_CASE("threads, snapshots and where a part begins change nothing") {
  const Case c(trace::parse_text(chain(), "chain.log"), "dtr", sim::Runtime::kV2Eager, 60.0);
  const std::uint64_t peak = c.peak();
  const auto lines = [&](const std::vector<atlas::Interval>& map) {
    std::vector<std::string> out;
    for (const atlas::Interval& i : map) out.push_back(atlas::to_json_line(i, c.schedule.total_cost));
    return out;
  };
  const auto reference = lines(c.map(0, peak, kPlain));
  CHECK(reference.size() > 20);
  for (const atlas::Method method : {atlas::Method::kAuto, atlas::Method::kRerun, atlas::Method::kReconverge}) {
    for (const unsigned threads : {1u, 2u, 5u}) {
      for (const std::size_t snapshots : {1u, 2u, 7u, 1000u}) {
        CHECK(lines(c.map(0, peak, {threads, snapshots, method})) == reference);
      }
    }
  }
  // Going on behind any interval, as an interrupted atlas does.
  const auto map = c.map(0, peak, kPlain);
  for (std::size_t i = 1; i < map.size(); ++i) {
    const auto rest = lines(c.map(map[i].lo, peak, kPlain));
    CHECK(std::vector<std::string>(reference.begin() + static_cast<std::ptrdiff_t>(i), reference.end()) == rest);
  }
}

TEST_CASE("an exception of the visitor ends the exploration, and nothing is visited behind it") {
  const Case c(trace::parse_text(chain(), "chain.log"), "dtr", sim::Runtime::kV2Eager, 60.0);
  for (const atlas::Method method : {atlas::Method::kAuto, atlas::Method::kRerun, atlas::Method::kReconverge}) {
    for (const unsigned threads : {1u, 4u}) {
      std::size_t visited = 0;
      const auto visit = [&](const atlas::Interval&) {
        if (++visited == 5) throw std::runtime_error("full");
      };
      const atlas::Limits limits{threads, 16, method};
      CHECK_THROWS_WITH(atlas::explore(c.schedule, c.topology, c.settings, 0, c.peak(), limits, visit), "full");
      CHECK(visited == 5);
    }
  }
}

TEST_CASE("intervals survive the way through their JSON line") {
  const Case c(trace::parse_text(chain(), "chain.log"), "dtr-eq", sim::Runtime::kV2Eager, 1.5);
  std::size_t failed = 0;
  for (const atlas::Interval& i : c.map(0, c.peak(), kPlain)) {
    const std::string line = atlas::to_json_line(i, c.schedule.total_cost);
    const atlas::Interval back = atlas::parse_json_line(line);
    CHECK(back.lo == i.lo);
    CHECK(back.hi == i.hi);
    CHECK(different(i.result, back.result, i.lo) == "");
    CHECK(atlas::to_json_line(back, c.schedule.total_cost) == line);
    const auto json = nlohmann::json::parse(line);
    CHECK(json.at("overhead").is_null() == (i.result.record.status != record::Status::kOk));
    if (i.result.failure) {
      CHECK(json.at("failure").at("need").get<std::uint64_t>() > i.hi);
      ++failed;
    }
  }
  CHECK(failed > 0);
  for (const char* bad : {"", "{", "[]", "{}", "{\"lo\":1,\"hi\":2,\"status\":\"fine\"}", "{\"lo\":-1}"}) {
    CHECK_THROWS_AS(atlas::parse_json_line(bad), std::invalid_argument);
  }
}

namespace {

atlas::Interval interval(std::uint64_t lo, std::uint64_t hi, record::Status status, std::uint64_t clock = 0) {
  atlas::Interval i;
  i.lo = lo;
  i.hi = hi;
  i.result.record.status = status;
  i.result.record.clock = clock;
  return i;
}

} // namespace

TEST_CASE("the summary names first-ok, stable-from, failure regions and switches") {
  using record::Status;
  atlas::Summary s(100, 2);
  CHECK(!s.first_ok());
  s.add(interval(10, 19, Status::kOom));
  s.add(interval(20, 24, Status::kThrash));
  CHECK(!s.first_ok());
  s.add(interval(25, 29, Status::kOk, 400));
  CHECK(s.stable_from() == std::optional<std::uint64_t>(25));
  s.add(interval(30, 31, Status::kOom));
  s.add(interval(32, 33, Status::kOom));
  s.add(interval(34, 34, Status::kThrash));
  CHECK(!s.stable_from());
  CHECK(s.failure_regions().empty()); // nothing completes above yet
  s.add(interval(35, 35, Status::kOk, 150));
  s.add(interval(36, 39, Status::kOk, 300)); // 2x
  s.add(interval(40, 40, Status::kOk, 300));
  s.add(interval(41, 41, Status::kOom));
  s.add(interval(42, 49, Status::kOk, 100));
  s.add(interval(50, 59, Status::kOk, 110)); // 1.1x
  s.add(interval(60, 69, Status::kOk, 99));
  CHECK(s.first_ok() == std::optional<std::uint64_t>(25));
  CHECK(s.stable_from() == std::optional<std::uint64_t>(42));
  CHECK(s.intervals() == 13);
  CHECK(s.next() == 70);
  const auto regions = s.failure_regions();
  REQUIRE(regions.size() == 2);
  CHECK(regions[0].lo == 30);
  CHECK(regions[0].hi == 34);
  REQUIRE(regions[0].parts.size() == 2);
  CHECK(regions[0].parts[0].hi == 33);
  CHECK(regions[0].parts[0].intervals == 2);
  CHECK(regions[0].parts[1].status == Status::kThrash);
  CHECK(regions[1].lo == 41);
  CHECK(regions[1].hi == 41);
  REQUIRE(s.switches().size() == 2);
  CHECK(s.switches()[0].at == 36);
  CHECK(s.switches()[0].factor() == Approx(2.0));
  CHECK(s.switches()[1].at == 60);
}
