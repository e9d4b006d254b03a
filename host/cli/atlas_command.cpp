// SPDX-License-Identifier: Apache-2.0
// dtrmc atlas: every budget of a line, exactly.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "host/atlas/atlas_file.h"
#include "host/atlas/explore.h"
#include "host/atlas/floor.h"
#include "host/atlas/summary.h"
#include "host/cli/arithmetic_options.h"
#include "host/cli/command.h"
#include "host/cli/quantity.h"
#include "host/cli/report.h"
#include "host/cli/usage_error.h"
#include "host/record/file_hash.h"
#include "host/report/status_line.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"

namespace dtrmc::cli {

namespace {

struct AtlasOptions {
  std::string trace;
  std::string heuristic = "dtr-eq";
  std::string runtime = "v2-eager";
  std::string baseline = "self";
  std::string overhead_limit = "60";
  std::string from; // empty: below it nothing can complete
  std::string to = "1";
  std::string output;
  std::string jobs;
  std::string snapshots;
  std::string method = "auto";
  std::string switches = "10";
  bool json = false;
  ArithmeticOptions arithmetic;
};

// A number up to 1 is a ratio of the peak, anything else bytes.
std::uint64_t parse_bound(const std::string& text, const char* option, std::uint64_t peak) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789.eE-+") == std::string::npos;
  if (number) {
    const double value = parse_number(text, option);
    if (value >= 0 && value <= 1) return static_cast<std::uint64_t>(std::floor(static_cast<double>(peak) * value));
  }
  return parse_bytes(text, option);
}

struct Atlas { // NOLINT(bugprone-exception-escape): moving a JSON value does not throw
  trace::Schedule schedule;
  sim::Settings settings;
  std::uint64_t peak = 0; // of the baseline, bytes
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  atlas::Limits limits;
  atlas::AtlasFile::Header header;
};

Atlas resolve(const AtlasOptions& options) {
  Atlas a;
  try {
    a.settings.heuristic = sim::parse_heuristic(options.heuristic);
    a.settings.runtime = sim::parse_runtime(options.runtime);
    sim::require_supported(a.settings.heuristic, a.settings.runtime);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  apply(options.arithmetic, a.settings);
  const std::string& heuristic = a.settings.heuristic.name;
  if (a.settings.heuristic.reads_budget) {
    throw UsageError(
        fmt::format("--heuristic {}: it reads the budget at each decision, so that no interval of budgets "
                    "shares a run; dtrmc sweep samples it",
                    heuristic));
  }
  if (heuristic.rfind("random", 0) == 0) {
    throw UsageError("--heuristic random: an atlas of chance says nothing; dtrmc sweep samples it");
  }
  if (options.baseline != "self" && options.baseline != "simrd") {
    throw UsageError(fmt::format("--baseline {}: unknown; known: self, simrd", trace::in_quotes(options.baseline)));
  }
  std::optional<double> overhead_limit;
  if (options.overhead_limit != "none") {
    overhead_limit = parse_number(options.overhead_limit, "--overhead-limit");
    if (*overhead_limit < 1) {
      throw UsageError(fmt::format("--overhead-limit {}: must be at least 1, or none", options.overhead_limit));
    }
  }
  a.limits.threads = static_cast<unsigned>(options.jobs.empty() ? std::max(1u, std::thread::hardware_concurrency())
                                                                : parse_count(options.jobs, "--jobs", 1, 1024));
  const std::uint64_t snapshots =
      options.snapshots.empty() ? 0 : parse_count(options.snapshots, "--snapshots", 1, 1000000);

  if (options.method == "rerun") {
    a.limits.method = atlas::Method::kRerun;
  } else if (options.method == "reconverge") {
    a.limits.method = atlas::Method::kReconverge;
  } else if (options.method != "auto") {
    throw UsageError(
        fmt::format("--method {}: unknown; known: auto, reconverge, rerun", trace::in_quotes(options.method)));
  }

  const std::string path = trace::find_trace(options.trace);
  std::error_code ignored;
  if (!options.output.empty() && std::filesystem::equivalent(options.output, path, ignored)) {
    throw UsageError("--output names the trace itself");
  }
  a.schedule = trace::parse_file(path);
  if (overhead_limit) a.settings.remat_limit = sim::remat_limit(a.schedule, *overhead_limit);
  a.limits.snapshots = snapshots != 0 ? snapshots : atlas::default_snapshots(a.schedule, a.settings);
  a.peak = sim::unlimited_peak(a.schedule, options.baseline == "simrd" ? sim::Runtime::kV1 : sim::Runtime::kV2Eager);
  a.from = options.from.empty() ? atlas::hopeless_below(a.schedule, a.settings.runtime)
                                : parse_bound(options.from, "--from", a.peak);
  a.to = parse_bound(options.to, "--to", a.peak);
  if (a.from > a.to) {
    throw UsageError(fmt::format("--from {} lies above --to {} ({} and {} bytes)",
                                 options.from.empty() ? "(default)" : options.from, options.to, a.from, a.to));
  }
  atlas::Subject subject;
  subject.version = DTRMC_VERSION;
  subject.trace = a.schedule.name;
  subject.trace_sha256 = record::file_sha256(path);
  subject.overhead_limit = overhead_limit;
  subject.baseline = options.baseline;
  subject.baseline_peak = a.peak;
  subject.baseline_compute = a.schedule.total_cost;
  subject.from = a.from;
  subject.to = a.to;
  a.header = atlas::make_header(subject, a.settings);
  return a;
}

void explore(const Atlas& a, atlas::AtlasFile* file, atlas::Summary& summary) {
  const std::uint64_t begin = file != nullptr ? file->next() : a.from;
  if (begin > a.to) return;
  const sim::Topology topology(a.schedule);
  report::StatusLine line;
  const std::uint64_t before = summary.intervals();
  atlas::explore(a.schedule, topology, a.settings, begin, a.to, a.limits, [&](const atlas::Interval& interval) {
    summary.add(interval);
    if (file != nullptr) file->add(interval);
    if (!line.due()) return;
    const double done = static_cast<double>(interval.hi + 1 - begin) / static_cast<double>(a.to - begin + 1);
    line.show(fmt::format("{} {}: {:.1f} % of the budgets (ratio {:.5f}), {} intervals, {:.0f}/s, {} left at this pace",
                          a.schedule.name, a.settings.heuristic.name, 100 * done,
                          static_cast<double>(interval.hi) / static_cast<double>(std::max<std::uint64_t>(a.peak, 1)),
                          summary.intervals(), static_cast<double>(summary.intervals() - before) / line.seconds(),
                          report::time_left(line.seconds() * (1 - done) / done)));
  });
  if (file != nullptr) file->flush();
}

std::string outcomes(const std::vector<atlas::Stretch>& parts) {
  std::string out;
  for (const record::Status status : {record::Status::kOk, record::Status::kOom, record::Status::kThrash}) {
    std::uint64_t intervals = 0;
    for (const atlas::Stretch& part : parts) intervals += part.status == status ? part.intervals : 0;
    if (intervals > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", intervals, record::to_string(status));
  }
  return out;
}

void print(const Atlas& a, const atlas::Summary& summary) {
  const auto ratio = [&](std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(a.peak, 1));
  };
  const auto budget = [&](const std::optional<std::uint64_t>& bytes) {
    if (!bytes) return std::string("none");
    // The lower end of the range says nothing of smaller budgets.
    const std::string_view where = *bytes == a.from ? ", where the range begins" : "";
    return fmt::format("{} bytes ({:.6f} of the peak){}", *bytes, ratio(*bytes), where);
  };
  const Json& limit = a.header["overhead_limit"];
  Table table;
  table.emplace_back("trace", fmt::format("{}, peak {}", a.schedule.name, human_bytes(a.peak)));
  table.emplace_back("heuristic", fmt::format("{}, runtime {}, overhead limit {}", a.settings.heuristic.name,
                                              sim::to_string(a.settings.runtime),
                                              limit.is_null() ? "none" : fmt::format("{}x", limit.get<double>())));
  if (!arithmetic::is_exact(a.settings.arithmetic) || a.settings.tick_ns != 1) {
    table.emplace_back("arithmetic", fmt::format("{}, staleness in ticks of {} ns",
                                                 arithmetic::name(a.settings.arithmetic), a.settings.tick_ns));
  }
  table.emplace_back("budgets", fmt::format("{} to {} bytes ({:.6f} to {:.6f} of the peak), every one", a.from, a.to,
                                            ratio(a.from), ratio(a.to)));
  table.emplace_back("intervals", fmt::format("{}: {}", summary.intervals(), outcomes(summary.stretches())));
  table.emplace_back("first-ok", budget(summary.first_ok()));
  table.emplace_back("stable-from", budget(summary.stable_from()));
  const std::vector<atlas::FailureRegion> regions = summary.failure_regions();
  table.emplace_back("failure regions", regions.empty() ? "none" : fmt::format("{}", regions.size()));
  std::cout << format_table(table);
  for (const atlas::FailureRegion& r : regions) {
    std::cout << fmt::format("  {} .. {}  ({:.6f} .. {:.6f}, {} bytes; {})\n", r.lo, r.hi, ratio(r.lo), ratio(r.hi),
                             r.hi - r.lo + 1, outcomes(r.parts));
  }
  if (summary.switches().empty()) return;
  std::cout << "largest switches of cost from one byte to the next\n";
  for (const atlas::Switch& s : summary.switches()) {
    std::cout << fmt::format("  at {} ({:.6f}): {:.4f}x -> {:.4f}x, {} -> {} evictions\n", s.at, ratio(s.at), s.below,
                             s.above, s.evictions_below, s.evictions_above);
  }
}

Json to_json(const Atlas& a, const atlas::Summary& summary) {
  const auto optional = [](const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); };
  const auto stretches = [](const std::vector<atlas::Stretch>& parts) {
    Json out = Json::array();
    for (const atlas::Stretch& s : parts) {
      out.push_back({{"lo", s.lo}, {"hi", s.hi}, {"status", record::to_string(s.status)}, {"intervals", s.intervals}});
    }
    return out;
  };
  Json out = a.header;
  out["intervals"] = summary.intervals();
  out["first_ok"] = optional(summary.first_ok());
  out["stable_from"] = optional(summary.stable_from());
  out["failure_regions"] = Json::array();
  for (const atlas::FailureRegion& r : summary.failure_regions()) {
    out["failure_regions"].push_back({{"lo", r.lo}, {"hi", r.hi}, {"parts", stretches(r.parts)}});
  }
  out["stretches"] = stretches(summary.stretches());
  out["switches"] = Json::array();
  for (const atlas::Switch& s : summary.switches()) {
    out["switches"].push_back({{"at", s.at},
                               {"overhead_below", s.below},
                               {"overhead_above", s.above},
                               {"policy_evictions_below", s.evictions_below},
                               {"policy_evictions_above", s.evictions_above}});
  }
  return out;
}

int run_atlas(const AtlasOptions& options) {
  const std::uint64_t switches = parse_count(options.switches, "--switches", 0, 1000000);
  const Atlas a = resolve(options);
  atlas::Summary summary(a.schedule.total_cost, switches);
  std::unique_ptr<atlas::AtlasFile> file;
  if (!options.output.empty()) {
    file = std::make_unique<atlas::AtlasFile>(options.output, a.header, a.schedule.total_cost, a.from, a.to,
                                              [&](const atlas::Interval& interval) { summary.add(interval); });
    if (summary.intervals() > 0) {
      std::cerr << fmt::format("dtrmc: {}: {} intervals are there already{}\n", options.output, summary.intervals(),
                               file->next() > a.to ? ", it is complete" : "; going on behind them");
    }
  }
  explore(a, file.get(), summary);
  if (options.json) {
    std::cout << to_json(a, summary).dump() << '\n';
  } else {
    print(a, summary);
  }
  return 0;
}

std::function<int()> set_up(CLI::App& app) {
  auto o = std::make_shared<AtlasOptions>();
  app.add_option("TRACE", o->trace, "trace file, or name of one in traces/ or $DTRMC_SHARED/traces/public")->required();
  app.add_option("--heuristic", o->heuristic,
                 "as of dtrmc sim; not random, and none that reads the budget; default dtr-eq");
  app.add_option("--runtime", o->runtime, "v2-eager, v2 or v1; default v2-eager");
  add_arithmetic_options(app, o->arithmetic);
  app.add_option(
      "--from", o->from,
      "lowest budget: a number up to 1 is a ratio of the peak, all else bytes (2.5G; 1B is one byte); default "
      "the lowest at which every operator fits with its inputs: below it nothing can complete");
  app.add_option("--to", o->to, "highest budget, inclusive; default 1, the peak: above it nothing is ever evicted");
  app.add_option("--baseline", o->baseline, "peak of ratios: self (v2-eager) or simrd (v1); default self");
  app.add_option("--overhead-limit", o->overhead_limit,
                 "give a run up (status thrash) once clock / baseline compute passes this; default 60, as the papers; "
                 "none: no limit (a thrashing run may take hours)");
  app.add_option("-o,--output", o->output,
                 "write a header, then every interval as a JSON line, as they are found; an interrupted file is gone "
                 "on with");
  app.add_option("-j,--jobs", o->jobs, "threads; default one per core; the result does not depend on it");
  app.add_option("--snapshots", o->snapshots,
                 "copied runs in memory at most; default as many as stay below about 1 GiB; the result does not depend "
                 "on it");
  app.add_option(
      "--method", o->method,
      "rerun: runs share their beginning only; reconverge: whatever they have in common, wherever it is "
      "(faster where runs thrash, slower elsewhere); auto: part by part the one that took less work near by; "
      "the result does not depend on it; default auto");
  app.add_option("--switches", o->switches, "how many of the largest changes of cost to report; default 10");
  app.add_flag("--json", o->json, "print the report as one JSON object");
  return [o] { return run_atlas(*o); };
}

} // namespace

extern const Command kAtlasCommand;
const Command kAtlasCommand = {"atlas", "map the outcome of every budget, exactly",
                               "dtrmc atlas resnet32 --heuristic dtr --from 0.05 --to 0.2 -o resnet32.atlas.jsonl",
                               set_up};

} // namespace dtrmc::cli
