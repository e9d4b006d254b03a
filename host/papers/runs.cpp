// SPDX-License-Identifier: Apache-2.0
#include "host/papers/runs.h"

#include <cmath>
#include <cstdlib>
#include <mutex>
#include <set>

#include "host/explain/explanation.h"
#include "host/explain/explanation_json.h"
#include "host/explain/parallel.h"
#include "host/explain/run_log.h"

namespace dtrmc::papers {

namespace {

class EvictedStorages : public record::EventSink {
 public:
  explicit EvictedStorages(std::size_t storages) : evicted_(storages) {}
  void on_event(const record::Event& event) override {
    if (event.kind == record::EventKind::kEvictPolicy || event.kind == record::EventKind::kEvictEager) {
      evicted_[event.id] = 1;
    }
  }
  std::vector<std::uint8_t> take() { return std::move(evicted_); }

 private:
  std::vector<std::uint8_t> evicted_;
};

// False: this build does not know the heuristic.
bool set_up(const LoadedTrace& trace, const RunKey& key, sim::Settings& settings) {
  try {
    settings.heuristic = sim::parse_heuristic(key.heuristic);
  } catch (const std::invalid_argument&) {
    return false;
  }
  settings.budget = trace.budget(key.ratio);
  settings.remat_limit = sim::remat_limit(trace.schedule, std::strtod(key.limit.c_str(), nullptr));
  for (const trace::TensorId t : key.retained) {
    if (t < trace.schedule.tensors.size()) settings.retained.push_back(trace.schedule.tensors[t].storage);
  }
  return true;
}

} // namespace

void Runs::make(TraceStore& traces, unsigned jobs, const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::function<void()>> work;
  for (auto& [key, outcome] : explanations_) { // the longest first
    work.emplace_back([t = &traces.load(key.trace), k = &key, o = &outcome] { make_explanation(*t, *k, *o); });
  }
  for (auto& [key, outcome] : runs_) {
    work.emplace_back([t = &traces.load(key.trace), k = &key, o = &outcome] { make_run(*t, *k, *o); });
  }
  for (auto& [key, outcome] : steps_) {
    work.emplace_back([t = &traces.load(key.run.trace), k = &key, o = &outcome] { make_step(*t, *k, *o); });
  }
  std::mutex mutex;
  std::size_t done = 0;
  explain::in_parallel(work.size(), jobs, [&](std::size_t i) {
    work[i]();
    const std::lock_guard<std::mutex> lock(mutex);
    ++done;
    if (progress) progress(done, work.size());
  });
}

void Runs::make_run(const LoadedTrace& trace, const RunKey& key, RunOutcome& out) {
  sim::Settings settings;
  if (!set_up(trace, key, settings)) {
    out.supported = false;
    return;
  }
  settings.hashes = false;
  EvictedStorages evicted(trace.schedule.storages.size());
  settings.events = &evicted;
  const sim::Result result = sim::simulate(trace.schedule, trace.topology, settings);
  out.fields = explain::run_json(trace.schedule, settings.budget, result);
  // simrd's clock begins at 1 ns; the published overheads are sums of costs, without it.
  if (result.record.status == record::Status::kOk && trace.schedule.total_cost != 0) {
    out.fields["overhead"] = static_cast<double>(result.record.model_compute + result.record.remat_compute) /
                             static_cast<double>(trace.schedule.total_cost);
  }
  out.fields["evictions_per_storage"] = result.record.distinct_evicted == 0
                                            ? Json(nullptr)
                                            : Json(static_cast<double>(result.record.all_evictions) /
                                                   static_cast<double>(result.record.distinct_evicted));
  out.evicted = evicted.take();
}

void Runs::make_step(const LoadedTrace& trace, const StepKey& key, Json& out) {
  out = Json::object();
  sim::Settings settings;
  if (!set_up(trace, key.run, settings)) return;
  settings.hashes = false;
  explain::RunLog log;
  settings.events = &log;
  settings.allocations = &log;
  sim::simulate(trace.schedule, trace.topology, settings);
  out["evictions"] = Json::array();
  std::set<std::uint32_t> allocations;
  std::set<std::uint64_t> uses;
  Json rebuilt = Json::array(); // bytes, since the eviction before
  std::size_t decision = 0;
  for (const explain::Change& change : log.changes) {
    const bool evicted = change.kind == explain::Change::kEvicted;
    if (evicted) ++decision;
    const trace::Step& step = trace.schedule.steps[change.step];
    if (step.kind != trace::StepKind::kCompute || step.id != key.op) continue;
    if (change.kind == explain::Change::kRuns) rebuilt.push_back(log.materialisations[change.id].request);
    if (!evicted) continue;
    const explain::Decision& d = log.decisions[decision - 1];
    const explain::Materialisation& m = log.materialisations[d.by];
    const std::uint64_t use = settings.budget + d.shortfall - m.request;
    allocations.insert(d.by);
    uses.insert(use);
    out["evictions"].push_back({{"nesting", m.nesting},
                                {"use", use},
                                {"request", m.request},
                                {"victim", trace.schedule.storages[d.victim].root},
                                {"rebuilt_before", rebuilt}});
    rebuilt = Json::array();
  }
  out["allocations"] = allocations.size();
  out["distinct_use"] = uses.size();
}

void Runs::make_explanation(const LoadedTrace& trace, const ExplainKey& key, Json& out) {
  explain::Question question;
  try {
    question.settings.heuristic = sim::parse_heuristic(key.heuristic);
  } catch (const std::invalid_argument&) {
    return;
  }
  question.settings.remat_limit = sim::remat_limit(trace.schedule, std::strtod(key.limit.c_str(), nullptr));
  question.works = trace.budget(key.works);
  question.fails = trace.budget(key.fails);
  try {
    out = explain::to_json(trace.schedule, question, explain::explain(trace.schedule, trace.topology, question));
  } catch (const explain::NoQuestion&) { // one of them does not end as published: every part is missing
    out = Json::object();
  }
}

} // namespace dtrmc::papers
