// SPDX-License-Identifier: Apache-2.0
// dtrmc sim: the software simulator.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>

#include "host/cli/arithmetic_options.h"
#include "host/cli/command.h"
#include "host/cli/quantity.h"
#include "host/cli/report.h"
#include "host/cli/storage_option.h"
#include "host/cli/usage_error.h"
#include "host/record/output_file.h"
#include "host/record/run_recorder.h"
#include "host/sim/choice_audit.h"
#include "host/sim/memory_series.h"
#include "host/sim/policies.h"
#include "host/sim/simulator.h"
#include "host/sim/tie_counter.h"

namespace dtrmc::cli {

namespace {

struct SimOptions : RunOptions {
  ArithmeticOptions arithmetic;
  std::vector<std::string> retain;
  std::string seed;
  bool ties = false;
  std::vector<std::string> audit;
  std::optional<std::size_t> memory_series;
};

// --heuristic random --seed N is the heuristic random:N.
RunOptions with_seed(const SimOptions& options) {
  RunOptions out = options;
  if (options.seed.empty()) return out;
  if (options.heuristic.find(':') != std::string::npos) {
    throw UsageError(
        fmt::format("--seed {}: heuristic '{}' has its parameter already", options.seed, options.heuristic));
  }
  const auto refusal = [](const std::string& heuristic) -> std::string {
    try {
      sim::parse_heuristic(heuristic);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  if (refusal(options.heuristic).empty()) {
    throw UsageError(fmt::format("--seed {}: heuristic {} draws nothing", options.seed, options.heuristic));
  }
  const std::string why = refusal(options.heuristic + ":" + options.seed);
  if (!why.empty()) throw UsageError(fmt::format("--seed {}: {}", options.seed, why));
  out.heuristic += ":" + options.seed;
  return out;
}

double mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
}

double mean_regret(const sim::ChoiceAudit::Judged& judged, std::uint64_t decisions) {
  return decisions == 0 ? 0.0 : judged.regret_sum / static_cast<double>(decisions);
}

Json tie_fields(const sim::TieCounter::Count& count) {
  return {{"decisions", count.decisions}, {"candidates", count.candidates}};
}

Json series_fields(const sim::MemorySeries& series) {
  Json memory = Json::array();
  Json pinned = Json::array();
  for (const sim::MemorySeries::Bucket& bucket : series.buckets()) {
    memory.push_back(bucket.memory);
    pinned.push_back(bucket.pinned);
  }
  return {{"bucket_ns", series.width()}, {"first_clock", 1}, {"memory", memory}, {"pinned", pinned}};
}

// NAME or NAME@TICK.
sim::ChoiceAudit::Judged parse_audit(const std::string& text, const sim::Settings& settings) {
  const std::size_t at = text.find('@');
  sim::Settings audited = settings;
  apply(ArithmeticOptions{text.substr(0, at), at == std::string::npos ? "1" : text.substr(at + 1)}, audited);
  sim::ChoiceAudit::Judged judged;
  judged.arithmetic = audited.arithmetic;
  judged.tick_ns = audited.tick_ns;
  return judged;
}

Json audit_fields(const sim::ChoiceAudit& audit) {
  Json out = Json::array();
  for (const sim::ChoiceAudit::Judged& j : audit.judged()) {
    out.push_back({{"arithmetic", arithmetic::name(j.arithmetic)},
                   {"tick_ns", j.tick_ns},
                   {"decisions", audit.decisions()},
                   {"other", j.other},
                   {"regret_sum", j.regret_sum},
                   {"regret_max", j.regret_max},
                   {"unbounded", j.unbounded}});
  }
  return out;
}

int run_sim(const SimOptions& options) {
  const ResolvedRun run = resolve(with_seed(options));
  if (options.memory_series && !options.json)
    throw UsageError("--memory-series: give --json, too: a table has no place for it");
  if (options.ties && run.heuristic.policy != nullptr && run.heuristic.policy->kind == sim::ParameterKind::kSeed) {
    throw UsageError(fmt::format("--ties: heuristic {} draws its victims by lot: it compares no scores that could tie",
                                 run.heuristic.name));
  }
  sim::Settings settings;
  settings.heuristic = run.heuristic;
  settings.runtime = run.runtime;
  settings.budget = run.budget;
  settings.remat_limit = run.remat_limit;
  apply(options.arithmetic, settings);
  for (const std::string& text : options.retain)
    settings.retained.push_back(find_storage(run.schedule, text, "--retain"));
  std::unique_ptr<record::OutputFile> list;
  std::unique_ptr<record::RunRecorder> recorder;
  if (!options.evictions.empty()) {
    list = std::make_unique<record::OutputFile>(options.evictions);
    recorder = std::make_unique<record::RunRecorder>(run.schedule, &list->stream());
    settings.events = recorder.get();
  }
  sim::TieCounter ties;
  if (options.ties) settings.decisions = &ties;
  std::optional<sim::ChoiceAudit> audit;
  if (!options.audit.empty()) {
    if (options.ties) throw UsageError("--audit and --ties: give one of them");
    const sim::Heuristic& h = run.heuristic;
    if (h.policy != nullptr || h.cost == sim::CostMetric::kLastAccess) {
      throw UsageError(fmt::format("--audit: heuristic {} has no score of cost, size and staleness", h.name));
    }
    std::vector<sim::ChoiceAudit::Judged> judged;
    for (const std::string& text : options.audit) judged.push_back(parse_audit(text, settings));
    settings.decisions = &audit.emplace(std::move(judged));
  }
  std::optional<sim::MemorySeries> series;
  if (options.memory_series) {
    series.emplace(*options.memory_series);
    settings.allocations = &*series;
  }
  const auto begin = std::chrono::steady_clock::now();
  const sim::Result result = sim::simulate(run.schedule, settings);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  if (list) list->commit();
  if (series) series->finish(result.record.clock);
  const std::uint32_t most_evicted = result.eviction_histogram.empty() ? 0 : result.eviction_histogram.back().first;
  const double mean_candidates = mean(result.candidates, result.record.policy_evictions);
  const double mean_evicted = mean(result.record.all_evictions, result.record.distinct_evicted);

  if (options.json) {
    Json out = golden_fields(run, result.record, true);
    out["arithmetic"] = arithmetic::name(settings.arithmetic);
    out["tick_ns"] = settings.tick_ns;
    out["pinned_peak"] = result.pinned_peak;
    out["depth_at_pinned_peak"] = result.depth_at_pinned_peak;
    out["max_nesting"] = result.max_nesting;
    if (result.failure) {
      const sim::Failure& f = *result.failure;
      out["failure"] = {
          {"request", f.request}, {"over_by", f.over_by}, {"pinned", f.pinned}, {"depth", f.depth}, {"operator", f.op}};
    }
    if (!result.simrd_defined) out["simrd_defined"] = false;
    out["candidates"] = {{"mean", mean_candidates}, {"max", result.most_candidates}};
    out["evictions_per_storage"] = {
        {"mean", mean_evicted}, {"max", most_evicted}, {"histogram", result.eviction_histogram}};
    if (options.ties) out["ties"] = {{"exact", tie_fields(ties.exact())}, {"within_1e-6", tie_fields(ties.near())}};
    if (audit) out["audit"] = audit_fields(*audit);
    if (series) out["memory_series"] = series_fields(*series);
    out["host"] = {{"wall_s", wall.count()}};
    std::cout << out.dump() << '\n';
  } else {
    Table table = golden_table(run, result.record);
    if (!arithmetic::is_exact(settings.arithmetic) || settings.tick_ns != 1) {
      table.emplace_back("arithmetic", fmt::format("{}, staleness in ticks of {} ns",
                                                   arithmetic::name(settings.arithmetic), settings.tick_ns));
    }
    table.emplace_back("candidates scored", fmt::format("{}", result.record.heuristic_evals));
    table.emplace_back("candidates",
                       fmt::format("{:.1f} a decision, {} at most", mean_candidates, result.most_candidates));
    table.emplace_back("re-evictions", fmt::format("a storage that was evicted was so {:.2f} times, {} at most",
                                                   mean_evicted, most_evicted));
    if (options.ties) {
      table.emplace_back("score ties", fmt::format("{} decisions exactly, {} within 1e-6", ties.exact().decisions,
                                                   ties.near().decisions));
    }
    if (audit) {
      for (const sim::ChoiceAudit::Judged& j : audit->judged()) {
        table.emplace_back(fmt::format("{}, {} ns", arithmetic::name(j.arithmetic), j.tick_ns),
                           fmt::format("another victim in {} of {} decisions; regret {:.2g} on average, {:.2g} at most",
                                       j.other, audit->decisions(), mean_regret(j, audit->decisions()), j.regret_max));
      }
    }
    table.emplace_back("pinned peak",
                       fmt::format("{}, at nesting {}", human_bytes(result.pinned_peak), result.depth_at_pinned_peak));
    table.emplace_back("deepest nesting", fmt::format("{}", result.max_nesting));
    if (result.failure) {
      const sim::Failure& f = *result.failure;
      table.emplace_back("failed at",
                         fmt::format("operator {} '{}' (line {}), nesting {}", f.op, run.schedule.operator_name(f.op),
                                     run.schedule.operators[f.op].line, f.depth));
      table.emplace_back("request", fmt::format("{}, {} bytes over the budget with {} pinned", human_bytes(f.request),
                                                f.over_by, human_bytes(f.pinned)));
    }
    if (!result.simrd_defined) {
      table.emplace_back("note", "simrd itself stops with an assertion on this run (see dtrmc trace check)");
    }
    std::cout << format_table(table);
  }
  return exit_code(options, result.record.status);
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<SimOptions>();
  add_run_options(app, *options);
  add_arithmetic_options(app, options->arithmetic);
  app.add_option("--retain", options->retain,
                 "never offer this storage for eviction (name or number of its first tensor); repeatable")
      ->allow_extra_args(false);
  app.add_option("--seed", options->seed, "of --heuristic random, below 2^64; the same as random:SEED");
  app.add_flag("--ties", options->ties,
               "count the decisions in which the smallest score ties (of a victim rule: of what it compares); about "
               "twice as long");
  app.add_option(
         "--audit", options->audit,
         "ARITHMETIC or ARITHMETIC@TICK, with commas: at each decision of this run, whether it would take another "
         "victim from the same pool than exact arithmetic with 1 ns, and how much larger that one's score is")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--memory-series", options->memory_series,
                 "with --json: peak and pinned memory over model time, in at most this many buckets of equal width")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20));
  return [options] { return run_sim(*options); };
}

} // namespace

extern const Command kSimCommand;
const Command kSimCommand = {"sim", "replay a trace in the software simulator",
                             "dtrmc sim resnet32 --ratio 0.3 --heuristic dtr-eq --overhead-limit 2", set_up};

} // namespace dtrmc::cli
