// SPDX-License-Identifier: Apache-2.0
// The behaviours that cost somebody a first difference, each on a trace small enough to follow by hand.
#include "host/sim/simulator.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "host/record/run_recorder.h"
#include "host/trace/parser.h"

using namespace dtrmc;
using record::Event;
using record::EventKind;
using record::Status;

namespace {

// A log written by hand: c(name, size), f(result:size, args, cost), ...
class Log {
 public:
  Log& constant(const std::string& name, std::uint64_t size) {
    text_ += R"({"INSTRUCTION":"CONSTANT","NAME":")" + name + "\"}\n";
    return memory(name, size);
  }
  struct Out {
    std::string name;
    std::uint64_t size;
    int alias = -1;
  };
  Log& call(const std::vector<Out>& outs, const std::vector<std::string>& args, std::uint64_t cost) {
    std::string results;
    for (const Out& out : outs) results += (results.empty() ? "\"" : ",\"") + out.name + "\"";
    text_ += R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[)" + list(args) + R"(],"RESULT":[)" + results +
             R"(],"TIME":")" + std::to_string(cost) + "\"}\n";
    for (const Out& out : outs) {
      memory(out.name, out.size);
      text_ += R"({"INSTRUCTION":"ALIAS","NAME":")" + out.name + R"(","ALIAS":")" + std::to_string(out.alias) + "\"}\n";
    }
    return *this;
  }
  Log& release(const std::string& name) {
    text_ += R"({"INSTRUCTION":"RELEASE","NAME":")" + name + "\"}\n";
    return *this;
  }
  trace::Schedule schedule() const { return trace::parse_text(text_, "hand.log"); }

 private:
  static std::string list(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "\"" : ",\"") + name + "\"";
    return out;
  }
  Log& memory(const std::string& name, std::uint64_t size) {
    text_ += R"({"INSTRUCTION":"MEMORY","NAME":")" + name + R"(","MEMORY":")" + std::to_string(size) + "\"}\n";
    return *this;
  }
  std::string text_ = "{\"INSTRUCTION\":\"ANNOTATE\",\"ANNOTATION\":\"START\"}\n";
};

struct Run {
  sim::Result result;
  std::string evictions; // "p CLOCK NAME\n" lines
  std::vector<Event> events;
};

Run run(const trace::Schedule& schedule, const std::string& heuristic, std::uint64_t budget,
        std::uint64_t remat_limit = sim::kNoLimit, sim::Runtime runtime = sim::Runtime::kV2Eager) {
  struct Collector : record::EventSink {
    std::vector<Event> events;
    void on_event(const Event& event) override { events.push_back(event); }
  } collector;
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(heuristic);
  settings.runtime = runtime;
  settings.budget = budget;
  settings.remat_limit = remat_limit;
  settings.events = &collector;
  Run out{sim::simulate(schedule, settings), "", collector.events};
  for (const Event& event : out.events) {
    if (event.kind != EventKind::kEvictPolicy && event.kind != EventKind::kEvictEager) continue;
    out.evictions += (event.kind == EventKind::kEvictPolicy ? "p " : "e ") + std::to_string(event.clock) + " " +
                     std::string(schedule.storage_name(event.id)) + "\n";
  }
  return out;
}

} // namespace

TEST_CASE("without pressure nothing is evicted but by the last release, and memory peaks at what is live") {
  const trace::Schedule s =
      Log().constant("c", 10).call({{"a", 20}}, {"c"}, 5).call({{"b", 30}}, {"a"}, 7).release("a").schedule();
  const Run eager = run(s, "dtr", sim::kNoLimit);
  CHECK(eager.result.record.status == Status::kOk);
  CHECK(eager.result.record.clock == 13);
  CHECK(eager.result.record.max_memory == 60);
  CHECK(eager.evictions == "e 13 a\n");
  CHECK_THAT(run(s, "dtr", sim::kNoLimit, sim::kNoLimit, sim::Runtime::kV2).evictions, Catch::Equals(""));
  CHECK(sim::unlimited_peak(s, sim::Runtime::kV2Eager) == 60);
}

