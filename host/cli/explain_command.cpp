// SPDX-License-Identifier: Apache-2.0
// dtrmc explain: why one budget fails, or costs much more, where another one works.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "host/cli/command.h"
#include "host/cli/quantity.h"
#include "host/cli/run_options.h"
#include "host/cli/storage_option.h"
#include "host/cli/usage_error.h"
#include "host/explain/explanation.h"
#include "host/explain/explanation_json.h"
#include "host/explain/explanation_text.h"
#include "host/explain/picture.h"
#include "host/record/atomic_file.h"
#include "host/report/progress.h"
#include "host/sim/simulator.h"
#include "host/trace/lookup.h"
#include "host/trace/parser.h"

namespace dtrmc::cli {

namespace {

struct ExplainOptions {
  std::string trace;
  std::string works;
  std::string fails;
  std::string heuristic = "dtr";
  std::string runtime = "v2-eager";
  std::string overhead_limit = "60";
  std::vector<std::string> retain;
  unsigned suspects = 6;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string svg;
  bool json = false;
};

// A ratio (above 0 up to 1, with a point or an exponent: 0.235, 1.0), or bytes as --budget takes them.
std::uint64_t budget_of(const std::string& text, const char* option, std::uint64_t peak) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool number = !text.empty() && *end == '\0';
  if (!number || value > 1) return parse_bytes(text, option);
  const double ratio = parse_number(text, option);
  if (!(ratio > 0)) throw UsageError(fmt::format("{} {}: must be a ratio above 0 up to 1, or bytes", option, text));
  return static_cast<std::uint64_t>(std::floor(static_cast<double>(peak) * ratio));
}

int run_explain(const ExplainOptions& options) {
  explain::Question question;
  try {
    question.settings.heuristic = sim::parse_heuristic(options.heuristic);
    question.settings.runtime = sim::parse_runtime(options.runtime);
    sim::require_supported(question.settings.heuristic, question.settings.runtime);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const double limit = parse_number(options.overhead_limit, "--overhead-limit");
  if (limit < 1) throw UsageError(fmt::format("--overhead-limit {}: must be at least 1", options.overhead_limit));
  budget_of(options.works, "--works", 1);
  budget_of(options.fails, "--fails", 1);
  const std::string path = trace::find_trace(options.trace);
  std::unique_ptr<record::AtomicFile> svg;
  if (!options.svg.empty()) {
    std::error_code ignored;
    if (std::filesystem::equivalent(options.svg, path, ignored)) {
      throw UsageError("--svg names the trace itself; it would be overwritten");
    }
    svg = std::make_unique<record::AtomicFile>(options.svg);
  }
  const trace::Schedule schedule = trace::parse_file(path);
  const sim::Topology topology(schedule);
  question.settings.remat_limit = sim::remat_limit(schedule, limit);
  for (const std::string& text : options.retain) {
    question.settings.retained.push_back(find_storage(schedule, text, "--retain"));
  }
  const std::uint64_t peak = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager);
  question.works = budget_of(options.works, "--works", peak);
  question.fails = budget_of(options.fails, "--fails", peak);
  question.suspects = options.suspects;
  question.jobs = options.jobs;

  std::mutex mutex;
  std::unique_ptr<report::Progress> progress;
  const auto advance = [&](const std::string&, std::size_t, std::size_t) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!progress)
      progress = std::make_unique<report::Progress>("explain " + schedule.name, 7 + options.suspects, "runs");
    progress->advance();
  };
  explain::Explanation explanation;
  try {
    explanation = explain::explain(schedule, topology, question, advance);
  } catch (const explain::NoQuestion& error) {
    throw UsageError(error.what());
  }
  progress.reset();
  if (svg) {
    svg->stream() << explain::to_svg(schedule, explanation);
    svg->commit();
  }
  if (options.json) {
    std::cout << explain::to_json(schedule, question, explanation).dump() << '\n';
  } else {
    std::cout << fmt::format("{}, heuristic {}, runtime {}\n", schedule.name, question.settings.heuristic.name,
                             sim::to_string(question.settings.runtime))
              << explain::to_text(schedule, explanation);
  }
  return 0;
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("TRACE", options->trace, "trace file, or name of one in traces/ or $DTRMC_SHARED/traces/public")
      ->required();
  app.add_option("--works", options->works, "budget that completes: ratio of the peak (0.2343), or bytes (2634785825)")
      ->required();
  app.add_option("--fails", options->fails,
                 "budget that ends oom or thrash, or completes at 1.25 times the cost at least; likewise")
      ->required();
  app.add_option("--heuristic", options->heuristic, "as in dtrmc sim; default dtr");
  app.add_option("--runtime", options->runtime, "v2-eager, v2 or v1; default v2-eager");
  app.add_option("--overhead-limit", options->overhead_limit, "a run that passes it has failed too; default 60");
  app.add_option("--retain", options->retain, "never offer this storage for eviction, in all the runs; repeatable")
      ->allow_extra_args(false);
  app.add_option("--suspects", options->suspects, "storages to retain in turn, at most; default 6")
      ->check(CLI::Range(0u, 1000u));
  app.add_option("-j,--jobs", options->jobs, "runs at a time; default: the machine's cores")
      ->check(CLI::Range(1u, 1024u));
  app.add_option("--svg", options->svg, "draw memory and nesting of both runs to this file")->check(file_name);
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run_explain(*options); };
}

} // namespace

extern const Command kExplainCommand;
const Command kExplainCommand = {"explain", "why one budget fails, or costs much more, where another one works",
                                 "dtrmc explain inceptionv4 --works 0.2343 --fails 0.235 --svg hole.svg", set_up};

} // namespace dtrmc::cli
