// SPDX-License-Identifier: Apache-2.0
// dtrmc compare: simulator and platform side by side; exit code 1 where they differ.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

#include "host/cli/command.h"
#include "host/cli/compared_run.h"
#include "host/cli/iss_reference.h"
#include "host/cli/platform_options.h"
#include "host/cli/platform_report.h"
#include "host/cli/quantity.h"
#include "host/cli/usage_error.h"
#include "host/compare/ranking.h"

namespace dtrmc::cli {

namespace {

Json event_json(const trace::Schedule& schedule, const std::optional<record::Event>& event) {
  if (!event) return nullptr;
  const bool execution =
      event->kind == record::EventKind::kFirstRun || event->kind == record::EventKind::kRematerialize;
  Json json;
  json["kind"] = record::to_string(event->kind);
  json["id"] = event->id;
  json["name"] = std::string(execution ? schedule.operator_name(event->id) : schedule.storage_name(event->id));
  json["clock"] = event->clock;
  return json;
}

// What the run came to, on one side.
Json outcome_json(const trace::Schedule& schedule, const record::RunRecord& r) {
  Json json;
  json["status"] = record::to_string(r.status);
  json["overhead"] = overhead(schedule, r) ? Json(*overhead(schedule, r)) : Json(nullptr);
  json["clock"] = r.clock;
  json["remat_compute"] = r.remat_compute;
  json["policy_evictions"] = r.policy_evictions;
  json["max_memory"] = r.max_memory;
  json["policy_sha256"] = r.policy_sha256;
  return json;
}

std::string outcome_text(const trace::Schedule& schedule, const record::RunRecord& simulator,
                         const record::RunRecord& platform) {
  std::string text = "what it comes to\n";
  for (const auto& [name, r] : {std::pair{"simulator", &simulator}, std::pair{"platform", &platform}}) {
    const std::optional<double> part = overhead(schedule, *r);
    text += fmt::format("  {:<10} {}, overhead {}, rematerialization {}, {} policy evictions\n", name,
                        record::to_string(r->status), part ? fmt::format("{:.6f}x", *part) : "-",
                        human_time(r->remat_compute), r->policy_evictions);
  }
  return text;
}

Json moved_json(const trace::Schedule& schedule, const compare::MovedDecision& decision) {
  const auto side = [](const sim::Candidate& seen) {
    Json json;
    json["cost"] = static_cast<std::int64_t>(seen.cost);
    if (seen.size) json["size"] = *seen.size;
    if (seen.staleness) json["staleness_ticks"] = *seen.staleness;
    const double h = compare::score(seen);
    json["score"] = std::isfinite(h) ? Json(h) : Json("inf"); // a denominator of 0
    return json;
  };
  const auto candidate = [&](const compare::MovedCandidate& c) {
    Json json;
    json["storage"] = c.storage;
    json["name"] = std::string(schedule.storage_name(c.storage));
    json["simulator"] = side(c.simulator);
    json["platform"] = side(c.platform);
    const std::optional<double> moved = compare::staleness_moved(decision, c);
    json["staleness_moved"] = moved ? Json(*moved) : Json(nullptr);
    return json;
  };
  Json json;
  json["decision"] = decision.index;
  json["candidates"] = decision.candidates;
  json["tick_ns"] = {{"simulator", decision.simulator_tick}, {"platform", decision.platform_tick}};
  json["platform_victim"] = candidate(decision.platform_victim);
  json["simulator_victim"] = candidate(decision.simulator_victim);
  json["why"] = compare::why(schedule, decision);
  return json;
}

constexpr std::size_t kSmallestMargins = 5; // decisions that are listed

std::string victim_name(const trace::Schedule& schedule, const compare::JudgedDecision& decision) {
  return std::string(schedule.storage_name(decision.storage));
}

Json margins_json(const trace::Schedule& schedule, const compare::MarginSummary& summary) {
  Json json;
  json["decisions"] = summary.decisions;
  json["ties"] = summary.ties;
  Json within = Json::array();
  for (std::size_t i = 0; i < compare::kFormats.size(); ++i) {
    within.push_back({{"format", compare::kFormats[i].name},
                      {"relative_error", compare::kFormats[i].error},
                      {"decisions", summary.within[i]}});
  }
  json["within"] = within;
  Json smallest = Json::array();
  for (const compare::JudgedDecision* d : summary.smallest) {
    smallest.push_back({{"event", d->event},
                        {"victim", victim_name(schedule, *d)},
                        {"runner_up", std::string(schedule.storage_name(d->runner_up->storage))},
                        {"margin", d->margin}});
  }
  json["smallest"] = smallest;
  return json;
}

std::string margins_text(const trace::Schedule& schedule, const compare::MarginSummary& summary) {
  std::string text =
      fmt::format("margin between victim and runner-up, over {} decisions: {} ties\n", summary.decisions, summary.ties);
  for (std::size_t i = 0; i < compare::kFormats.size(); ++i) {
    text += fmt::format("  {:>7} within the error of {} ({:.2g})\n", summary.within[i], compare::kFormats[i].name,
                        compare::kFormats[i].error);
  }
  for (const compare::JudgedDecision* d : summary.smallest) {
    text += fmt::format("  event {:>7}  margin {:.3e}  {} before {}\n", d->event, d->margin, victim_name(schedule, *d),
                        schedule.storage_name(d->runner_up->storage));
  }
  return text;
}

int run_compare(const RunOptions& run_options, const PlatformOptions& platform_options, const std::string& table_path,
                const std::string& arithmetic) {
  if (!run_options.evictions.empty()) {
    throw UsageError("--evictions: compare writes no list; use dtrmc sim and dtrmc cosim");
  }
  platform::PlatformConfig config = resolve(platform_options);
  require_firmware_heuristic(run_options.heuristic);
  const ResolvedRun run = resolve(run_options);
  apply(run, config);
  std::error_code ignored;
  if (!table_path.empty() && std::filesystem::equivalent(table_path, run.trace_path, ignored)) {
    throw UsageError("--table names the trace itself; it would be overwritten");
  }
  CompareExtras extras;
  extras.unit_arithmetic = arithmetic == "unit";
  const bool may_differ = difference_expected(config, extras);
  const std::optional<IssReference> on_iss = iss_reference(run.schedule, config);
  extras.decisions = true;
  extras.moved = may_differ;
  extras.table = table_path;
  const ComparedRun result = compare_run(run, config, extras);
  const compare::MarginSummary margins = compare::summarise(result.decisions, kSmallestMargins);
  const compare::EventCounts& counts = result.counts;

  if (run_options.json) {
    Json out = golden_fields(run, result.simulator.record, false);
    out.update(cosim::platform_fields(result.platform.platform, config));
    out["identical"] = result.identical;
    out["events"] = result.events;
    if (result.difference) {
      out["difference"] = {{"event", result.difference->index},
                           {"simulator", event_json(run.schedule, result.difference->reference)},
                           {"platform", event_json(run.schedule, result.difference->candidate)}};
      if (result.moved) out["difference"]["decision"] = moved_json(run.schedule, *result.moved);
    }
    if (may_differ) {
      out["outcome"] = {{"simulator", outcome_json(run.schedule, result.simulator.record)},
                        {"platform", outcome_json(run.schedule, result.platform.record)}};
    }
    if (on_iss) out["controller"]["iss_cycles"] = on_iss->cycles;
    out["margins"] = margins_json(run.schedule, margins);
    if (!result.identical) out["platform_status"] = record::to_string(result.platform.record.status);
    if (!result.platform.failed_checks.empty()) { // such a run has no status
      out["platform_status"] = nullptr;
      out["failed_checks"] = result.platform.failed_checks;
    }
    std::cout << out.dump() << '\n';
  } else {
    Table table = golden_table(run, result.simulator.record);
    for (auto& row : platform_table(result.platform.platform, config)) table.push_back(std::move(row));
    if (on_iss) table.emplace_back("controller cycles", compare_cycles(result.platform.platform.cycles, *on_iss));
    std::cout << format_table(table) << '\n';
    if (result.identical) {
      std::cout << fmt::format(
          "identical: {} events ({} first runs, {} rematerializations, {} policy evictions, {} eager evictions), "
          "same status, clock, peak and hashes\n",
          result.events, counts.first_runs, counts.rematerializations, counts.policy_evictions, counts.eager_evictions);
    } else if (result.difference) {
      std::cout << fmt::format("different from event {} on ({} equal events before it):\n", result.difference->index,
                               result.events);
    } else {
      std::cout << fmt::format("{} equal events, but:\n", result.events);
    }
    for (const std::string& line : result.context) std::cout << line << '\n';
    if (result.moved) {
      for (const std::string& line : compare::to_lines(run.schedule, *result.moved)) {
        std::cout << line << '\n';
      }
    }
    if (may_differ && !result.identical) {
      std::cout << outcome_text(run.schedule, result.simulator.record, result.platform.record);
    }
    if (margins.decisions != 0) std::cout << margins_text(run.schedule, margins);
  }
  const int failed = report_failed_checks(result.platform);
  if (failed != 0) return failed;
  if (!result.identical && !may_differ) return 1;
  if (run_options.require == kRequireIdentical) return result.identical ? 0 : 3;
  return exit_code(run_options, result.platform.record.status);
}

std::function<int()> set_up(CLI::App& app) {
  auto run = std::make_shared<RunOptions>();
  auto platform = std::make_shared<PlatformOptions>();
  add_run_options(app, *run);
  run->may_require_identical = true;
  app.get_option("--require")
      ->description(
          "exit with 3 unless the platform's run ends so: ok, oom, thrash, metadata_full; or unless both are "
          "identical");
  add_platform_options(app, *platform);
  add_debug_options(app, *platform);
  auto table = std::make_shared<std::string>();
  app.add_option("--table", *table,
                 "write the aligned events with times, cycles, scores and margins to this file (.csv or .jsonl, also "
                 ".gz)")
      ->check(file_name);
  auto arithmetic = std::make_shared<std::string>("exact");
  app.add_option("--arithmetic", *arithmetic,
                 "of the simulator: exact, where an approximate unit may choose otherwise (exit code 0); or the unit's "
                 "own, where any difference is an error (exit code 1); default exact")
      ->check(CLI::IsMember({"exact", "unit"}));
  return [run, platform, table, arithmetic] { return run_compare(*run, *platform, *table, *arithmetic); };
}

} // namespace

extern const Command kCompareCommand;
const Command kCompareCommand = {"compare", "run simulator and platform, align them event by event",
                                 "dtrmc compare resnet32 --ratio 0.3 --heuristic dtr-eq", set_up};

} // namespace dtrmc::cli
