// SPDX-License-Identifier: Apache-2.0
#include "host/explain/explanation_json.h"

#include <algorithm>
#include <cmath>

#include "host/explain/series.h"

namespace dtrmc::explain {

namespace {

class Writer {
 public:
  Writer(const trace::Schedule& schedule, const Explanation& e) : schedule_(schedule), e_(e) {}

  Json storage(trace::StorageId s) const {
    return {{"storage", schedule_.storages[s].root},
            {"name", schedule_.storage_name(s)},
            {"bytes", schedule_.storages[s].size}};
  }

  Json scored(const Scored& s) const {
    Json out = storage(s.storage);
    out["score"] = std::isfinite(s.score) ? Json(s.score) : Json("inf");
    return out;
  }

  Json decision(const std::optional<DecisionView>& view) const {
    if (!view) return nullptr;
    Json out;
    out["decision"] = view->index + 1;
    out["operator"] = view->op;
    out["operator_name"] = schedule_.operator_name(view->op);
    out["line"] = schedule_.operators[view->op].line;
    out["operators_created"] = view->step_op + 1; // by then: how paper 2 numbers what happens
    out["nesting"] = view->by.nesting;
    out["request"] = view->by.request;
    out["shortfall"] = view->decision.shortfall;
    out["candidates"] = view->decision.candidates;
    out["evictions_before"] = view->equal_before;
    out["victim"] = view->scores ? scored(view->scores->victim) : storage(view->decision.victim);
    if (view->scores && view->scores->runner_up) out["runner_up"] = scored(*view->scores->runner_up);
    if (view->scores && view->scores->rival) out["other_runs_victim"] = scored(*view->scores->rival);
    return out;
  }

  Json difference(const Difference& d) const {
    const Materialisation& m = e_.fails.log.materialisations[d.fails];
    const Materialisation& w = e_.works.log.materialisations[d.works];
    const trace::OperatorId op = schedule_.tensors[m.tensor].op;
    Json out;
    out["operator"] = op;
    out["operator_name"] = schedule_.operator_name(op);
    out["nesting"] = m.nesting;
    out["request"] = m.request;
    out["makes"] = storage(schedule_.tensors[m.tensor].storage);
    out["operators_created"] =
        schedule_.tensors[e_.fails.log.materialisations[e_.fails.log.outermost(d.fails)].tensor].op + 1;
    out["equal_victims"] = d.common;
    out["equal_victims_in_step"] = d.equal_in_step ? Json(*d.equal_in_step) : Json(nullptr);
    out["one_sided"] = d.one_sided();
    out["works"] = half(e_.works.log, w, d.works_shortfall, d.works_decision);
    out["fails"] = half(e_.fails.log, m, d.fails_shortfall, d.fails_decision);
    return out;
  }

  Json residents(const std::vector<trace::StorageId>& storages) const {
    std::uint64_t bytes = 0;
    Json list = Json::array();
    for (const trace::StorageId s : storages) {
      bytes += schedule_.storages[s].size;
      list.push_back(storage(s));
    }
    return {{"count", storages.size()}, {"bytes", bytes}, {"storages", list}};
  }

  // In columns: each step in which a run rematerialises, ns.
  Json step_costs() const {
    Json step = Json::array(), op = Json::array(), works = Json::array(), fails = Json::array();
    for (const StepCost& c : e_.step_costs) {
      step.push_back(c.step);
      op.push_back(c.op);
      works.push_back(c.works);
      fails.push_back(c.fails);
    }
    return {{"step", step}, {"operator", op}, {"works", works}, {"fails", fails}};
  }

  Json failing() const {
    const RunLog& log = e_.fails.log;
    const Materialisation& last = log.materialisations[e_.failing_materialisation];
    Json out;
    out["operator"] = e_.failing_operator;
    out["operator_name"] = schedule_.operator_name(e_.failing_operator);
    out["line"] = schedule_.operators[e_.failing_operator].line;
    out["operators_created"] = e_.failing_operator + 1;
    out["step"] = e_.failing_step;
    out["pinned_at_end"] = schedule_.steps[e_.failing_step].kind == trace::StepKind::kPin;
    out["begun"] = e_.failing_begun;
    out["rematerialisations"] = e_.failing_rematerialisations;
    out["evictions"] = e_.failing_evictions;
    std::uint32_t deepest = 0;
    for (std::size_t m = e_.chain.front().materialisation; m < log.first_of(e_.failing_step + 1); ++m) {
      deepest = std::max(deepest, log.materialisations[m].nesting);
    }
    out["deepest_nesting"] = deepest;
    out["asking_operator"] = schedule_.tensors[last.tensor].op;
    out["request"] = last.request;
    out["nesting"] = last.nesting;
    Json chain = Json::array();
    for (const Level& level : e_.chain) {
      const Materialisation& m = log.materialisations[level.materialisation];
      Json entry = storage(schedule_.tensors[m.tensor].storage);
      entry["nesting"] = m.nesting;
      entry["operator"] = schedule_.tensors[m.tensor].op;
      entry["operator_name"] = schedule_.operator_name(schedule_.tensors[m.tensor].op);
      entry["done_below"] = level.done_below;
      entry["evictions_below"] = level.evictions_below;
      chain.push_back(entry);
    }
    out["chain"] = chain;
    return out;
  }

