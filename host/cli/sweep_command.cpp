// SPDX-License-Identifier: Apache-2.0
// dtrmc sweep: many runs, of several traces, heuristics and budgets, into one file.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "host/cli/arithmetic_options.h"
#include "host/cli/command.h"
#include "host/cli/quantity.h"
#include "host/cli/report.h"
#include "host/cli/sweep_engine.h"
#include "host/cli/usage_error.h"
#include "host/record/file_hash.h"
#include "host/report/status_line.h"
#include "host/sweep/sweep.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"

namespace dtrmc::cli {

namespace {

struct SweepOptions {
  std::vector<std::string> traces;
  std::vector<std::string> heuristics;
  std::vector<std::string> runtimes;
  std::vector<std::string> ratios;
  std::vector<std::string> budgets;
  std::string samples = "0";
  std::string seed = "1";
  bool refine = false;
  std::string refine_step = "0.0001";
  std::string baseline = "self";
  std::string overhead_limit = "60";
  std::string engine = "sim";
  std::string output;
  std::string jobs;
  std::string shard = "1/1";
  std::vector<std::string> arithmetic;
  SweptPlatform platform;
};

struct Shard {
  std::uint64_t index = 0; // from 0
  std::uint64_t count = 1;
};

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw UsageError(fmt::format("--shard {}: give K/N, such as 1/8 to 8/8", trace::in_quotes(text)));
  }
  Shard shard;
  shard.count = parse_count(text.substr(slash + 1), "--shard (N)", 1, 1000000);
  shard.index = parse_count(text.substr(0, slash), "--shard (K)", 1, shard.count) - 1;
  return shard;
}

// What the options say, before any trace is read.
struct Checked {
  SweepSettings settings;
  std::vector<double> ratios;
  std::vector<std::uint64_t> budgets;
  std::uint64_t samples = 0;
  std::uint64_t seed = 0;
  Shard shard;
  unsigned jobs = 1;
};

Checked check(const SweepOptions& options) {
  Checked c;
  c.settings.baseline = options.baseline == "simrd" ? sim::Runtime::kV1 : sim::Runtime::kV2Eager;
  if (options.baseline != "self" && options.baseline != "simrd") {
    throw UsageError(fmt::format("--baseline {}: unknown; known: self, simrd", trace::in_quotes(options.baseline)));
  }
  if (options.engine != "sim" && options.engine != "cosim") {
    throw UsageError(fmt::format("--engine {}: unknown; known: sim, cosim", trace::in_quotes(options.engine)));
  }
  if (options.engine != "cosim" && !options.platform.empty()) {
    throw UsageError(
        "--scorer, --unit, --queue-depth, --controller-mhz, --unit-mhz, --cpu-profile and --time need "
        "--engine cosim");
  }
  if (options.engine != "sim" && !options.arithmetic.empty()) {
    throw UsageError("--arithmetic needs --engine sim; a platform's --unit has its own");
  }
  if (options.overhead_limit != "none") {
    c.settings.overhead_limit = parse_number(options.overhead_limit, "--overhead-limit");
    if (*c.settings.overhead_limit < 1) {
      throw UsageError(fmt::format("--overhead-limit {}: must be at least 1, or none", options.overhead_limit));
    }
  }
  const auto ranges = [](const std::vector<std::string>& texts, const char* option, const auto& parse, auto& out) {
    for (const std::string& text : texts) {
      try {
        const auto values = parse(text);
        out.insert(out.end(), values.begin(), values.end());
      } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("{} {}: {}", option, trace::in_quotes(text), error.what()));
      }
      if (out.size() > sweep::kMostPoints) throw UsageError(fmt::format("{}: more than 10 million points", option));
    }
  };
  ranges(options.ratios, "--ratios", sweep::parse_ratios, c.ratios);
  const auto bytes = [](const std::string& text) { return parse_bytes(text, "--budgets"); };
  ranges(
      options.budgets, "--budgets", [&](const std::string& text) { return sweep::parse_budgets(text, bytes); },
      c.budgets);
  if (c.ratios.empty() && c.budgets.empty())
    throw UsageError("give --ratios or --budgets, such as --ratios 0.1:0.5:0.01");
  c.samples = parse_count(options.samples, "--samples", 0, sweep::kMostPoints);
  if (c.samples > 0 && c.ratios.size() + c.budgets.size() < 2) {
    throw UsageError("--samples lie between the lowest and the highest point; give two points or a range");
  }
  c.seed = parse_count(options.seed, "--seed", 0, 1'000'000'000'000'000'000u);
  c.shard = parse_shard(options.shard);
  c.jobs = static_cast<unsigned>(options.jobs.empty() ? std::max(1u, std::thread::hardware_concurrency())
                                                      : parse_count(options.jobs, "--jobs", 1, 1024));
  c.settings.variants =
      options.engine == "cosim"
          ? platform_variants(options.heuristics, options.runtimes, options.platform)
          : simulator_variants(options.heuristics, options.runtimes, {options.arithmetic, options.platform.tick_ns});
  return c;
}

