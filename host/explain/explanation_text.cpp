// SPDX-License-Identifier: Apache-2.0
#include "host/explain/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/explain/series.h"

namespace dtrmc::explain {

namespace {

std::string bytes(std::uint64_t n) { // 2634785825 -> 2,634,785,825
  std::string text = fmt::format("{}", n);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

class Text {
 public:
  Text(const trace::Schedule& schedule, const Explanation& e)
      : schedule_(schedule),
        e_(e),
        cost_(e.kind == Kind::kCost),
        works_(cost_ ? "cheap" : "works"),
        fails_(cost_ ? "dear" : "fails") {}

  std::string text() {
    runs();
    first_difference();
    allocations();
    if (cost_) step_costs();
    carried(fmt::format("in the {} run only", cost_ ? "cheap" : "working"), e_.only_works);
    carried(fmt::format("in the {} run only", cost_ ? "dear" : "failing"), e_.only_fails);
    failing();
    over_time();
    suspects();
    trials();
    return std::move(out_);
  }

 private:
  template <typename... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    out_ += fmt::format(format, std::forward<T>(values)...);
    out_ += '\n';
  }

  std::string storage(trace::StorageId s) const {
    return fmt::format("storage {} '{}' ({} bytes)", schedule_.storages[s].root, schedule_.storage_name(s),
                       bytes(schedule_.storages[s].size));
  }
  std::string op(trace::OperatorId id) const {
    return fmt::format("operator {} '{}' (line {})", id, schedule_.operator_name(id), schedule_.operators[id].line);
  }

  // A step of the program: an operator, or what has to be resident at the end.
  std::string step(std::size_t number) const {
    const trace::Step& s = schedule_.steps[number];
    if (s.kind != trace::StepKind::kPin) return op(s.id);
    return fmt::format("pinning storage {} at the end", schedule_.storages[schedule_.tensors[s.id].storage].root);
  }

  std::string outcome(std::uint64_t budget, const sim::Result& r) const {
    std::string text = fmt::format("budget {}: {}", bytes(budget), record::to_string(r.record.status));
    if (r.record.status == record::Status::kOk && schedule_.total_cost != 0) {
      text += fmt::format(", {:.3f}x", static_cast<double>(r.record.clock) / static_cast<double>(schedule_.total_cost));
    }
    text += fmt::format(", {} evictions ({} by the heuristic), nesting {}, pinned peak {} at depth {}",
                        r.record.all_evictions, r.record.policy_evictions, r.max_nesting, bytes(r.pinned_peak),
                        r.depth_at_pinned_peak);
    if (r.failure) {
      text += fmt::format("; request of {} is {} over", bytes(r.failure->request), bytes(r.failure->over_by));
    }
    return text;
  }

  void runs() {
    line("{:<5}  {}", works_, outcome(e_.works.budget, e_.works.result));
    line("{:<5}  {}", fails_, outcome(e_.fails.budget, e_.fails.result));
  }

  void decision(const char* who, const std::optional<DecisionView>& view) {
    if (!view) {
      line("  {:<5}  takes no further decision", who);
      return;
    }
    const std::string within = view->by.nesting > 1 ? fmt::format(" within operator {}", view->step_op) : "";
    line("  {:<5}  {} at nesting {}{} asks for {} bytes; after {} evictions for it still {} short, {} candidates", who,
         op(view->op), view->by.nesting, within, bytes(view->by.request), view->equal_before,
         bytes(view->decision.shortfall), view->decision.candidates);
    std::string text = fmt::format("evicts {}", storage(view->decision.victim));
    if (view->scores) {
      text += fmt::format(", {} {:.4e}", e_.by_rule ? "dtr's score" : "score", view->scores->victim.score);
      if (view->scores->runner_up) {
        text += fmt::format("; runner-up {}, {:.4e}", storage(view->scores->runner_up->storage),
                            view->scores->runner_up->score);
      }
      if (view->scores->rival && view->scores->rival->storage != view->decision.victim) {
        text += fmt::format("; the other run's victim {}: {:.4e}",
                            schedule_.storages[view->scores->rival->storage].root, view->scores->rival->score);
      }
    }
    line("         {}", text);
  }

  void first_difference() {
    line("\nFirst differing decision: number {} ({} equal evictions before, releases among them)",
         e_.equal_decisions + 1, e_.equal_evictions);
    decision(works_, e_.works_first);
    decision(fails_, e_.fails_first);
  }

  std::string half(const RunLog& log, std::uint64_t shortfall, const std::optional<std::uint64_t>& next) const {
    if (!next) return "fits";
    const trace::StorageId victim = log.decisions[*next].victim;
    return fmt::format("{} short, evicts {} ({})", bytes(shortfall), schedule_.storages[victim].root,
                       bytes(schedule_.storages[victim].size));
  }

  void difference(const Difference& d) {
    const Materialisation& m = e_.fails.log.materialisations[d.fails];
    line("  operator {} makes storage {}, asks {}; {} equal victims; {}: {}; {}: {}", schedule_.tensors[m.tensor].op,
         schedule_.storages[schedule_.tensors[m.tensor].storage].root, bytes(m.request), d.common, works_,
         half(e_.works.log, d.works_shortfall, d.works_decision), fails_,
         half(e_.fails.log, d.fails_shortfall, d.fails_decision));
  }

  void allocations() {
    std::vector<const Difference*> one_sided;
    for (const Difference& d : e_.differences) {
      if (d.one_sided()) one_sided.push_back(&d);
    }
    line("\nAllocations where one run is short and the other is not: {} (in {} that go differently)", one_sided.size(),
         e_.differences.size());
    constexpr std::size_t kFirst = 3, kLast = 8;
    for (std::size_t i = 0; i < one_sided.size(); ++i) {
      if (i == kFirst && one_sided.size() > kFirst + kLast) {
        line("  ... {} more ...", one_sided.size() - kFirst - kLast);
        i = one_sided.size() - kLast;
      }
      difference(*one_sided[i]);
    }
  }

  void carried(const std::string& where, const std::vector<trace::StorageId>& storages) {
    std::uint64_t total = 0;
    for (const trace::StorageId s : storages) total += schedule_.storages[s].size;
    if (&storages == &e_.only_works) line("\nCarried forward to {}: resident", step(e_.failing_step));
    line("  {}: {} storages, {} bytes", where, storages.size(), bytes(total));
    constexpr std::size_t kShown = 5;
    for (std::size_t i = 0; i < std::min(kShown, storages.size()); ++i) line("    {}", storage(storages[i]));
    if (storages.size() > kShown) line("    ... {} smaller", storages.size() - kShown);
  }

  void level(const Level& l) {
    const Materialisation& m = e_.fails.log.materialisations[l.materialisation];
    const trace::OperatorId id = schedule_.tensors[m.tensor].op;
    std::string text =
        fmt::format("{:>3} operator {} '{}' for storage {} ({})", m.nesting, id, schedule_.operator_name(id),
                    schedule_.storages[schedule_.tensors[m.tensor].storage].root,
                    bytes(schedule_.storages[schedule_.tensors[m.tensor].storage].size));
    if (l.done_below != 0) {
      text += fmt::format(" + {} rebuilt before, {} evictions", l.done_below, l.evictions_below);
    }
    line("  {}{}", std::string(std::min<std::size_t>(m.nesting - 1, 12), ' '), text);
  }

  // Where the cost comes from: the dearest steps, and how it grows along the program.
  void step_costs() {
    const double total = static_cast<double>(std::max<std::uint64_t>(schedule_.total_cost, 1));
    std::uint64_t works = 0, fails = 0; // ns
    for (const StepCost& c : e_.step_costs) {
      works += c.works;
      fails += c.fails;
    }
    const auto more = [](const StepCost& c) { return static_cast<double>(c.fails) - static_cast<double>(c.works); };
    const double excess = static_cast<double>(fails) - static_cast<double>(works);
    line("\nWhere the cost diverges: rematerialisation {} ns and {} ns, {:.3f} times the baseline's compute more",
         bytes(works), bytes(fails), excess / total);
    std::string growth;
    double sum = 0;
    int next = 10; // percent
    for (const StepCost& c : e_.step_costs) {
      sum += more(c);
      for (; next < 100 && sum >= excess * next / 100; next += 40) {
        growth += fmt::format("{}{} % by {}", growth.empty() ? "" : ", ", next, step(c.step));
      }
    }
    line("  of that {}", growth);
    std::vector<const StepCost*> dearest;
    for (const StepCost& c : e_.step_costs) dearest.push_back(&c);
    std::stable_sort(dearest.begin(), dearest.end(),
                     [&](const StepCost* a, const StepCost* b) { return more(*a) > more(*b); });
    constexpr std::size_t kShown = 5;
    dearest.resize(std::min(dearest.size(), kShown));
    for (const StepCost* c : dearest) {
      line("  {}: {} ns, {} ns ({:.1f} % of the difference)", step(c->step), bytes(c->works), bytes(c->fails),
           100 * more(*c) / excess);
    }
  }

  void failing() {
    line("\n{} in {}: {} rematerialisations begun, {} done, {} evictions by the heuristic; down to the {}:",
         cost_ ? "The largest part of it arises" : "The run fails", step(e_.failing_step), e_.failing_begun,
         e_.failing_rematerialisations, e_.failing_evictions, cost_ ? "deepest materialisation" : "failing request");
    constexpr std::size_t kFirst = 6, kLast = 6;
    const std::size_t n = e_.chain.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (i == kFirst && n > kFirst + kLast + 1) {
        std::uint64_t rebuilt = 0, evictions = 0;
        for (; i < n - kLast; ++i) {
          rebuilt += e_.chain[i].done_below;
          evictions += e_.chain[i].evictions_below;
        }
        line("  {}... {} levels (+ {} rebuilt, {} evictions)", std::string(kFirst, ' '), n - kFirst - kLast, rebuilt,
             evictions);
      }
      level(e_.chain[i]);
    }
    if (cost_) return;
    const Materialisation& last = e_.fails.log.materialisations[e_.failing_materialisation];
    if (e_.fails.result.failure) {
      line("  asks for {} bytes: {} more than there are, all {} in use pinned, no candidate left", bytes(last.request),
           bytes(e_.fails.result.failure->over_by), bytes(e_.fails.result.failure->pinned));
    } else {
      line("  here the overhead limit was passed");
    }
  }

