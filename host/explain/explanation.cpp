// SPDX-License-Identifier: Apache-2.0
#include "host/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "host/explain/compare_logs.h"
#include "host/explain/parallel.h"

namespace dtrmc::explain {

namespace {

using trace::StorageId;

class Work {
 public:
  Work(const trace::Schedule& schedule, const sim::Topology& topology, const Question& question, const Report& report)
      : schedule_(schedule), topology_(topology), question_(question), report_(report) {}

  Explanation explanation() {
    run_both();
    out_.by_rule = question_.settings.heuristic.policy != nullptr;
    if (out_.kind == Kind::kCost) {
      find_dearest_step();
    } else {
      out_.failing_materialisation = out_.fails.log.allocations.back();
      out_.failing_step = out_.fails.log.materialisations[out_.failing_materialisation].step;
    }
    look_into_step();
    out_.equal_decisions = equal_decisions(out_.works.log, out_.fails.log);
    out_.equal_evictions = equal_evictions(out_.works.log, out_.fails.log);
    compare_steps(out_);
    carried_forward();
    suspects();
    scores();
    trials();
    return std::move(out_);
  }

 private:
  sim::Settings plain(std::uint64_t budget) const {
    sim::Settings settings = question_.settings;
    settings.budget = budget;
    settings.events = nullptr;
    settings.decisions = nullptr;
    settings.allocations = nullptr;
    settings.hashes = true;
    return settings;
  }

  void run_both() {
    out_.works.budget = question_.works;
    out_.fails.budget = question_.fails;
    Side* sides[] = {&out_.works, &out_.fails};
    in_parallel(2, question_.jobs, [&](std::size_t i) {
      sim::Settings settings = plain(sides[i]->budget);
      settings.events = &sides[i]->log;
      settings.allocations = &sides[i]->log;
      sides[i]->result = sim::simulate(schedule_, topology_, settings);
      if (report_) report_(i == 0 ? "run that works" : "run that fails", 1, 2);
    });
    const record::Status works = out_.works.result.record.status;
    const record::Status fails = out_.fails.result.record.status;
    if (works != record::Status::kOk) {
      throw NoQuestion(fmt::format("--works: budget {} ends {}; give one that completes", out_.works.budget,
                                   record::to_string(works)));
    }
    if (fails != record::Status::kOk) return;
    out_.kind = Kind::kCost;
    const double total = static_cast<double>(std::max<std::uint64_t>(schedule_.total_cost, 1));
    const double cheap = static_cast<double>(out_.works.result.record.clock) / total;
    const double dear = static_cast<double>(out_.fails.result.record.clock) / total;
    if (dear < cheap * kDearer) {
      throw NoQuestion(
          fmt::format("--works and --fails: both budgets complete, at {:.3f}x and {:.3f}x; --fails must end oom or "
                      "thrash, or cost {:g} times as much at least{}",
                      cheap, dear, kDearer, cheap >= dear * kDearer ? " (the other way round it does)" : ""));
    }
  }

  void find_dearest_step() {
    out_.step_costs = step_costs(schedule_, out_.works.log, out_.fails.log);
    const auto dearer = [](const StepCost& a, const StepCost& b) {
      return static_cast<std::int64_t>(a.fails - a.works) < static_cast<std::int64_t>(b.fails - b.works);
    };
    out_.failing_step = std::max_element(out_.step_costs.begin(), out_.step_costs.end(), dearer)->step;
    const RunLog& log = out_.fails.log;
    out_.failing_materialisation = static_cast<std::uint32_t>(log.first_of(out_.failing_step));
    for (std::size_t m = log.first_of(out_.failing_step); m < log.first_of(out_.failing_step + 1); ++m) {
      if (log.materialisations[m].nesting > log.materialisations[out_.failing_materialisation].nesting) {
        out_.failing_materialisation = static_cast<std::uint32_t>(m);
      }
    }
  }