std::uint64_t parse_step(const std::string& text, std::uint64_t peak) {
  if (!text.empty() && text.find_first_not_of("0123456789.") == std::string::npos) {
    const double value = parse_number(text, "--refine-step");
    if (value <= 1) return std::max<std::uint64_t>(1, sweep::budget_of(peak, value));
  }
  return std::max<std::uint64_t>(1, parse_bytes(text, "--refine-step"));
}

void print(const sweep::Tally& tally, const std::string& output) {
  Table table;
  table.emplace_back("points",
                     fmt::format("{}: {} run now, {} there before", tally.done + tally.there, tally.done, tally.there));
  std::string statuses;
  for (const auto& [status, count] : tally.statuses) {
    statuses += fmt::format("{}{} {}", statuses.empty() ? "" : ", ", count, status);
  }
  table.emplace_back("outcomes", statuses.empty() ? "none" : statuses);
  if (tally.failed > 0) table.emplace_back("failed", fmt::format("{}, not in the file", tally.failed));
  table.emplace_back("file", output);
  std::cout << format_table(table);
}

int run_sweep(const SweepOptions& options) {
  Checked c = check(options);
  Json header;
  header["dtrmc"] = "sweep";
  header["format"] = 1;
  header["version"] = DTRMC_VERSION;
  header["engine"] = options.engine;
  header["baseline"] = options.baseline;
  header["overhead_limit"] = c.settings.overhead_limit ? Json(*c.settings.overhead_limit) : Json(nullptr);
  header["variants"] = Json::array();
  for (const SweepVariant& variant : c.settings.variants) header["variants"].push_back(variant.key);
  header["ratios"] = options.ratios;
  header["budgets"] = options.budgets;
  header["samples"] = c.samples;
  header["seed"] = c.seed;
  header["refine_step"] = options.refine ? Json(options.refine_step) : Json(nullptr);
  header["shard"] = fmt::format("{}/{}", c.shard.index + 1, c.shard.count);
  header[sweep::kTraces] = Json::object();

  // A broken trace is said and left out; the others go on.
  std::uint64_t broken = 0;
  std::vector<std::shared_ptr<const SweepTrace>> traces;
  std::set<std::string> names;
  for (const std::string& given : options.traces) {
    try {
      const std::string path = trace::find_trace(given);
      traces.push_back(std::make_shared<SweepTrace>(trace::parse_file(path), c.settings));
      const SweepTrace& t = *traces.back();
      if (!names.insert(t.schedule.name).second) {
        throw UsageError(fmt::format("two traces are called {}; rows could not tell them apart", t.schedule.name));
      }
      header[sweep::kTraces][t.schedule.name] = {{"sha256", record::file_sha256(path)},
                                                 {"baseline_peak", t.peak},
                                                 {"baseline_compute", t.schedule.total_cost}};
    } catch (const trace::TraceError& error) {
      std::cerr << fmt::format("dtrmc: error: {} (this trace is left out)\n", error.what());
      ++broken;
    }
  }
  if (traces.empty()) throw UsageError("no trace is left to sweep");

  sweep::Plan plan;
  plan.jobs = c.jobs;
  std::vector<SweepPointRunner> runners; // by series
  std::uint64_t point = 0;
  for (std::size_t t = 0; t < traces.size() * c.settings.variants.size(); ++t) {
    const std::shared_ptr<const SweepTrace>& swept = traces[t / c.settings.variants.size()];
    const SweepVariant& variant = c.settings.variants[t % c.settings.variants.size()];
    sweep::Series series;
    series.key["trace"] = swept->schedule.name;
    series.key.update(variant.key);
    sweep::Budgets all;
    for (const std::uint64_t budget : c.budgets) all.emplace(budget, std::nullopt);
    for (const double ratio : c.ratios) all[sweep::budget_of(swept->peak, ratio)] = ratio;
    for (const std::uint64_t budget :
         sweep::draw_samples(all.begin()->first, all.rbegin()->first, c.samples, c.seed, swept->schedule.name)) {
      all.emplace(budget, std::nullopt);
    }
    if (options.refine) {
      // Refinement needs all neighbours: a shard takes whole series.
      series.refine_step = parse_step(options.refine_step, swept->peak);
      if (t % c.shard.count != c.shard.index) continue;
      series.budgets = std::move(all);
    } else {
      for (const auto& entry : all) {
        if (point++ % c.shard.count == c.shard.index) series.budgets.insert(entry);
      }
    }
    plan.series.push_back(std::move(series));
    runners.push_back({swept, &variant});
  }
  plan.run = [&](std::size_t s, std::uint64_t budget) { return runners[s].variant->run(*runners[s].trace, budget); };
  plan.on_failure = [](const sweep::Series& series, std::uint64_t budget, const std::string& error) {
    std::cerr << fmt::format("dtrmc: error: {}, budget {}: {}\n", series.key.dump(), budget, error);
  };
  report::StatusLine line;
  plan.on_progress = [&](std::uint64_t done, std::uint64_t all) {
    if (!line.due()) return;
    line.show(fmt::format(
        "sweep: {}/{} points, {:.1f}/s, {} left", done, all, static_cast<double>(done) / line.seconds(),
        done == 0 ? "?"
                  : report::time_left(line.seconds() * static_cast<double>(all - done) / static_cast<double>(done))));
  };

  std::vector<std::string> columns{"trace"};
  for (const auto& [name, value] : c.settings.variants.front().key.items()) columns.push_back(name);
  columns.insert(columns.end(), {"ratio", "budget"});
  for (const std::string& column : options.engine == "cosim" ? platform_columns() : simulator_columns()) {
    columns.push_back(column);
  }
  std::vector<Json> rows;
  sweep::ResultFile file(options.output, header, columns, [&](const Json& row) { rows.push_back(row); });
  const sweep::Tally tally = sweep::work_off(plan, file, rows);
  if (tally.failed == 0) file.sort(sweep::row_order(plan));
  print(tally, options.output);
  return tally.failed > 0 || broken > 0 ? 1 : 0;
}

