// SPDX-License-Identifier: Apache-2.0
// A profiled run is the same run, and its profile accounts for every cycle of mcycle.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "host/sim/simulator.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"
#include "systemc/cosim/cosim.h"
#include "systemc/platform/child_process.h"
#include "systemc/record/recording.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;
using nlohmann::ordered_json;

namespace {

const trace::Schedule& schedule() {
  static const trace::Schedule read = trace::parse_file(trace::find_trace("lstm-recorded"));
  return read;
}

struct Profiled {
  std::uint64_t mcycle, instructions, cycles, self_sum, folded_sum, asleep;
  std::string folded;
  ordered_json fields;
  std::vector<std::string> failed;
  std::uint64_t wait_activities;
};

Profiled run(bool profile, platform::Scorer scorer, std::uint64_t quantum, const std::string& cpu_profile) {
  test::GoldenRow row;
  row.heuristic = "DTREqClass";
  row.runtime = "RuntimeV2EagerOptimized";
  row.budget = sim::unlimited_peak(schedule(), sim::Runtime::kV2Eager) * 4 / 10;
  platform::PlatformConfig config = test::platform_config(schedule(), row);
  config.scorer = scorer;
  config.quantum = quantum;
  config.cpu_profile = cpu_profile;
  const std::string text = platform::run_in_child([&] {
    recording::RecordingRequest request;
    request.profile = profile;
    std::optional<recording::Recording> recording;
    if (profile) recording.emplace(request, schedule(), config);
    const cosim::CosimReport report = cosim::run_cosim(schedule(), config);
    ordered_json json;
    json["mcycle"] = report.platform.cycles;
    json["instructions"] = report.platform.instructions;
    json["failed"] = report.failed_checks;
    json["fields"] = cosim::platform_fields(report.platform, config);
    json["waits"] = report.platform.activity_cycles[DTRMC_ACTIVITY_WAIT_ACCELERATOR];
    if (recording) {
      recording->finish(report.platform);
      const profile::FunctionProfile& p = *recording->profile();
      json["cycles"] = p.cycles();
      std::uint64_t self = 0;
      std::uint64_t asleep = 0;
      for (const profile::FunctionCycles& f : p.functions()) {
        self += f.self;
        if (f.name == "(asleep)") asleep = f.self;
        if (f.self > f.total || f.total > p.cycles()) json["failed"].push_back(f.name + ": self, total, all");
      }
      json["self"] = self;
      json["asleep"] = asleep;
      json["folded"] = p.folded();
    }
    return json.dump();
  });
  const ordered_json json = ordered_json::parse(text);
  Profiled result{};
  result.mcycle = json.at("mcycle");
  result.instructions = json.at("instructions");
  result.fields = json.at("fields");
  result.failed = json.at("failed").get<std::vector<std::string>>();
  result.wait_activities = json.at("waits");
  if (profile) {
    result.cycles = json.at("cycles");
    result.self_sum = json.at("self");
    result.asleep = json.at("asleep");
    result.folded = json.at("folded");
    std::istringstream lines(result.folded);
    for (std::string line; std::getline(lines, line);) {
      result.folded_sum += std::stoull(line.substr(line.rfind(' ') + 1));
    }
  }
  return result;
}

} // namespace

TEST_CASE("self cycles, stacks and mcycle agree exactly, and the run is the unprofiled one") {
  const auto scorer = GENERATE(platform::Scorer::kRtl, platform::Scorer::kFirmware);
  const auto cpu_profile = GENERATE(as<std::string>(), "ibex-small", "ibex-maxperf");
  const Profiled plain = run(false, scorer, 10000, cpu_profile);
  const Profiled profiled = run(true, scorer, 10000, cpu_profile);
  CHECK(plain.failed.empty());
  CHECK(profiled.failed.empty());
  CHECK(profiled.fields == plain.fields);
  CHECK(profiled.cycles == profiled.mcycle);
  CHECK(profiled.self_sum == profiled.mcycle);
  CHECK(profiled.folded_sum == profiled.mcycle);
  // Queue depth 1: nearly all time in which the firmware waits for the accelerator is slept.
  CHECK(profiled.asleep > profiled.wait_activities * 9 / 10);
  CHECK(profiled.asleep < profiled.wait_activities + profiled.mcycle / 100);
}

TEST_CASE("the stacks are those of the source: nothing is lost, the decision lies under its callers") {
  const Profiled profiled = run(true, platform::Scorer::kFirmware, 10000, "ibex-small");
  CHECK(profiled.folded.find("(no_symbol)") == std::string::npos);
  CHECK(profiled.folded.rfind("_start", 0) == 0);
  CHECK(profiled.folded.find(";fw_controller;") != std::string::npos);
  CHECK(profiled.folded.find(";fw_materialise;") != std::string::npos);
  CHECK(profiled.folded.find(";fw_choose") != std::string::npos);
  // Every stack starts at the entry: a heuristic that loses a return would show other outermost frames.
  std::istringstream lines(profiled.folded);
  for (std::string line; std::getline(lines, line);) CHECK(line.rfind("_start", 0) == 0);
}

TEST_CASE("the profile does not depend on the quantum") {
  CHECK(run(true, platform::Scorer::kRtl, 1, "ibex-small").folded ==
        run(true, platform::Scorer::kRtl, 10000, "ibex-small").folded);
}