  void over_time() {
    const auto works = step_peaks(samples(schedule_, e_.works.log));
    const auto fails = step_peaks(samples(schedule_, e_.fails.log));
    line("\nPeaks around {}, by operator (bytes)", cost_ ? "it" : "the failure");
    line("  {:>8}  {:>15} {:>15} {:>6} {:>7}   {:>15} {:>15} {:>6} {:>7}", "operator", fmt::format("{}: use", works_),
         "pinned", "depth", "allocs", fmt::format("{}: use", fails_), "pinned", "depth", "allocs");
    constexpr std::size_t kBefore = 7, kBehind = 3;
    const auto at =
        std::find_if(fails.begin(), fails.end(), [&](const StepPeak& p) { return p.step == e_.failing_step; });
    const auto step = static_cast<std::size_t>(at - fails.begin());
    for (std::size_t i = step - std::min(kBefore, step); i < std::min(step + kBehind, fails.size()); ++i) {
      const StepPeak& f = fails[i];
      const auto found = std::find_if(works.begin(), works.end(), [&](const StepPeak& p) { return p.step == f.step; });
      const StepPeak w = found != works.end() ? *found : StepPeak();
      line("  {:>8}  {:>15} {:>15} {:>6} {:>7}   {:>15} {:>15} {:>6} {:>7}", f.op, bytes(w.use), bytes(w.pinned),
           w.nesting, w.allocations, bytes(f.use), bytes(f.pinned), f.nesting, f.allocations);
    }
  }