std::function<int()> set_up(CLI::App& app) {
  auto o = std::make_shared<SweepOptions>();
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return app.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
  };
  app.add_option("TRACES", o->traces, "trace files, or names as of dtrmc sim; one that is broken is said and left out")
      ->required();
  list("--heuristic", o->heuristics, "one or several, with commas or repeated; default dtr-eq");
  list("--runtime", o->runtimes, "one or several of v2-eager, v2, v1; default v2-eager");
  list("--ratios", o->ratios,
       "parts of the peak: 0.3, or FROM:TO:STEP such as 0.05:0.60:0.01; several with commas or repeated");
  list("--budgets", o->budgets, "bytes: 2G, or FROM:TO:STEP such as 1G:2G:16MiB; several with commas or repeated");
  app.add_option("--samples", o->samples,
                 "so many random budgets more per trace, between the lowest and the highest point");
  app.add_option("--seed", o->seed, "of --samples; default 1");
  app.add_flag("--refine", o->refine,
               "halve the distance between neighbours that differ in status, or in overhead by more than 25 %, down to "
               "--refine-step");
  app.add_option("--refine-step", o->refine_step, "smallest distance, a part of the peak or bytes; default 0.0001");
  app.add_option("--baseline", o->baseline, "peak of ratios: self (v2-eager) or simrd (v1); default self");
  app.add_option("--overhead-limit", o->overhead_limit,
                 "give a run up (status thrash) once clock / baseline compute passes this; default 60; none: no limit");
  list("--arithmetic", o->arithmetic, kArithmeticHelp);
  app.add_option("--engine", o->engine, "sim (the software simulator) or cosim (the platform); default sim");
  add_swept_platform_options(app, o->platform);
  app.add_option("-o,--output", o->output,
                 "rows go here as they come: CSV where the name ends in .csv, else JSON lines; an interrupted sweep is "
                 "gone on with; sorted once complete")
      ->required();
  app.add_option("-j,--jobs", o->jobs, "processes; default one per core");
  app.add_option(
      "--shard", o->shard,
      "K/N: the K-th of N equal parts, for job arrays, each into a file of its own; with --refine whole series "
      "(trace x heuristic x ...) are dealt out, else single points");
  return [o] {
    SweepOptions options = *o;
    if (options.heuristics.empty()) options.heuristics = {"dtr-eq"};
    if (options.runtimes.empty()) options.runtimes = {"v2-eager"};
    return run_sweep(options);
  };
}

} // namespace

extern const Command kSweepCommand;
const Command kSweepCommand = {
    "sweep", "run many budgets, traces and heuristics into one file",
    "dtrmc sweep resnet32 unet --heuristic dtr,dtr-eq --ratios 0.05:0.60:0.01 --refine -o sweep.csv\n"
    "Exit code 1: a trace was broken or a point failed; the rest is in the file.",
    set_up};

} // namespace dtrmc::cli