TEST_CASE("of equal scores the last in the pool goes") {
  const trace::Schedule s =
      Log().call({{"a", 8}}, {}, 1).call({{"b", 8}}, {}, 1).call({{"c", 8}}, {}, 1).call({{"d", 8}}, {}, 1).schedule();
  // By size alone a, b and c tie; the pins at the end bring c back, for which d goes: it is the last again.
  const Run r = run(s, "size", 24);
  CHECK(r.evictions.substr(0, 6) == "p 4 c\n");
}

TEST_CASE("a denominator of zero is infinite: zero sizes go last, but go when all are infinite") {
  const trace::Schedule finite =
      Log().call({{"z", 0}}, {}, 3).call({{"a", 8}}, {}, 9).call({{"b", 8}}, {}, 1).schedule();
  CHECK(run(finite, "size", 8).evictions.substr(0, 6) == "p 13 a");
  // Staleness 0: what was accessed at this very moment of the clock scores infinite as well.
  const trace::Schedule infinite =
      Log().call({{"z", 0}}, {}, 3).call({{"y", 0}}, {}, 0).call({{"b", 8}}, {}, 1).schedule();
  const Run r = run(infinite, "size", 4);
  CHECK(r.evictions == "p 4 y\np 4 z\n"); // nothing checks that an eviction helps
  CHECK(r.result.record.status == Status::kOom);
}

TEST_CASE("the scan stops at the first score of zero and takes it") {
  const trace::Schedule s = Log().call({{"a", 8}}, {}, 0).call({{"b", 8}}, {}, 0).call({{"c", 8}}, {}, 5).schedule();
  const Run r = run(s, "dtr-local", 16);
  // Staleness of b is 0 (infinite), a's too: both made at clock 1. The last infinite one goes.
  CHECK(r.evictions.substr(0, 6) == "p 1 b\n");
  const trace::Schedule later = Log()
                                    .call({{"w", 8}}, {}, 5)
                                    .call({{"a", 8}}, {}, 0)
                                    .call({{"b", 8}}, {}, 0)
                                    .call({{"t", 0}}, {}, 3)
                                    .call({{"c", 8}}, {}, 5)
                                    .schedule();
  const Run zero = run(later, "dtr-local", 24);
  CHECK(zero.evictions.substr(0, 6) == "p 9 a\n");
  CHECK(zero.result.record.heuristic_evals >= 2);
}

TEST_CASE("a constant may evict and is safe only once pinned") {
  const trace::Schedule s = Log().call({{"a", 8}}, {}, 5).constant("c", 8).schedule();
  const Run r = run(s, "lru", 8);
  CHECK(r.evictions == "p 6 a\n");
  // Then a must come back at the end beside the pinned constant: out of memory.
  CHECK(r.result.record.status == Status::kOom);
  REQUIRE(r.result.failure);
  CHECK(r.result.failure->request == 8);
  CHECK(r.result.failure->over_by == 8);
  CHECK(r.result.failure->pinned == 8);
  CHECK(r.result.failure->depth == 1);
  CHECK(r.result.failure->op == 0);
}

TEST_CASE("locks count per argument occurrence") {
  const trace::Schedule s =
      Log().call({{"a", 8}}, {}, 5).call({{"b", 8}}, {"a", "a", "a"}, 5).call({{"c", 8}}, {"b"}, 1).schedule();
  const Run r = run(s, "lru", 24);
  CHECK(r.result.record.status == Status::kOk);
  CHECK(r.evictions.empty());
  CHECK(run(s, "lru", 16).evictions.substr(0, 6) == "p 11 a"); // a is in the pool again after its three locks went
}

