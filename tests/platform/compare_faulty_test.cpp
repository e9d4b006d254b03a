// SPDX-License-Identifier: Apache-2.0
// compare notices a scoring unit with an inverted tie rule, and a firmware whose search returns the first entry.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "host/cli/compared_run.h"
#include "host/cli/platform_options.h"
#include "systemc/platform/child_process.h"

using namespace dtrmc;

namespace {

struct Verdict {
  bool identical;
  bool event_differs;
  std::size_t events;
  std::vector<std::string> failed_checks;
  std::vector<std::string> context;
};

Verdict verdict_of(const char* heuristic, platform::Scorer scorer, const char* unit, const char* firmware) {
  cli::RunOptions run_options;
  run_options.trace = "cifar-resnet32-224";
  run_options.ratio = "0.4";
  run_options.overhead_limit = "4";
  run_options.heuristic = heuristic;
  const cli::ResolvedRun run = cli::resolve(run_options);
  cli::PlatformOptions options;
  options.firmware = firmware;
  platform::PlatformConfig config = cli::resolve(options);
  cli::apply(run, config);
  config.scorer = scorer;
  config.unit = unit; // past the option's check, which lists the units for users alone
  const auto json = nlohmann::json::parse(platform::run_in_child([&] {
    const cli::ComparedRun result = cli::compare_run(run, config);
    return nlohmann::json{result.identical, result.difference.has_value(), result.events, result.platform.failed_checks,
                          result.context}
        .dump();
  }));
  return {json[0], json[1], json[2], json[3], json[4]};
}

} // namespace

TEST_CASE("compare: the sound unit and firmware are identical to the simulator", "[compare]") {
  for (const auto scorer : {platform::Scorer::kFirmware, platform::Scorer::kRtl}) {
    const Verdict verdict = verdict_of("size", scorer, "exact-l4", "");
    CHECK(verdict.identical);
    CHECK(verdict.context == std::vector<std::string>{});
    CHECK(verdict.failed_checks == std::vector<std::string>{});
  }
}

TEST_CASE("compare: a unit with an inverted tie rule is noticed", "[compare]") {
  const Verdict verdict = verdict_of("size", platform::Scorer::kRtl, "faulty-ties", "");
  CHECK_FALSE(verdict.identical);
  CHECK(verdict.event_differs);
  CHECK(verdict.events > 100);                                // up to the first tie everything is equal
  CHECK(verdict.failed_checks == std::vector<std::string>{}); // the ledger is content: another victim is no error
  CHECK(verdict.context.size() > 4);
}

TEST_CASE("compare: a firmware whose search returns the first entry is noticed", "[compare]") {
  const Verdict verdict = verdict_of("dtr-eq", platform::Scorer::kFirmware, "exact-l4", DTRMC_FIRST_ENTRY_ELF);
  CHECK_FALSE(verdict.identical);
  CHECK(verdict.event_differs);
  CHECK(verdict.events > 100);
}
