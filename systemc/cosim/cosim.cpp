// SPDX-License-Identifier: Apache-2.0
#include "systemc/cosim/cosim.h"

#include <fmt/format.h>

#include "host/record/run_recorder.h"

namespace dtrmc::cosim {

namespace {

using nlohmann::ordered_json;
using platform::PlatformConfig;
using platform::PlatformResult;

class Observer : public platform::PlatformObserver {
 public:
  Observer(record::RunRecorder& recorder, const CosimSinks& sinks) : recorder_(recorder), sinks_(sinks) {}
  void on_event(const record::Event& event, std::uint64_t device_time_ps, std::uint64_t memory_bytes) override {
    // The event comes before it takes effect, so `memory_bytes` held until now.
    if (sinks_.memory != nullptr) sinks_.memory->on_memory(device_time_ps, memory_bytes);
    recorder_.on_event(event);
    if (sinks_.memory != nullptr) sinks_.memory->on_memory(device_time_ps, recorder_.memory());
    if (sinks_.events != nullptr) sinks_.events->on_event(event);
    if (sinks_.timed_events != nullptr) sinks_.timed_events->on_event(event, device_time_ps);
  }
  void on_decision(const platform::Decision& decision) override {
    if (sinks_.decisions != nullptr) sinks_.decisions->on_decision(decision);
  }
  bool wants_pools() const override { return sinks_.decisions != nullptr && sinks_.decisions->wants_pools(); }

