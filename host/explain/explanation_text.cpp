// SPDX-License-Identifier: Apache-2.0
#include "host/explain/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>

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
  Text(const trace::Schedule& schedule, const Explanation& e) : schedule_(schedule), e_(e) {}

  std::string text() {
    runs();
    first_difference();
    allocations();
    carried("in the run that works only", e_.only_works);
    carried("in the run that fails only", e_.only_fails);
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
    line("works  {}", outcome(e_.works.budget, e_.works.result));
    line("fails  {}", outcome(e_.fails.budget, e_.fails.result));
  }

  void decision(const char* who, const std::optional<DecisionView>& view) {
    if (!view) {
      line("  {}  takes no further decision", who);
      return;
    }
    const std::string within = view->by.nesting > 1 ? fmt::format(" within operator {}", view->step_op) : "";
    line("  {}  {} at nesting {}{} asks for {} bytes; after {} evictions for it still {} short, {} candidates", who,
         op(view->op), view->by.nesting, within, bytes(view->by.request), view->equal_before,
         bytes(view->decision.shortfall), view->decision.candidates);
    std::string text = fmt::format("evicts {}", storage(view->decision.victim));
    if (view->scores) {
      text += fmt::format(", score {:.4e}", view->scores->victim.score);
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
    decision("works", e_.works_first);
    decision("fails", e_.fails_first);
  }

  std::string half(const RunLog& log, std::uint64_t shortfall, const std::optional<std::uint64_t>& next) const {
    if (!next) return "fits";
    const trace::StorageId victim = log.decisions[*next].victim;
    return fmt::format("{} short, evicts {} ({})", bytes(shortfall), schedule_.storages[victim].root,
                       bytes(schedule_.storages[victim].size));
  }

  void difference(const Difference& d) {
    const Materialisation& m = e_.fails.log.materialisations[d.fails];
    line("  operator {} makes storage {}, asks {}; {} equal victims; works: {}; fails: {}",
         schedule_.tensors[m.tensor].op, schedule_.storages[schedule_.tensors[m.tensor].storage].root, bytes(m.request),
         d.common, half(e_.works.log, d.works_shortfall, d.works_decision),
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

  void carried(const char* where, const std::vector<trace::StorageId>& storages) {
    std::uint64_t total = 0;
    for (const trace::StorageId s : storages) total += schedule_.storages[s].size;
    if (&storages == &e_.only_works) line("\nCarried forward to {}: resident", op(e_.failing_operator));
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

  void failing() {
    line(
        "\nThe run fails in {}: {} rematerialisations begun, {} done, {} evictions by the heuristic; down to the "
        "failing request:",
        op(e_.failing_operator), e_.failing_begun, e_.failing_rematerialisations, e_.failing_evictions);
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
    line("\nPeaks around the failure, by operator (bytes)");
    line("  {:>8}  {:>15} {:>15} {:>6} {:>7}   {:>15} {:>15} {:>6} {:>7}", "operator", "works: use", "pinned", "depth",
         "allocs", "fails: use", "pinned", "depth", "allocs");
    constexpr std::size_t kShown = 8;
    const std::size_t begin = fails.size() > kShown ? fails.size() - kShown : 0;
    for (std::size_t i = begin; i < fails.size(); ++i) {
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
      if (s.evicted) decision("fails", s.evicted);
      if (s.works_evicted) {
        line("  works  evicts it by operator {}, decision {}", s.works_evicted->op, s.works_evicted->index + 1);
      } else {
        line("  works  never evicts it before");
      }
      if (s.origin) {
        line("  before that the run that works alone was short:");
        difference(e_.differences[*s.origin]);
      }
    }
    if (e_.suspects.empty()) line("  none: every storage that the run rebuilds was gone in both");
  }

  void trials() {
    line("\nCounterfactuals");
    for (const Trial& t : e_.trials) {
      const std::string what = t.retained ? fmt::format("{} never offered for eviction", storage(*t.retained)) : t.note;
      line("  {:<7}  {}{}", t.name, what, t.retained && t.name == "control" ? fmt::format(" ({})", t.note) : "");
      line("           {}{}", outcome(t.budget, t.result), t.same_as_run ? "; evictions as in the plain run" : "");
    }
  }

  const trace::Schedule& schedule_;
  const Explanation& e_;
  std::string out_;
};

} // namespace

std::string to_text(const trace::Schedule& schedule, const Explanation& explanation) {
  return Text(schedule, explanation).text();
}

} // namespace dtrmc::explain
