// SPDX-License-Identifier: Apache-2.0
#include "host/papers/runs.h"

#include <cmath>
#include <cstdlib>
#include <mutex>

#include "host/explain/explanation.h"
#include "host/explain/explanation_json.h"
#include "host/explain/parallel.h"

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

} // namespace

void Runs::make(TraceStore& traces, unsigned jobs, const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::function<void()>> work;
  for (auto& [key, outcome] : explanations_) { // the longest first
    work.emplace_back([t = &traces.load(key.trace), k = &key, o = &outcome] { make_explanation(*t, *k, *o); });
  }
  for (auto& [key, outcome] : runs_) {
    work.emplace_back([t = &traces.load(key.trace), k = &key, o = &outcome] { make_run(*t, *k, *o); });
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
  try {
    settings.heuristic = sim::parse_heuristic(key.heuristic);
  } catch (const std::invalid_argument&) {
    out.supported = false;
    return;
  }
  settings.budget = trace.budget(key.ratio);
  settings.remat_limit = sim::remat_limit(trace.schedule, std::strtod(key.limit.c_str(), nullptr));
  for (const trace::TensorId t : key.retained) {
    if (t < trace.schedule.tensors.size()) settings.retained.push_back(trace.schedule.tensors[t].storage);
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
