// SPDX-License-Identifier: Apache-2.0
// Searches that the unit flags and the firmware takes again by simrd's rule: different quotients that round to one
// double (NEAR), and zero beside negative scores (MIXED). The recorded traces never show either.
#include <catch2/catch.hpp>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;

namespace {

// a and b, then d of size 0 which only lets time pass, then c, for which one of a and b must go. At that decision
// h(a) = 17354574641400 / (32334821716 x (4385081662074 + 3196619871350)) is a little smaller than
// h(b) = 4385081662074 / (19378041044 x 3196619871350), but both round to the same double, and then the later goes.
constexpr const char* kNear = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"}
{"INSTRUCTION":"CONSTANT","NAME":"k"}
{"INSTRUCTION":"MEMORY","NAME":"k","MEMORY":"0"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["k"],"RESULT":["a"],"TIME":"17354574641400"}
{"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":"32334821716"}
{"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":"-1"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["k"],"RESULT":["b"],"TIME":"4385081662074"}
{"INSTRUCTION":"MEMORY","NAME":"b","MEMORY":"19378041044"}
{"INSTRUCTION":"ALIAS","NAME":"b","ALIAS":"-1"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["k"],"RESULT":["d"],"TIME":"3196619871350"}
{"INSTRUCTION":"MEMORY","NAME":"d","MEMORY":"0"}
{"INSTRUCTION":"ALIAS","NAME":"d","ALIAS":"-1"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["k"],"RESULT":["c"],"TIME":"5"}
{"INSTRUCTION":"MEMORY","NAME":"c","MEMORY":"1"}
{"INSTRUCTION":"ALIAS","NAME":"c","ALIAS":"-1"}
{"INSTRUCTION":"RELEASE","NAME":"a"}
{"INSTRUCTION":"RELEASE","NAME":"b"}
)";

test::PlatformOutcome run(const trace::Schedule& schedule, const test::GoldenRow& row, platform::Scorer scorer) {
  platform::PlatformConfig config = test::platform_config(schedule, row);
  config.scorer = scorer;
  const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
  CHECK(outcome.failed_checks == std::vector<std::string>{});
  return outcome;
}

sim::Result simulate(const trace::Schedule& schedule, const char* heuristic, std::uint64_t budget) {
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(heuristic);
  settings.budget = budget;
  return sim::simulate(schedule, settings);
}

} // namespace

TEST_CASE("scores that differ but round alike go to the later entry, as in simrd", "[platform]") {
  const trace::Schedule schedule = trace::parse_text(kNear, "near.log");
  test::GoldenRow row;
  row.heuristic = "DTRLocal";
  row.budget = 32334821716 + 19378041044;
  const sim::Result expected = simulate(schedule, "dtr-local", row.budget);
  REQUIRE(expected.record.policy_evictions == 1);
  CHECK(expected.record.max_memory == row.budget);
  // b went: had a gone, memory would hold b and c at the end of c, and a's eager eviction would come later
  for (const auto scorer : {platform::Scorer::kFirmware, platform::Scorer::kRtl}) {
    const test::PlatformOutcome outcome = run(schedule, row, scorer);
    CHECK(test::differences(outcome.record, expected.record, false) == "");
    CHECK(outcome.record.policy_sha256 ==
          "58e41152f5442073a729023febc5be9df599681152146ae1298d1533e3603cdc"); // "p 24936276174825 b\n"
    if (scorer == platform::Scorer::kRtl) CHECK(outcome.fields["unit"]["redecided"] == 1);
  }
}

TEST_CASE("zero beside negative scores is decided in pool order, as in simrd", "[platform]") {
  // found by running the random traces at further budgets: 48 decisions of these runs mix the two
  std::uint64_t redecided = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    const std::vector<std::uint64_t> budgets = random.id == "r42"    ? std::vector<std::uint64_t>{1618, 1713, 1903}
                                               : random.id == "r486" ? std::vector<std::uint64_t>{68}
                                                                     : std::vector<std::uint64_t>{};
    if (budgets.empty()) return;
    const trace::Schedule schedule = trace::parse_text(random.text, random.id + ".log");
    for (const std::uint64_t budget : budgets) {
      test::GoldenRow row;
      row.heuristic = "DTREqClass";
      row.budget = budget;
      const sim::Result expected = simulate(schedule, "dtr-eq", budget);
      for (const auto scorer : {platform::Scorer::kFirmware, platform::Scorer::kRtl}) {
        INFO(random.id << " budget " << budget);
        const test::PlatformOutcome outcome = run(schedule, row, scorer);
        CHECK(test::differences(outcome.record, expected.record, false) == "");
        if (scorer == platform::Scorer::kRtl) {
          redecided += outcome.fields["unit"]["redecided"].get<std::uint64_t>();
        }
      }
    }
  });
  CHECK(redecided == 48); // 14 + 15 + 14 + 5
}