  void suspects() {
    line("\nSuspects");
    for (const Suspect& s : e_.suspects) {
      line("  {}: {}", storage(s.storage), to_string(s.why));
      if (s.why == Why::kMissing) {
        line("  {} time{}, first in {}; bringing it back, with all that this needs, takes {} ns", s.missing.times,
             s.missing.times == 1 ? "" : "s", step(s.missing.first_step), bytes(s.missing.cost));
      }
      if (s.works_first_evicted) {
        line("  first   {}: by operator {}, decision {}; {}: by operator {}, decision {}; last before the failure:",
             works_, s.works_first_evicted->op, s.works_first_evicted->index + 1, fails_, s.first_evicted->op,
             s.first_evicted->index + 1);
      }
      if (s.evicted) decision(fails_, s.evicted);
      if (s.works_evicted) {
        line("  {:<5}  evicts it by operator {}, decision {}", works_, s.works_evicted->op, s.works_evicted->index + 1);
      } else {
        line("  {:<5}  never evicts it before", works_);
      }
      if (s.origin) {
        line("  before that the {} run alone was short:", cost_ ? "cheap" : "working");
        difference(e_.differences[*s.origin]);
      }
    }
    if (e_.suspects.empty()) line("  none: every storage that the run rebuilds was gone in both");
  }

  // Of the cost, where both the trial and the plain run at its budget complete.
  std::string change(const Trial& t) const {
    const sim::Result& plain = (t.budget == e_.works.budget ? e_.works : e_.fails).result;
    if (plain.record.status != record::Status::kOk) return "";
    if (t.result.record.status != record::Status::kOk) return "; no longer completes";
    const double part = static_cast<double>(t.result.record.clock) / static_cast<double>(plain.record.clock) - 1;
    return fmt::format("; cost {} by {:.1f} %", part < 0 ? "lowered" : "raised", 100 * std::fabs(part));
  }

  void trials() {
    line("\nCounterfactuals");
    for (const Trial& t : e_.trials) {
      const std::string what = t.retained ? fmt::format("{} never offered for eviction", storage(*t.retained)) : t.note;
      line("  {:<7}  {}{}", t.name, what, t.retained && t.name != "retain" ? fmt::format(" ({})", t.note) : "");
      line("           {}{}", outcome(t.budget, t.result),
           t.same_as_run ? "; evictions as in the plain run" : change(t));
    }
  }

  const trace::Schedule& schedule_;
  const Explanation& e_;
  const bool cost_;
  const char* const works_;
  const char* const fails_;
  std::string out_;
};

} // namespace

std::string to_text(const trace::Schedule& schedule, const Explanation& explanation) {
  return Text(schedule, explanation).text();
}

} // namespace dtrmc::explain