  void look_into_step() {
    const RunLog& log = out_.fails.log;
    const std::size_t step_end = log.first_of(out_.failing_step + 1);
    const std::uint32_t root = log.outermost(out_.failing_materialisation);
    out_.failing_operator = op(log, root);
    for (std::uint32_t m = out_.failing_materialisation; m != kNone; m = log.materialisations[m].parent) {
      out_.chain.push_back({m, 0, 0});
    }
    std::reverse(out_.chain.begin(), out_.chain.end());
    // Below each level: everything that began after it and before the next level did.
    for (std::size_t i = 0; i < out_.chain.size(); ++i) {
      const std::size_t end =
          i + 1 < out_.chain.size() ? out_.chain[i + 1].materialisation : end_of(out_.chain[i].materialisation);
      for (std::size_t m = out_.chain[i].materialisation + 1; m < end; ++m) {
        ++out_.chain[i].done_below;
        out_.chain[i].evictions_below += log.materialisations[m].victim_count;
      }
    }
    for (std::size_t m = root; m < step_end; ++m) {
      if (m != root) ++out_.failing_begun;
      if (log.materialisations[m].ran && m != root) ++out_.failing_rematerialisations;
      out_.failing_evictions += log.materialisations[m].victim_count;
    }
  }

  // Behind all that a materialisation of the run that fails waited for.
  std::size_t end_of(std::uint32_t materialisation) const {
    const std::vector<Materialisation>& all = out_.fails.log.materialisations;
    std::size_t end = materialisation + 1;
    while (end < all.size() && all[end].nesting > all[materialisation].nesting) ++end;
    return end;
  }

  trace::OperatorId op(const RunLog& log, std::uint32_t m) const {
    return schedule_.tensors[log.materialisations[m].tensor].op;
  }

  void carried_forward() {
    works_resident_ = resident_before(schedule_, out_.works.log, out_.failing_step);
    fails_resident_ = resident_before(schedule_, out_.fails.log, out_.failing_step);
    for (StorageId s = 0; s < works_resident_.size(); ++s) {
      if (works_resident_[s] == fails_resident_[s]) continue;
      (works_resident_[s] != 0 ? out_.only_works : out_.only_fails).push_back(s);
    }
    const auto larger = [&](StorageId a, StorageId b) {
      return schedule_.storages[a].size > schedule_.storages[b].size;
    };
    std::stable_sort(out_.only_works.begin(), out_.only_works.end(), larger);
    std::stable_sort(out_.only_fails.begin(), out_.only_fails.end(), larger);
  }

  DecisionView view(const RunLog& log, std::uint64_t index) const {
    DecisionView v;
    v.index = index;
    v.decision = log.decisions[index];
    v.by = log.materialisations[v.decision.by];
    v.op = schedule_.tensors[v.by.tensor].op;
    v.step_op = op(log, log.outermost(v.decision.by));
    v.equal_before = static_cast<std::size_t>(index - v.by.first_victim);
    return v;
  }

  // The last eviction of `storage` by the heuristic in a step before `step`.
  std::optional<DecisionView> last_eviction(const RunLog& log, StorageId storage, std::size_t step) const {
    for (std::size_t i = log.decisions.size(); i-- > 0;) {
      const Decision& d = log.decisions[i];
      if (d.victim == storage && log.materialisations[d.by].step < step) return view(log, i);
    }
    return std::nullopt;
  }

  // From the first differing decision to the failing step.
  std::optional<DecisionView> first_eviction(const RunLog& log, StorageId storage) const {
    for (std::size_t i = out_.equal_decisions; i < log.decisions.size(); ++i) {
      if (log.materialisations[log.decisions[i].by].step >= out_.failing_step) break;
      if (log.decisions[i].victim == storage) return view(log, i);
    }
    return std::nullopt;
  }

