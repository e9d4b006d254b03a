// SPDX-License-Identifier: Apache-2.0
#include "tests/support/platform_child.h"

#include <map>
#include <stdexcept>

#include "firmware/image.h"
#include "host/sim/simulator.h"
#include "systemc/cosim/cosim.h"
#include "systemc/platform/child_process.h"

namespace dtrmc::test {

namespace {

using nlohmann::ordered_json;

const std::map<std::string, dtrmc_heuristic>& heuristics() {
  static const std::map<std::string, dtrmc_heuristic> all{
      {"DTREqClass", DTRMC_HEURISTIC_DTR_EQ}, {"DTRLocal", DTRMC_HEURISTIC_DTR_LOCAL},
      {"LRU", DTRMC_HEURISTIC_LRU},           {"LargestStorage", DTRMC_HEURISTIC_SIZE},
      {"DTR", DTRMC_HEURISTIC_DTR},           {"MSPS", DTRMC_HEURISTIC_MSPS}};
  return all;
}

} // namespace

bool firmware_has(const GoldenRow& row) {
  return heuristics().count(row.heuristic) != 0 && row.runtime == "RuntimeV2EagerOptimized";
}

platform::PlatformConfig platform_config(const trace::Schedule& schedule, const GoldenRow& row) {
  platform::PlatformConfig config;
  const firmware::Image image = firmware::image();
  config.firmware.assign(image.data, image.data + image.size);
  config.firmware_name = "built-in firmware";
  config.budget = row.budget;
  config.heuristic = heuristics().at(row.heuristic);
  if (row.overhead_limit) config.remat_limit = sim::remat_limit(schedule, *row.overhead_limit);
  return config;
}

PlatformOutcome run_platform_in_child(const trace::Schedule& schedule, const platform::PlatformConfig& config) {
  const std::string text = platform::run_in_child([&] {
    const cosim::CosimReport report = cosim::run_cosim(schedule, config);
    const record::RunRecord& r = report.record;
    ordered_json json;
    json["fields"] = cosim::platform_fields(report.platform, config);
    json["failed_checks"] = report.failed_checks;
    json["failure_rule"] = report.platform.failure_rule;
    json["record"] = {static_cast<int>(r.status), r.clock,         r.model_compute,    r.remat_compute, r.max_memory,
                      r.policy_evictions,         r.all_evictions, r.distinct_evicted, r.policy_sha256, r.all_sha256};
    return json.dump();
  });
  const ordered_json json = ordered_json::parse(text);
  const ordered_json& r = json.at("record");
  PlatformOutcome outcome;
  outcome.fields = json.at("fields");
  outcome.failed_checks = json.at("failed_checks").get<std::vector<std::string>>();
  outcome.failure_rule = json.at("failure_rule").get<std::string>();
  outcome.record.status = static_cast<record::Status>(r.at(0).get<int>());
  outcome.record.clock = r.at(1);
  outcome.record.model_compute = r.at(2);
  outcome.record.remat_compute = r.at(3);
  outcome.record.max_memory = r.at(4);
  outcome.record.policy_evictions = r.at(5);
  outcome.record.all_evictions = r.at(6);
  outcome.record.distinct_evicted = r.at(7);
  outcome.record.policy_sha256 = r.at(8).get<std::string>();
  outcome.record.all_sha256 = r.at(9).get<std::string>();
  return outcome;
}

} // namespace dtrmc::test
