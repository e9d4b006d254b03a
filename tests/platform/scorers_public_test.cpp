// SPDX-License-Identifier: Apache-2.0
// Every access of the public traces to the unit, on the RTL and its behavioural model side by side: answers, flags and
// cycles equal at every decision, with the updates in between.
#include <catch2/catch.hpp>

#include "host/trace/parser.h"
#include "tests/rtl/lockstep_unit.h"
#include "tests/support/platform_child.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

void check_trace(const std::string& name) {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto log = test::shared_or_skip("traces/public/" + name + ".log");
  if (!golden || !log) return;
  const trace::Schedule schedule = trace::parse_file(log->string());
  int rows = 0;
  for (const test::GoldenRow& row : test::read_golden_rows(golden->string())) {
    const bool chosen = row.heuristic == "DTREqClass" || row.heuristic == "LRU";
    if (row.trace != name || !row.ratio || *row.ratio != 0.3 || !chosen || !test::firmware_has(row)) continue;
    ++rows;
    for (const char* unit : {"exact-l1", "exact-l4", "exact-l4-cache"}) {
      platform::PlatformConfig config = test::platform_config(schedule, row);
      config.unit = unit;
      config.make_unit = [](const std::string& unit_name) { return std::make_unique<test::LockstepUnit>(unit_name); };
      INFO(test::describe(row) << ", unit " << unit);
      const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
      CHECK(outcome.failed_checks == std::vector<std::string>{});
      CHECK(test::differences(outcome.record, row.expected, false) == "");
    }
  }
  CHECK(rows >= 1);
}

} // namespace

TEST_CASE("model and RTL agree on resnet32", "[platform]") { check_trace("resnet32"); }
TEST_CASE("model and RTL agree on unet", "[platform]") { check_trace("unet"); }
TEST_CASE("model and RTL agree on transformer", "[platform]") { check_trace("transformer"); }
TEST_CASE("model and RTL agree on densenet121", "[platform]") { check_trace("densenet121"); }
TEST_CASE("model and RTL agree on inceptionv4", "[platform]") { check_trace("inceptionv4"); }
TEST_CASE("model and RTL agree on lstm", "[platform]") { check_trace("lstm"); }
TEST_CASE("model and RTL agree on treelstm", "[platform]") { check_trace("treelstm"); }
TEST_CASE("model and RTL agree on unrolled_gan", "[platform]") { check_trace("unrolled_gan"); }
