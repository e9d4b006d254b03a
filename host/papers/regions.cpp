// SPDX-License-Identifier: Apache-2.0
#include "host/papers/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "host/atlas/atlas_file.h"
#include "host/atlas/explore.h"
#include "host/record/file_hash.h"

namespace dtrmc::papers {

namespace {

// Claims whose budgets overlap, explored together.
struct Stretch {
  std::uint64_t from = 0; // bytes, inclusive
  std::uint64_t to = 0;
  std::vector<std::pair<const RangeKey*, atlas::Summary*>> claims;
};

void give(const Stretch& stretch, const LoadedTrace& trace, const atlas::Interval& interval) {
  for (const auto& [key, summary] : stretch.claims) {
    atlas::Interval part = interval;
    part.lo = std::max(interval.lo, trace.budget(key->from));
    part.hi = std::min(interval.hi, trace.budget(key->to));
    if (part.lo <= part.hi) summary->add(part);
  }
}

void explore(const Stretch& stretch, const LoadedTrace& trace, const AtlasOptions& options) {
  const RangeKey& key = *stretch.claims.front().first;
  const double limit = std::strtod(key.limit.c_str(), nullptr);
  sim::Settings settings;
  settings.heuristic = sim::parse_heuristic(key.heuristic);
  settings.remat_limit = sim::remat_limit(trace.schedule, limit);
  std::uint64_t intervals = 0;
  const auto visit = [&](const atlas::Interval& interval) {
    ++intervals;
    give(stretch, trace, interval);
    if (!options.progress) return;
    options.progress(
        trace.schedule.name,
        static_cast<double>(interval.hi - stretch.from + 1) / static_cast<double>(stretch.to - stretch.from + 1),
        intervals);
  };
  std::unique_ptr<atlas::AtlasFile> file;
  if (!options.folder.empty()) { // what dtrmc atlas would write
    atlas::Subject subject;
    subject.version = options.version;
    subject.trace = trace.schedule.name;
    subject.trace_sha256 = record::file_sha256(trace.path);
    subject.overhead_limit = limit;
    subject.baseline = "self";
    subject.baseline_peak = trace.peak;
    subject.baseline_compute = trace.schedule.total_cost;
    subject.from = stretch.from;
    subject.to = stretch.to;
    const std::string path = fmt::format("{}/{}-{}-{}-{}.atlas.jsonl", options.folder, trace.schedule.name,
                                         settings.heuristic.name, stretch.from, stretch.to);
    file = std::make_unique<atlas::AtlasFile>(path, atlas::make_header(subject, settings), trace.schedule.total_cost,
                                              stretch.from, stretch.to, visit);
    if (file->next() > stretch.to) return;
  }
  atlas::Limits limits;
  limits.threads = options.jobs;
  limits.snapshots = atlas::default_snapshots(trace.schedule, settings);
  atlas::explore(trace.schedule, trace.topology, settings, file ? file->next() : stretch.from, stretch.to, limits,
                 [&](const atlas::Interval& interval) {
                   visit(interval);
                   if (file) file->add(interval);
                 });
  if (file) file->flush();
}

} // namespace

void Regions::make(TraceStore& traces, const AtlasOptions& options) {
  std::vector<Stretch> stretches; // by trace, heuristic, limit and first budget
  std::vector<std::pair<const RangeKey*, atlas::Summary*>> all;
  for (auto& [key, summary] : wanted_) {
    summary = std::make_unique<atlas::Summary>(traces.load(key.trace).schedule.total_cost, 0);
    all.emplace_back(&key, summary.get());
  }
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    const auto order = [&](const RangeKey& k) {
      return std::make_tuple(std::cref(k.trace), std::cref(k.heuristic), std::cref(k.limit),
                             traces.of(k.trace).budget(k.from));
    };
    return order(*a.first) < order(*b.first);
  });
  for (const auto& claim : all) {
    const RangeKey& key = *claim.first;
    const LoadedTrace& trace = traces.of(key.trace);
    const bool joins = [&] {
      if (stretches.empty()) return false;
      const RangeKey& last = *stretches.back().claims.front().first;
      return last.trace == key.trace && last.heuristic == key.heuristic && last.limit == key.limit &&
             trace.budget(key.from) <= stretches.back().to;
    }();
    if (!joins) stretches.push_back({trace.budget(key.from), trace.budget(key.to), {}});
    stretches.back().to = std::max(stretches.back().to, trace.budget(key.to));
    stretches.back().claims.push_back(claim);
  }
  for (const Stretch& stretch : stretches) {
    explore(stretch, traces.of(stretch.claims.front().first->trace), options);
  }
}

} // namespace dtrmc::papers
