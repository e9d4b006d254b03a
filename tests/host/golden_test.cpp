// SPDX-License-Identifier: Apache-2.0
// The simulator against the public traces' golden records, field by field. DTRMC_GOLDEN_TRACES (set at build time)
// names the traces of this program: the long ones run nightly.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/golden.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

struct Loaded {
  trace::Schedule schedule;
  sim::Topology topology;
  explicit Loaded(trace::Schedule s) : schedule(std::move(s)), topology(schedule) {}
};

std::set<std::string> wanted() {
  std::set<std::string> out;
  std::string list = DTRMC_GOLDEN_TRACES;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    out.insert(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

void compare_all(const std::string& file) {
  const auto golden = test::shared_or_skip("golden/" + file);
  if (!golden) return;
  std::map<std::string, std::unique_ptr<Loaded>> traces;
  std::size_t compared = 0;
  const std::set<std::string> names = wanted();
  for (const test::GoldenRow& row : test::read_golden_rows(golden->string())) {
    if (names.count(row.trace) == 0) continue;
    const auto path = test::shared_or_skip("traces/public/" + row.trace + ".log");
    if (!path) return;
    std::unique_ptr<Loaded>& loaded = traces[row.trace];
    if (!loaded) loaded = std::make_unique<Loaded>(trace::parse_file(path->string()));
    sim::Settings settings;
    settings.heuristic = sim::parse_heuristic(row.heuristic);
    settings.runtime = sim::parse_runtime(row.runtime);
    settings.budget = row.budget;
    if (row.overhead_limit) settings.remat_limit = sim::remat_limit(loaded->schedule, *row.overhead_limit);
    const sim::Result result = sim::simulate(loaded->schedule, loaded->topology, settings);
    INFO(test::describe(row));
    CHECK_THAT(test::differences(result.record, row.expected, true), Catch::Equals(""));
    CHECK(result.simrd_defined);
    ++compared;
  }
  INFO("rows compared: " << compared);
  CHECK((compared > 0 ||
         (file == "simrd-runtimes.jsonl" && names.count("resnet32") == 0))); // it has the short traces alone
}

} // namespace

TEST_CASE("every golden run of these traces is met field by field") { compare_all("simrd.jsonl"); }

TEST_CASE("so is every run of the other runtimes") { compare_all("simrd-runtimes.jsonl"); }

TEST_CASE("unlimited runs peak where the baselines say") {
  const auto golden = test::shared_or_skip("golden/baselines.jsonl");
  if (!golden) return;
  const std::set<std::string> names = wanted();
  std::size_t compared = 0;
  test::for_each_line(golden->string(), [&](std::string_view line) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto name = row.at("trace").get<std::string>();
    if (names.count(name) == 0) return;
    const auto path = test::shared_or_skip("traces/public/" + name + ".log");
    if (!path) return;
    INFO(name);
    const trace::Schedule schedule = trace::parse_file(path->string());
    CHECK(schedule.operators.size() == row.at("ops").get<std::uint64_t>());
    CHECK(schedule.tensors.size() == row.at("tensors").get<std::uint64_t>());
    CHECK(schedule.total_cost == row.at("model_compute").get<std::uint64_t>());
    CHECK(sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) == row.at("peak_v2_eager").get<std::uint64_t>());
    CHECK(sim::unlimited_peak(schedule, sim::Runtime::kV1) == row.at("peak_v1").get<std::uint64_t>());
    ++compared;
  });
  CHECK(compared == names.size());
}
