// SPDX-License-Identifier: Apache-2.0
#include "host/cli/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/cli/quantity.h"

namespace dtrmc::cli {

namespace {

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

} // namespace

Json golden_fields(const ResolvedRun& run, const record::RunRecord& record, bool with_evals) {
  Json out;
  out["trace"] = run.schedule.name;
  out["heuristic"] = run.heuristic.name;
  out["runtime"] = sim::to_string(run.runtime);
  out["ratio"] = optional(run.ratio);
  out["budget"] = run.budget;
  out["overhead_limit"] = optional(run.overhead_limit);
  out["status"] = record::to_string(record.status);
  out["clock"] = record.clock;
  out["model_compute"] = record.model_compute;
  out["remat_compute"] = record.remat_compute;
  out["max_memory"] = record.max_memory;
  out["policy_evictions"] = record.policy_evictions;
  out["all_evictions"] = record.all_evictions;
  out["distinct_evicted"] = record.distinct_evicted;
  if (with_evals) out["heuristic_evals"] = record.heuristic_evals;
  out["policy_sha256"] = record.policy_sha256;
  out["all_sha256"] = record.all_sha256;
  return out;
}

std::optional<double> overhead(const trace::Schedule& schedule, const record::RunRecord& record) {
  if (schedule.total_cost == 0 || record.status != record::Status::kOk) return std::nullopt;
  return static_cast<double>(record.clock) / static_cast<double>(schedule.total_cost);
}

Table golden_table(const ResolvedRun& run, const record::RunRecord& record) {
  Table table;
  table.emplace_back("trace", run.schedule.name);
  table.emplace_back("heuristic", fmt::format("{}, runtime {}", run.heuristic.name, sim::to_string(run.runtime)));
  std::string budget = human_bytes(run.budget);
  if (run.ratio) budget += fmt::format(", ratio {} of the unlimited peak {}", *run.ratio, *run.baseline_peak);
  table.emplace_back("budget", budget);
  if (run.overhead_limit) table.emplace_back("overhead limit", fmt::format("{}x", *run.overhead_limit));
  table.emplace_back("status", record::to_string(record.status));
  table.emplace_back("clock", human_time(record.clock));
  const std::optional<double> part = overhead(run.schedule, record);
  table.emplace_back("overhead", part ? fmt::format("{:.4f}x", *part) : std::string("-"));
  table.emplace_back("first runs", human_time(record.model_compute));
  table.emplace_back("rematerialisation", human_time(record.remat_compute));
  table.emplace_back("peak memory", human_bytes(record.max_memory));
  table.emplace_back("evictions", fmt::format("{} by the heuristic, {} in all, of {} distinct storages",
                                              record.policy_evictions, record.all_evictions, record.distinct_evicted));
  table.emplace_back("policy_sha256", record.policy_sha256);
  table.emplace_back("all_sha256", record.all_sha256);
  return table;
}

std::string format_table(const Table& table) {
  std::size_t width = 0;
  for (const auto& row : table) width = std::max(width, row.first.size());
  std::string out;
  for (const auto& [label, value] : table) out += fmt::format("{:<{}}  {}\n", label, width, value);
  return out;
}

} // namespace dtrmc::cli