  Json suspect(const Suspect& s) const {
    Json out = storage(s.storage);
    out["why"] = to_string(s.why);
    if (s.why == Why::kMissing) {
      out["missing"] = {{"steps", s.missing.times}, {"cost", s.missing.cost}};
    }
    out["evicted"] = decision(s.evicted);
    out["works_evicted"] = decision(s.works_evicted);
    if (s.works_first_evicted) {
      out["first_evicted"] = decision(s.first_evicted);
      out["works_first_evicted"] = decision(s.works_first_evicted);
    }
    if (s.origin) out["works_alone_short"] = difference(e_.differences[*s.origin]);
    return out;
  }

  Json trial(const Trial& t) const {
    Json out;
    out["kind"] = t.name;
    out["note"] = t.note;
    if (t.retained) out["retained"] = storage(*t.retained);
    out["same_evictions_as_plain_run"] = t.same_as_run;
    out.update(run_json(schedule_, t.budget, t.result));
    return out;
  }

  // Peaks of each step, in columns.
  Json over_time(const RunLog& log) const {
    Json op = Json::array(), use = Json::array(), pinned = Json::array(), nesting = Json::array();
    for (const StepPeak& peak : step_peaks(samples(schedule_, log))) {
      op.push_back(peak.op);
      use.push_back(peak.use);
      pinned.push_back(peak.pinned);
      nesting.push_back(peak.nesting);
    }
    return {{"operator", op}, {"use", use}, {"pinned", pinned}, {"nesting", nesting}};
  }

 private:
  Json half(const RunLog& log, const Materialisation& m, std::uint64_t shortfall,
            const std::optional<std::uint64_t>& next) const {
    Json out;
    out["use"] = m.use;
    out["shortfall_at_first"] = m.shortfall;
    out["shortfall"] = shortfall;
    out["victim"] = next ? storage(log.decisions[*next].victim) : Json(nullptr);
    return out;
  }

  const trace::Schedule& schedule_;
  const Explanation& e_;
};

} // namespace

Json run_json(const trace::Schedule& schedule, std::uint64_t budget, const sim::Result& result) {
  Json out;
  out["budget"] = budget;
  out["status"] = record::to_string(result.record.status);
  const bool ok = result.record.status == record::Status::kOk && schedule.total_cost != 0;
  out["overhead"] =
      ok ? Json(static_cast<double>(result.record.clock) / static_cast<double>(schedule.total_cost)) : Json(nullptr);
  out["clock"] = result.record.clock;
  out["model_compute"] = result.record.model_compute;
  out["remat_compute"] = result.record.remat_compute;
  out["policy_evictions"] = result.record.policy_evictions;
  out["all_evictions"] = result.record.all_evictions;
  out["distinct_evicted"] = result.record.distinct_evicted;
  out["heuristic_evals"] = result.record.heuristic_evals;
  out["pinned_peak"] = result.pinned_peak;
  out["depth_at_pinned_peak"] = result.depth_at_pinned_peak;
  out["max_nesting"] = result.max_nesting;
  if (result.failure) {
    const sim::Failure& f = *result.failure;
    out["failure"] = {
        {"request", f.request}, {"over_by", f.over_by}, {"pinned", f.pinned}, {"depth", f.depth}, {"operator", f.op}};
  }
  out["all_sha256"] = result.record.all_sha256;
  return out;
}

Json to_json(const trace::Schedule& schedule, const Question& question, const Explanation& e) {
  const Writer writer(schedule, e);
  Json out;
  out["trace"] = schedule.name;
  out["heuristic"] = question.settings.heuristic.name;
  out["runtime"] = sim::to_string(question.settings.runtime);
  out["kind"] = e.kind == Kind::kCost ? "cost" : "failure";
  out["scores"] = e.by_rule ? "dtr" : "own"; // a rule may compare something else
  out["works"] = run_json(schedule, e.works.budget, e.works.result);
  out["fails"] = run_json(schedule, e.fails.budget, e.fails.result);
  out["equal_decisions"] = e.equal_decisions;
  out["equal_evictions"] = e.equal_evictions;
  out["first_difference"] = {{"works", writer.decision(e.works_first)}, {"fails", writer.decision(e.fails_first)}};
  out["differences"] = Json::array();
  for (const Difference& d : e.differences) out["differences"].push_back(writer.difference(d));
  out["steps_in_other_order"] = e.reordered_steps;
  out["carried_forward"] = {{"only_works", writer.residents(e.only_works)},
                            {"only_fails", writer.residents(e.only_fails)}};
  if (e.kind == Kind::kCost) out["step_costs"] = writer.step_costs();
  out[e.kind == Kind::kCost ? "dearest" : "failing"] = writer.failing();
  out["suspects"] = Json::array();
  for (const Suspect& s : e.suspects) out["suspects"].push_back(writer.suspect(s));
  out["trials"] = Json::array();
  for (const Trial& t : e.trials) out["trials"].push_back(writer.trial(t));
  out["over_time"] = {{"works", writer.over_time(e.works.log)}, {"fails", writer.over_time(e.fails.log)}};
  return out;
}

} // namespace dtrmc::explain
