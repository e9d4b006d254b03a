// SPDX-License-Identifier: Apache-2.0
// dtrmc papers: every claim of the two seed papers against our own runs.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "host/cli/command.h"
#include "host/cli/report.h"
#include "host/cli/usage_error.h"
#include "host/papers/claims.h"
#include "host/report/progress.h"
#include "host/report/status_line.h"
#include "host/trace/lookup.h"

namespace dtrmc::cli {

namespace {

struct PapersOptions {
  std::string published;
  std::string only;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool atlas = false;
  std::string atlas_folder;
  bool json = false;
};

Json read_claims(const std::string& file) {
  if (file.empty()) return papers::published_claims();
  std::ifstream in(file);
  if (!in) throw UsageError(fmt::format("--published {}: cannot be read", file));
  try {
    return Json::parse(in);
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("--published {}: no JSON: {}", file, error.what()));
  }
}

std::size_t width(const std::vector<papers::Finding>& findings, const std::string papers::Finding::*field,
                  std::size_t least, std::size_t most) {
  for (const papers::Finding& f : findings) least = std::max(least, std::min(most, (f.*field).size()));
  return least;
}

int run_papers(const PapersOptions& options) {
  const Json claims = read_claims(options.published);
  papers::Options how;
  how.only = options.only;
  how.jobs = options.jobs;
  how.find_trace = trace::find_trace;
  std::unique_ptr<report::Progress> progress;
  how.progress = [&](std::size_t, std::size_t total) {
    if (!progress) progress = std::make_unique<report::Progress>("papers", total, "runs");
    progress->advance();
  };
  how.atlas = options.atlas;
  how.atlas_options.jobs = options.jobs;
  how.atlas_options.version = DTRMC_VERSION;
  how.atlas_options.folder = options.atlas_folder;
  std::unique_ptr<report::StatusLine> status;
  how.atlas_options.progress = [&](const std::string& trace, double part, std::uint64_t intervals) {
    progress.reset();
    if (!status) status = std::make_unique<report::StatusLine>();
    if (status->due()) {
      status->show(fmt::format("atlas of {}: {:.1f} % of the budgets, {} intervals", trace, 100 * part, intervals));
    }
  };
  if (!options.atlas_folder.empty() && !options.atlas) {
    throw UsageError("--atlas-folder keeps the files of --atlas; give that, too");
  }
  std::vector<papers::Finding> findings;
  try {
    findings = papers::check_claims(claims, options.published.empty() ? "built-in claims" : options.published, how);
  } catch (const papers::ClaimsError& error) {
    throw UsageError(error.what());
  }
  progress.reset();
  status.reset();
  std::size_t holds = 0, differs = 0, ours = 0;
  for (const papers::Finding& f : findings) {
    if (f.verdict == papers::Verdict::kExact) continue;
    (f.verdict == papers::Verdict::kHolds ? holds : f.verdict == papers::Verdict::kOurs ? ours : differs) += 1;
  }
  if (options.json) {
    Json out;
    out["findings"] = Json::array();
    for (const papers::Finding& f : findings) {
      out["findings"].push_back({{"claim", f.claim},
                                 {"source", f.source},
                                 {"what", f.what},
                                 {"published", f.published},
                                 {"ours", f.ours},
                                 {"verdict", papers::to_string(f.verdict)}});
      if (!f.exact.is_null()) out["findings"].back()["exact"] = f.exact;
    }
    out["hold"] = holds;
    out["differ"] = differs;
    out["unresolved_in_the_papers"] = ours;
    std::cout << out.dump() << '\n';
  } else {
    const std::size_t what = width(findings, &papers::Finding::what, 4, 75);
    const std::size_t published = width(findings, &papers::Finding::published, 9, 24);
    const std::size_t own = width(findings, &papers::Finding::ours, 4, 40);
    std::string claim;
    for (const papers::Finding& f : findings) {
      if (f.claim != claim) std::cout << fmt::format("{} [{}]\n", f.claim, f.source);
      claim = f.claim;
      std::cout << fmt::format("  {:<{}}  {:>{}}  {:>{}}  {}\n", f.what, what, f.published, published, f.ours, own,
                               papers::to_string(f.verdict));
    }
    std::cout << fmt::format(
        "{} published values hold, {} do not; {} points unresolved in the papers have our outcome\n", holds, differs,
        ours);
  }
  return papers::all_hold(findings) ? 0 : 1;
}

std::function<int()> set_up(CLI::App& app) {
  auto options = std::make_shared<PapersOptions>();
  app.add_option("--only", options->only, "claims whose name, source or trace contains this text");
  app.add_option("--published", options->published, "file with the published values; default: those built in");
  app.add_option("-j,--jobs", options->jobs, "runs at a time; default: the machine's cores")
      ->check(CLI::Range(1u, 1024u));
  app.add_flag(
      "--atlas", options->atlas,
      "beside the papers' samples of failure regions, first-ok and stable-from, the exact ones: every budget of "
      "the sampled range (U-Net and ResNet-32: seconds; the larger traces: minutes to hours; see --only)");
  app.add_option("--atlas-folder", options->atlas_folder,
                 "with --atlas: keep the atlases as files in this folder; an interrupted one is gone on with");
  app.add_flag("--json", options->json, "print one JSON object");
  return [options] { return run_papers(*options); };
}

} // namespace

extern const Command kPapersCommand;
const Command kPapersCommand = {"papers", "check every claim of the two seed papers (exit 0: all hold, 1: not)",
                                "dtrmc papers --only inceptionv4", set_up};

} // namespace dtrmc::cli