 private:
  record::RunRecorder& recorder_;
  const CosimSinks& sinks_;
};

record::Status status_of(std::uint32_t fail_reason) {
  switch (fail_reason) {
    case DTRMC_FAIL_OOM:
      return record::Status::kOom;
    case DTRMC_FAIL_THRASH:
      return record::Status::kThrash;
    case DTRMC_FAIL_METADATA_FULL:
      return record::Status::kMetadataFull;
    default:
      return record::Status::kOk;
  }
}

void check(const CosimReport& report, std::uint64_t clock_mismatches, std::vector<std::string>& failed) {
  const PlatformResult& p = report.platform;
  const record::RunRecord& r = report.record;
  if (!p.failure.empty()) {
    failed.push_back(p.failure);
    return; // the counters of a run that broke off say nothing
  }
  if (p.fail_reason == DTRMC_FAIL_BAD_COMMAND) failed.push_back("the firmware refused a command descriptor");
  if (p.fail_reason == DTRMC_FAIL_BAD_CONFIG) failed.push_back("the firmware refused its configuration block");
  const auto equal = [&](const char* what, std::uint64_t left, const char* left_name, std::uint64_t right,
                         const char* right_name) {
    if (left != right) {
      failed.push_back(fmt::format("{}: {} by the {}, {} by the {}", what, left, left_name, right, right_name));
    }
  };
  equal("events with a clock of their own", clock_mismatches, "ledger", 0, "recorder");
  equal("model clock", p.clock, "ledger", r.clock, "recorder");
  equal("model clock", p.clock, "ledger", p.firmware.clock, "firmware");
  equal("first-run compute", r.model_compute, "recorder", p.firmware.model_compute, "firmware");
  equal("rematerialisation compute", r.remat_compute, "recorder", p.firmware.remat_compute, "firmware");
  equal("policy evictions", r.policy_evictions, "recorder", p.firmware.decisions, "firmware");
  equal("policy evictions", r.policy_evictions, "recorder", p.decisions.count, "decision marks");
  equal("peak memory", p.max_memory, "ledger", r.max_memory, "recorder");
  equal("accelerator busy time", p.accelerator_busy_ns, "accelerator", r.clock - 1, "model clock");
  std::uint64_t sum = 0;
  for (const std::uint64_t cycles : p.activity_cycles) sum += cycles;
  equal("controller cycles", sum, "activities", p.cycles, "cycle counter");
  if (p.device_time_ps < p.accelerator_busy_ns * 1000) {
    failed.push_back("device time is shorter than the accelerator's");
    return;
  }
  std::uint64_t stall = 0;
  for (const std::uint64_t ps : p.stall) stall += ps;
  equal("the accelerator's idle time, ps", stall, "causes", p.device_time_ps - p.accelerator_busy_ns * 1000,
        "device time");
}

// Nanoseconds of a time in ps: an integer where it is one.
ordered_json nanoseconds(std::uint64_t ps) {
  if (ps % 1000 == 0) return ps / 1000;
  return static_cast<double>(ps) / 1000;
}

} // namespace

CosimReport run_cosim(const trace::Schedule& schedule, const PlatformConfig& config, const CosimSinks& sinks) {
  CosimReport report;
  record::RunRecorder recorder(schedule, sinks.evictions);
  Observer observer(recorder, sinks);
  report.platform = platform::run_platform(schedule, config, &observer);
  const std::uint64_t mismatches = recorder.clock_mismatches();
  report.record = recorder.finish(status_of(report.platform.fail_reason));
  check(report, mismatches, report.failed_checks);
  return report;
}

ordered_json platform_fields(const PlatformResult& p, const PlatformConfig& config) {
  const dtrmc_shared& f = p.firmware;
  const bool with_unit = platform::has_unit(config.scorer);
  ordered_json json;
  json["scorer"] = platform::to_string(config.scorer);
  if (with_unit) {
    json["arithmetic"] = p.unit_arithmetic;
    json["lanes"] = p.unit_lanes;
    json["table_depth"] = p.unit_depth;
    json["search"] = p.unit_search;
  } else {
    json["arithmetic"] = "exact";
  }
  json["time_base"] = config.time == DTRMC_TIME_DEVICE ? "device" : "model";
  json["tick_ns"] = config.tick_ns;
  json["queue_depth"] = config.queue_depth;
  json["device_time_ns"] = nanoseconds(p.device_time_ps);
  json["accelerator_busy_ns"] = p.accelerator_busy_ns;
  json["exposed_controller_ns"] = nanoseconds(p.device_time_ps - p.accelerator_busy_ns * 1000);
  ordered_json stall;
  for (std::size_t i = 0; i < platform::kStallCauses; ++i) {
    stall[std::string(platform::kStallNames[i]) + "_ns"] = nanoseconds(p.stall[i]);
  }
  json["stall"] = stall;
  ordered_json cycles;
  cycles["total"] = p.cycles;
  cycles["commands"] = p.activity_cycles[DTRMC_ACTIVITY_COMMANDS];
  cycles["metadata"] = p.activity_cycles[DTRMC_ACTIVITY_METADATA];
  cycles["cost"] = p.activity_cycles[DTRMC_ACTIVITY_COST];
  cycles["score"] = p.activity_cycles[DTRMC_ACTIVITY_SCORE];
  cycles["search"] = p.activity_cycles[DTRMC_ACTIVITY_SEARCH];
  cycles["wait_unit"] = p.activity_cycles[DTRMC_ACTIVITY_WAIT_UNIT];
  cycles["wait_accelerator"] = p.activity_cycles[DTRMC_ACTIVITY_WAIT_ACCELERATOR];
  cycles["idle"] = p.activity_cycles[DTRMC_ACTIVITY_IDLE];
  json["controller"] = {{"cpu", config.cpu},
                        {"profile", config.cpu_profile},
                        {"mhz", config.controller_mhz},
                        {"instructions", p.instructions},
                        {"cycles", cycles}};
  const double mean = f.decisions == 0 ? 0 : static_cast<double>(f.candidates) / static_cast<double>(f.decisions);
  json["decisions"] = {{"count", p.decisions.count},
                       {"cycles",
                        {{"min", p.decisions.min},
                         {"p50", p.decisions.p50},
                         {"p90", p.decisions.p90},
                         {"p99", p.decisions.p99},
                         {"max", p.decisions.max}}},
                       {"candidates", {{"mean", mean}, {"max", f.candidates_max}}}};
  if (with_unit) {
    json["unit"] = {{"name", config.unit},
                    {"mhz", config.unit_mhz != 0 ? config.unit_mhz : config.controller_mhz},
                    {"active_cycles", f.search_cycles},
                    {"table_writes", p.unit_traffic.table_writes},
                    {"bus_accesses", p.unit_traffic.accesses},
                    {"bus_cycles", p.unit_traffic.bus_cycles},
                    {"stall_cycles", p.unit_traffic.stall_cycles},
                    {"overflow_scans", f.overflow_scans},
                    {"redecided", f.redecided}};
  }
  json["max_nesting"] = f.max_nesting;
  json["metadata_bytes"] = {{"peak", f.metadata_peak}, {"ram", config.ram_bytes}};
  return json;
}

} // namespace dtrmc::cosim
