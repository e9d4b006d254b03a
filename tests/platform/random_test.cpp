// SPDX-License-Identifier: Apache-2.0
// The platform on the random traces, which hold the zeros, ties, negative classes, duplicate arguments and zero sizes
// that recorded traces never show. Scorers and queue depths take turns so that each run is tried with four set-ups.
#include <catch2/catch.hpp>

#include "host/trace/parser.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;

TEST_CASE("platform equals simrd on the random traces", "[platform]") {
  struct Variant {
    const char* name;
    platform::Scorer scorer;
    const char* unit;
    std::uint32_t queue_depth;
  };
  const std::vector<Variant> variants{{"firmware", platform::Scorer::kFirmware, "exact-l4", 1},
                                      {"exact-l4", platform::Scorer::kRtl, "exact-l4", 1},
                                      {"exact-l1, queue depth 4", platform::Scorer::kRtl, "exact-l1", 4},
                                      {"four slots", platform::Scorer::kRtl, "exact-l4-d4", 64}};
  std::size_t runs = 0;
  std::uint64_t overflow_scans = 0;
  test::for_each_random_trace("tests/data/random.jsonl.gz", [&](const test::RandomTrace& random) {
    trace::Schedule schedule;
    for (const test::GoldenRow& row : random.runs) {
      if (!test::firmware_has(row)) continue;
      if (schedule.steps.empty()) schedule = trace::parse_text(random.text, random.id + ".log");
      ++runs;
      for (const Variant& variant : variants) {
        platform::PlatformConfig config = test::platform_config(schedule, row);
        config.scorer = variant.scorer;
        config.unit = variant.unit;
        config.queue_depth = variant.queue_depth;
        config.ram_bytes = 1u << 20;
        const test::PlatformOutcome outcome = test::run_platform_in_child(schedule, config);
        const std::string difference = test::differences(outcome.record, row.expected, false);
        if (!difference.empty() || !outcome.failed_checks.empty()) {
          FAIL_CHECK(test::describe(row) << ", scorer " << variant.name << ": " << difference << ' '
                                         << (outcome.failed_checks.empty() ? "" : outcome.failed_checks.front()));
        }
        if (outcome.fields.contains("unit")) {
          overflow_scans += outcome.fields["unit"]["overflow_scans"].get<std::uint64_t>();
        }
      }
    }
  });
  CHECK(runs == 1070);
  CHECK(overflow_scans > 1000); // the table was really too small
}
