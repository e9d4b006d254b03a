// SPDX-License-Identifier: Apache-2.0
// The platform on the public traces: every scorer takes the evictions of the golden records.
#include <catch2/catch.hpp>

#include "host/trace/parser.h"
#include "tests/support/platform_child.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

// Every row is played with the search in firmware, in exact-l4 and exact-l4-cache, and in one of each of these, so that
// each meets a third or a half. A table of 64 entries is often too small: firmware then searches what is left over.
constexpr const char* kOtherScans[] = {"exact-l1", "exact-l2", "exact-l8"};
constexpr const char* kOtherCaches[] = {"cache-l2-d64", "cache-l8-d448"};

void check_trace(const std::string& name) {
  const auto golden = test::shared_or_skip("golden/simrd.jsonl");
  const auto log = test::shared_or_skip("traces/public/" + name + ".log");
  if (!golden || !log) return;
  const trace::Schedule schedule = trace::parse_file(log->string());
  int rows = 0;
  for (const test::GoldenRow& row : test::read_golden_rows(golden->string())) {
    const bool ratio = row.ratio && (*row.ratio == 0.2 || *row.ratio == 0.3 || *row.ratio == 0.5);
    if (row.trace != name || !ratio || !test::firmware_has(row)) continue;
    const int turn = rows + rows / 6; // each heuristic in another unit at another ratio
    const char* const scan = kOtherScans[turn % 3];
    const char* const cache = kOtherCaches[turn % 2];
    ++rows;
    for (const char* const unit : {"", "exact-l4", "exact-l4-cache", scan, cache}) {
      platform::PlatformConfig config = test::platform_config(schedule, row);
      config.scorer = *unit == 0 ? platform::Scorer::kFirmware : platform::Scorer::kRtl;
      if (*unit != 0) config.unit = unit;
      INFO(test::describe(row) << ", scorer " << (*unit == 0 ? "firmware" : unit));
      const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
      CHECK(outcome.failed_checks == std::vector<std::string>{});
      CHECK(test::differences(outcome.record, row.expected, false) == "");
    }
  }
  CHECK(rows >= 18); // six heuristics at three ratios
}

} // namespace

TEST_CASE("platform equals the golden rows of resnet32", "[platform]") { check_trace("resnet32"); }
TEST_CASE("platform equals the golden rows of unet", "[platform]") { check_trace("unet"); }
TEST_CASE("platform equals the golden rows of transformer", "[platform]") { check_trace("transformer"); }
