// SPDX-License-Identifier: Apache-2.0
#include "host/cli/compared_run.h"

#include <fmt/format.h>

#include "host/arithmetic/arithmetic.h"
#include "host/cli/progress_sink.h"
#include "host/compare/event_table.h"
#include "rtl/model/rtl_unit.h"
#include "systemc/platform/clock_domain.h"

namespace dtrmc::cli {

namespace {

template <typename T>
void compare_field(const char* name, const T& simulator, const T& platform, std::vector<std::string>& lines) {
  if (simulator != platform) {
    lines.push_back(fmt::format("  {}: {} in the simulator, {} on the platform", name, simulator, platform));
  }
}

// Feeds the table with what the platform reports.
class TableSink : public cosim::DecisionSink, public cosim::TimedEventSink {
 public:
  explicit TableSink(compare::EventTable& table) : table_(table) {}
  void on_decision(const platform::Decision& decision) override {
    table_.on_decision({decision.cycles, decision.candidates, compare::judge(decision.pool, decision.victim)});
  }
  bool wants_pools() const override { return true; }
  void on_event(const record::Event& event, std::uint64_t device_time_ps) override {
    table_.on_event(event, device_time_ps);
  }

 private:
  compare::EventTable& table_;
};

} // namespace

namespace {

// Keeps the first decision whose victim is not the simulator's, with its pool; hands everything on.
class FirstMoved : public cosim::DecisionSink {
 public:
  FirstMoved(const std::vector<record::Event>& reference, bool wanted, cosim::DecisionSink* next)
      : reference_(reference), wanted_(wanted), next_(next) {}
  void on_decision(const platform::Decision& decision) override {
    if (next_ != nullptr) next_->on_decision(decision);
    if (!wanted_ || decision_) return;
    const record::Event* expected = decision.event < reference_.size() ? &reference_[decision.event] : nullptr;
    if (expected != nullptr && expected->kind == record::EventKind::kEvictPolicy && expected->id == decision.victim) {
      return;
    }
    decision_ = decision;
  }
  bool wants_pools() const override { return (wanted_ && !decision_) || (next_ != nullptr && next_->wants_pools()); }
  const std::optional<platform::Decision>& decision() const { return decision_; }

 private:
  const std::vector<record::Event>& reference_;
  bool wanted_;
  cosim::DecisionSink* next_;
  std::optional<platform::Decision> decision_;
};

arithmetic::Format unit_format(const platform::PlatformConfig& config) {
  if (config.scorer == platform::Scorer::kFirmware) return arithmetic::kExact;
  return unit::make_unit(config.unit)->info().format;
}

// One decision of a simulator run.
class OneDecision : public sim::DecisionObserver {
 public:
  explicit OneDecision(std::uint64_t index) : index_(index) {}
  void on_decision(const std::vector<sim::Candidate>& candidates, trace::StorageId chosen, std::uint64_t,
                   std::uint32_t) override {
    if (next_++ != index_) return;
    pool = candidates;
    victim = chosen;
  }
  std::vector<sim::Candidate> pool;
  trace::StorageId victim = 0;

 private:
  std::uint64_t index_;
  std::uint64_t next_ = 0;
};

} // namespace

bool difference_expected(const platform::PlatformConfig& config, const CompareExtras& extras) {
  return config.time == DTRMC_TIME_DEVICE || (!extras.unit_arithmetic && !arithmetic::is_exact(unit_format(config)));
}

ComparedRun compare_run(const ResolvedRun& run, const platform::PlatformConfig& config, const CompareExtras& extras) {
  ComparedRun result;
  compare::EventList reference;
  compare::Judge judge(&reference);
  std::optional<compare::EventTable> table;
  if (!extras.table.empty()) { // before anything runs: a wrong path costs nobody time
    table.emplace(extras.table, run.schedule, reference.events(), judge.decisions(),
                  platform::ClockDomain(config.controller_mhz).period_ps());
  }
  sim::Settings settings;
  settings.heuristic = run.heuristic;
  settings.runtime = run.runtime;
  settings.budget = run.budget;
  settings.remat_limit = run.remat_limit;
  if (extras.unit_arithmetic) settings.arithmetic = unit_format(config);
  if (config.time == DTRMC_TIME_MODEL) settings.tick_ns = config.tick_ns;
  {
    ProgressSink progress("simulator", run.schedule, &judge);
    settings.events = &progress;
    if (extras.decisions || table) settings.decisions = &judge;
    result.simulator = sim::simulate(run.schedule, settings);
  }
  compare::Aligner aligner(reference.events());
  {
    ProgressSink progress("platform", run.schedule, &aligner);
    cosim::CosimSinks sinks;
    sinks.events = &progress;
    sinks.memory = extras.memory;
    std::optional<TableSink> rows;
    if (table) {
      rows.emplace(*table);
      sinks.timed_events = &*rows;
    }
    FirstMoved moved(reference.events(), extras.moved, rows ? &*rows : nullptr);
    if (extras.moved || rows) sinks.decisions = &moved;
    result.platform = cosim::run_cosim(run.schedule, config, sinks);
    if (moved.decision()) {
      // The same run once more, for the pool of that one decision.
      OneDecision seen(moved.decision()->index);
      settings.events = nullptr;
      settings.decisions = &seen;
      settings.hashes = false;
      sim::simulate(run.schedule, settings);
      result.moved = compare::moved_decision(moved.decision()->index, seen.pool, seen.victim, moved.decision()->pool,
                                             moved.decision()->victim);
      if (result.moved) {
        result.moved->simulator_tick = settings.tick_ns;
        result.moved->platform_tick = config.tick_ns;
      }
    }
  }
  if (table) table->commit();
  result.decisions = judge.decisions();
  aligner.finish();
  result.events = aligner.aligned();
  result.counts = aligner.counts();
  result.difference = aligner.difference();
  result.context = aligner.context(run.schedule, 4, 3);

  // The alignment alone decides about events; the records are compared as well, since they are what is published.
  const record::RunRecord& s = result.simulator.record;
  const record::RunRecord& p = result.platform.record;
  compare_field("status", std::string(record::to_string(s.status)), std::string(record::to_string(p.status)),
                result.context);
  compare_field("clock", s.clock, p.clock, result.context);
  compare_field("peak memory", s.max_memory, p.max_memory, result.context);
  compare_field("policy_sha256", s.policy_sha256, p.policy_sha256, result.context);
  compare_field("all_sha256", s.all_sha256, p.all_sha256, result.context);
  result.identical = result.context.empty();
  return result;
}

} // namespace dtrmc::cli