TEST_CASE("a view is run again at its own cost, and its base is brought back through the view's parents") {
  const trace::Schedule s = Log()
                                .call({{"a", 8}}, {}, 5)
                                .call({{"v", 8, 0}}, {"a"}, 2)
                                .call({{"b", 8}}, {}, 1)
                                .call({{"c", 4}}, {"v"}, 1)
                                .schedule();
  const Run r = run(s, "lru", 12);
  // b evicts a (and with it v); c needs v: a is made again, then the view at its cost of 2.
  std::vector<std::pair<EventKind, std::uint32_t>> head;
  for (const Event& event : r.events) head.emplace_back(event.kind, event.id);
  const std::vector<std::pair<EventKind, std::uint32_t>> expected = {
      {EventKind::kFirstRun, 0},      {EventKind::kFirstRun, 1},    {EventKind::kEvictPolicy, 0},
      {EventKind::kFirstRun, 2},      {EventKind::kEvictPolicy, 1}, {EventKind::kRematerialize, 0},
      {EventKind::kRematerialize, 1}, {EventKind::kFirstRun, 3}};
  REQUIRE(head.size() >= expected.size());
  head.resize(expected.size());
  CHECK(head == expected);
}

TEST_CASE("a sibling that is still there is computed twice for a moment, and the duplicate dropped") {
  const trace::Schedule s =
      Log().call({{"a", 8}, {"b", 16}}, {}, 5).call({{"c", 20}}, {"a"}, 1).call({{"d", 4}}, {"b"}, 1).schedule();
  // c evicts b (the least recently joined); d brings b back while a is resident: the peak holds a twice.
  const Run r = run(s, "size", 60);
  CHECK(r.result.record.status == Status::kOk);
  record::RunRecorder recorder(s);
  const Run tight = run(s, "size", 32);
  for (const Event& event : tight.events) recorder.on_event(event);
  CHECK(recorder.finish(tight.result.record.status).max_memory == tight.result.record.max_memory);
  CHECK(recorder.clock_mismatches() == 0);
}

TEST_CASE("eager release acts only on what is resident, and a later rematerialisation stays until chosen") {
  const trace::Schedule s = Log()
                                .call({{"a", 8}}, {}, 5)
                                .call({{"b", 8}}, {"a"}, 5)
                                .call({{"c", 8}}, {}, 5)
                                .release("a")
                                .call({{"d", 8}}, {"b"}, 5)
                                .schedule();
  const Run r = run(s, "lru", 16);
  CHECK(r.evictions.find("e ") == std::string::npos); // a was already out when its last reference went
  CHECK(r.evictions.substr(0, 7) == "p 11 a\n");
}

TEST_CASE("thrash ends the run right after the execution that passes the limit") {
  const trace::Schedule s = Log().call({{"a", 8}}, {}, 5).call({{"b", 8}}, {}, 5).call({{"c", 8}}, {"a"}, 5).schedule();
  const Run r = run(s, "lru", 16, 4);
  CHECK(r.result.record.status == Status::kThrash);
  CHECK(r.result.record.remat_compute == 5);
  CHECK(r.events.back().kind == EventKind::kRematerialize);
  CHECK(run(s, "lru", 16, 5).result.record.status != Status::kThrash);
  CHECK(sim::remat_limit(s, 1.0) == 0);
  CHECK(sim::remat_limit(s, 1.5) == 7); // floor(15 x 0.5)
  CHECK(sim::remat_limit(s, 1e300) == sim::kNoLimit);
}

TEST_CASE("nesting as deep as a long chain needs no stack of ours") {
  Log log;
  log.constant("c", 1);
  std::string last = "c";
  for (int i = 0; i < 200000; ++i) {
    const std::string name = "t" + std::to_string(i);
    log.call({{name, 1}}, {last}, 1);
    if (i > 0) log.release(last);
    last = name;
  }
  // Everything but the constant and the end of the chain is gone; a second use of the first needs nothing, but a
  // tiny budget with lazy freeing makes the last one evict its way through the pool.
  log.release(last).call({{"end", 1}}, {last}, 1);
  const Run r = run(log.schedule(), "lru", sim::kNoLimit);
  CHECK(r.result.max_nesting == 200001);
  CHECK(r.result.record.status == Status::kOk);
}