  bool suspect(StorageId storage, Why why, const MissingInput& missing = {}) {
    if (out_.suspects.size() >= question_.suspects || !seen_.insert(storage).second) return false;
    Suspect s;
    s.storage = storage;
    s.why = why;
    s.missing = missing;
    const std::size_t missed = why == Why::kMissing ? missing.first_step : out_.failing_step;
    s.evicted = last_eviction(out_.fails.log, storage, missed);
    if (!s.evicted) { // released by the program, or never made: keeping it is no remedy
      seen_.erase(storage);
      return false;
    }
    s.works_evicted = last_eviction(out_.works.log, storage, missed);
    for (std::size_t i = 0; i < out_.differences.size(); ++i) {
      const Difference& d = out_.differences[i];
      if (out_.fails.log.materialisations[d.fails].order > s.evicted->by.order) break;
      if (d.works_shortfall != 0 && d.fails_shortfall == 0) s.origin = i;
    }
    out_.suspects.push_back(s);
    return true;
  }

  void suspects() {
    if (out_.kind == Kind::kCost) {
      for (const MissingInput& missing : missing_inputs(schedule_, out_.works.log, out_.fails.log)) {
        if (out_.suspects.size() >= question_.suspects) return;
        suspect(missing.storage, Why::kMissing, missing);
      }
      return;
    }
    const RunLog& log = out_.fails.log;
    const std::uint32_t root = out_.chain.front().materialisation;
    const auto lost = [&](std::uint32_t m) {
      const StorageId s = schedule_.tensors[log.materialisations[m].tensor].storage;
      return works_resident_[s] != 0 && fails_resident_[s] == 0;
    };
    const auto storage = [&](std::uint32_t m) { return schedule_.tensors[log.materialisations[m].tensor].storage; };
    const auto total = static_cast<std::uint32_t>(log.materialisations.size());
    for (std::uint32_t m = root + 1; m < total; ++m) {
      if (log.materialisations[m].parent == root && lost(m)) suspect(storage(m), Why::kInput);
    }
    for (const Level& level : out_.chain) {
      if (level.materialisation != root && lost(level.materialisation))
        suspect(storage(level.materialisation), Why::kChain);
    }
    if (out_.equal_decisions < log.decisions.size()) {
      const StorageId victim = log.decisions[out_.equal_decisions].victim;
      const auto works = first_eviction(out_.works.log, victim);
      if (suspect(victim, works ? Why::kFirstMoved : Why::kFirstVictim) && works) {
        out_.suspects.back().first_evicted = view(log, out_.equal_decisions);
        out_.suspects.back().works_first_evicted = works;
      }
    }
    std::vector<StorageId> rest;
    for (std::uint32_t m = root + 1; m < total; ++m) {
      if (lost(m)) rest.push_back(storage(m));
    }
    std::stable_sort(rest.begin(), rest.end(),
                     [&](StorageId a, StorageId b) { return schedule_.storages[a].size > schedule_.storages[b].size; });
    for (const StorageId s : rest) suspect(s, Why::kLost);
  }

  // Looks at the first differing decision of both runs, and at the suspects' evictions.
  void scores() {
    const std::uint64_t first = out_.equal_decisions;
    Side* sides[] = {&out_.works, &out_.fails};
    std::optional<DecisionView>* firsts[] = {&out_.works_first, &out_.fails_first};
    Wanted wanted[2];
    for (int i = 0; i < 2; ++i) {
      const std::vector<Decision>& own = sides[i]->log.decisions;
      const std::vector<Decision>& other = sides[1 - i]->log.decisions;
      if (first >= own.size()) continue;
      *firsts[i] = view(sides[i]->log, first);
      wanted[i][first] = first < other.size() ? other[first].victim : sim::kNoStorage;
    }
    for (const Suspect& s : out_.suspects) {
      if (s.evicted) wanted[1].emplace(s.evicted->index, sim::kNoStorage);
    }
    std::map<std::uint64_t, Scores> found[2];
    in_parallel(2, question_.jobs, [&](std::size_t i) {
      found[i] = probe(schedule_, topology_, plain(sides[i]->budget), wanted[i]);
      if (report_) report_("scores at the decisions", 2, 2);
    });
    for (int i = 0; i < 2; ++i) {
      if (*firsts[i]) (*firsts[i])->scores = found[i].at(first);
    }
    for (Suspect& s : out_.suspects) {
      if (s.evicted) s.evicted->scores = found[1].at(s.evicted->index);
    }
  }