TEST_CASE("costs near 2^62 stay exact, and a clock beyond 2^63 ends with an error") {
  const std::uint64_t huge = std::uint64_t{1} << 61;
  const trace::Schedule s = Log().call({{"a", 8}}, {}, huge).call({{"b", 8}}, {"a"}, huge).schedule();
  CHECK(run(s, "dtr", 16).result.record.clock == 2 * huge + 1);
  Log log;
  log.call({{"a", 8}}, {}, huge);
  for (int i = 0; i < 8; ++i) {
    log.call({{"x" + std::to_string(i), 8}}, {}, 0);
    log.call({{"y" + std::to_string(i), 0}}, {"a"}, 0);
    log.release("x" + std::to_string(i)).release("y" + std::to_string(i));
  }
  CHECK_THROWS_AS(run(log.schedule(), "lru", 8), sim::ClockOverflow);
}

TEST_CASE("heuristics and runtimes answer to simrd's names; unknown ones list what there is") {
  CHECK(sim::parse_heuristic("AbEqSizeStale").name == "dtr-eq");
  CHECK(sim::parse_heuristic("LargestStorage").name == "size");
  CHECK(sim::parse_heuristic("AbSize").name == "size");
  CHECK(sim::parse_runtime("RuntimeV2Optimized") == sim::Runtime::kV2);
  CHECK_THROWS_WITH(sim::parse_heuristic("belady"), Catch::Contains("dtr-eq") && Catch::Contains("lru"));
  CHECK_THROWS_WITH(sim::parse_runtime("v3"), Catch::Contains("v2-eager"));
}

TEST_CASE("v1 banishes what nothing depends on, frees even constants, and pins what it can no longer compute") {
  const trace::Schedule s = Log()
                                .constant("c", 10)
                                .call({{"a", 8}}, {"c"}, 5)
                                .call({{"b", 8}}, {"a"}, 7)
                                .release("c")
                                .release("a")
                                .schedule();
  const Run r = run(s, "lru", 26, sim::kNoLimit, sim::Runtime::kV1);
  CHECK(r.result.record.status == Status::kOk);
  CHECK(r.evictions == "e 13 c\ne 13 a\n");
  CHECK(run(s, "lru", 26).evictions == "e 13 a\n"); // v2 never frees a constant

  const trace::Schedule held = Log()
                                   .constant("c", 10)
                                   .call({{"a", 8}}, {"c"}, 5)
                                   .release("c")
                                   .call({{"b", 8}}, {}, 1)
                                   .call({{"d", 8}}, {"b"}, 1)
                                   .schedule();
  const Run stuck = run(held, "lru", 18, sim::kNoLimit, sim::Runtime::kV1);
  CHECK(stuck.evictions == "e 6 c\n"); // a lost its parent: never a candidate again
  CHECK(stuck.result.record.status == Status::kOom);
  CHECK(run(held, "lru", 28).evictions.substr(0, 6) == "p 7 a\n");
}

TEST_CASE("runtimes and heuristics that do not go together are refused") {
  const trace::Schedule s = Log().call({{"a", 8}}, {}, 5).schedule();
  CHECK_THROWS_AS(run(s, "dtr", 8, sim::kNoLimit, sim::Runtime::kV1), std::invalid_argument);
  CHECK_THROWS_AS(run(s, "ab-eq", 8, sim::kNoLimit, sim::Runtime::kV1), std::invalid_argument);
  CHECK_THROWS_AS(run(s, "dtr-unopt", 8), std::invalid_argument);
  CHECK_NOTHROW(run(s, "dtr-unopt", 8, sim::kNoLimit, sim::Runtime::kV1));
}