  void trials() {
    out_.trials.push_back({"control", {}, "nothing retained", question_.fails, {}, false});
    for (const Suspect& s : out_.suspects) {
      out_.trials.push_back({"retain", s.storage, to_string(s.why), question_.fails, {}, false});
    }
    if (!out_.suspects.empty()) {
      const Suspect& main = out_.suspects.front();
      // Would keeping any storage do? The one that came next at the same decision is the fairest comparison.
      if (main.evicted && main.evicted->scores && main.evicted->scores->runner_up) {
        const StorageId other = main.evicted->scores->runner_up->storage;
        if (seen_.count(other) == 0) {
          out_.trials.push_back({"control",
                                 other,
                                 "runner-up of the decision that evicted the first suspect",
                                 question_.fails,
                                 {},
                                 false});
        }
      }
      out_.trials.push_back(
          {"control", main.storage, "first suspect, at the budget that works", question_.works, {}, false});
    }
    if (out_.kind == Kind::kCost) provocations();
    in_parallel(out_.trials.size(), question_.jobs, [&](std::size_t i) {
      Trial& trial = out_.trials[i];
      sim::Settings settings = plain(trial.budget);
      if (trial.retained) settings.retained.push_back(*trial.retained);
      trial.result = sim::simulate(schedule_, topology_, settings);
      const Side& side = trial.budget == out_.works.budget ? out_.works : out_.fails;
      trial.same_as_run = trial.result.record.all_sha256 == side.result.record.all_sha256;
      if (report_) report_("counterfactual", i + 1, out_.trials.size());
    });
  }

  // The other direction: the cheap run without one of the evictions that it alone made. If that was its luck, it
  // becomes dear.
  void provocations() {
    out_.trials.push_back({"control", {}, "nothing retained, at the budget that works", question_.works, {}, false});
    std::set<StorageId> tried;
    const auto provoke = [&](std::uint64_t decision, const char* note) {
      const StorageId victim = out_.works.log.decisions[decision].victim;
      if (tried.size() < question_.suspects && tried.insert(victim).second) {
        out_.trials.push_back({"provoke", victim, note, question_.works, {}, false});
      }
    };
    if (out_.works_first) provoke(out_.works_first->index, "its victim of the first differing decision");
    for (const Suspect& s : out_.suspects) {
      if (s.origin) {
        provoke(*out_.differences[*s.origin].works_decision, "what it evicted where it alone was short");
      }
    }
  }

  const trace::Schedule& schedule_;
  const sim::Topology& topology_;
  const Question& question_;
  const Report& report_;
  Explanation out_;
  std::vector<std::uint8_t> works_resident_;
  std::vector<std::uint8_t> fails_resident_;
  std::set<StorageId> seen_;
};

} // namespace

const char* to_string(Why why) {
  switch (why) {
    case Why::kInput:
      return "input of the failing operator, resident in the other run";
    case Why::kChain:
      return "on the way to the failing request, resident in the other run";
    case Why::kFirstVictim:
      return "victim of the first differing decision, which the other run does not evict";
    case Why::kFirstMoved:
      return "victim of the first differing decision; the other run evicts it too, though not there";
    case Why::kLost:
      return "rebuilt in the failing step, resident in the other run";
    case Why::kMissing:
      return "missing where an operator reads it, resident in the other run";
  }
  return "";
}

Explanation explain(const trace::Schedule& schedule, const sim::Topology& topology, const Question& question,
                    const Report& report) {
  return Work(schedule, topology, question, report).explanation();
}

} // namespace dtrmc::explain
