// SPDX-License-Identifier: Apache-2.0
#include "host/explain/compare_logs.h"

#include <algorithm>

namespace dtrmc::explain {

namespace {

// The allocation of two materialisations that are the same in both runs. Nothing: the same victims.
bool difference_of(const Side& works, std::uint32_t w, const Side& fails, std::uint32_t f, Difference& out) {
  const Materialisation& a = works.log.materialisations[w];
  const Materialisation& b = fails.log.materialisations[f];
  const std::size_t shared = std::min(a.victim_count, b.victim_count);
  std::size_t common = 0;
  while (common < shared &&
         works.log.decisions[a.first_victim + common].victim == fails.log.decisions[b.first_victim + common].victim) {
    ++common;
  }
  if (common == a.victim_count && common == b.victim_count) return false;
  out = {};
  out.works = w;
  out.fails = f;
  out.common = common;
  if (common < a.victim_count) {
    out.works_decision = a.first_victim + common;
    out.works_shortfall = works.log.decisions[*out.works_decision].shortfall;
  }
  if (common < b.victim_count) {
    out.fails_decision = b.first_victim + common;
    out.fails_shortfall = fails.log.decisions[*out.fails_decision].shortfall;
  }
  return true;
}

// The first decision of the step that the allocation at `position` belongs to.
std::size_t first_decision(const RunLog& log, std::size_t position) {
  const auto at = [&](std::size_t i) -> const Materialisation& { return log.materialisations[log.allocations[i]]; };
  while (position > 0 && at(position - 1).step == at(position).step) --position;
  return at(position).first_victim;
}

// Victims of the step before the difference, where they are the same in both runs.
std::optional<std::size_t> equal_in_step(const Side& works, std::size_t i, const Side& fails, std::size_t j,
                                         const Difference& d) {
  const std::size_t a = first_decision(works.log, i);
  const std::size_t b = first_decision(fails.log, j);
  const std::size_t a_count = works.log.materialisations[d.works].first_victim + d.common - a;
  const std::size_t b_count = fails.log.materialisations[d.fails].first_victim + d.common - b;
  if (a_count != b_count) return std::nullopt;
  for (std::size_t k = 0; k < a_count; ++k) {
    if (works.log.decisions[a + k].victim != fails.log.decisions[b + k].victim) return std::nullopt;
  }
  return a_count;
}

} // namespace

std::uint64_t equal_decisions(const RunLog& a, const RunLog& b) {
  const std::size_t shared = std::min(a.decisions.size(), b.decisions.size());
  std::size_t i = 0;
  while (i < shared && a.decisions[i].victim == b.decisions[i].victim &&
         a.materialisations[a.decisions[i].by].step == b.materialisations[b.decisions[i].by].step &&
         a.materialisations[a.decisions[i].by].tensor == b.materialisations[b.decisions[i].by].tensor) {
    ++i;
  }
  return i;
}

std::uint64_t equal_evictions(const RunLog& a, const RunLog& b) {
  std::uint64_t equal = 0;
  auto i = a.changes.begin();
  auto j = b.changes.begin();
  const auto runs = [](const Change& change) { return change.kind == Change::kRuns; };
  for (;;) {
    i = std::find_if_not(i, a.changes.end(), runs);
    j = std::find_if_not(j, b.changes.end(), runs);
    if (i == a.changes.end() || j == b.changes.end() || i->id != j->id) return equal;
    ++equal;
    ++i;
    ++j;
  }
}

void compare_steps(Explanation& e) {
  const std::vector<std::uint32_t>& a = e.works.log.allocations;
  const std::vector<std::uint32_t>& b = e.fails.log.allocations;
  const auto& works = e.works.log.materialisations;
  const auto& fails = e.fails.log.materialisations;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const Materialisation& w = works[a[i]];
    const Materialisation& f = fails[b[j]];
    if (f.step > e.failing_step || w.step > e.failing_step) break;
    if (w.step != f.step) { // the rest of a step that went differently; a step that one run alone had to take
      (w.step < f.step ? i : j) += 1;
      continue;
    }
    if (w.tensor == f.tensor && w.nesting == f.nesting) {
      Difference d;
      if (difference_of(e.works, a[i], e.fails, b[j], d)) {
        d.equal_in_step = equal_in_step(e.works, i, e.fails, j, d);
        e.differences.push_back(d);
      }
      ++i;
      ++j;
      continue;
    }
    // One run rebuilds what the other still has: meet again at the step's own operator.
    ++e.reordered_steps;
    while (i < a.size() && works[a[i]].step == w.step && works[a[i]].nesting > 1) ++i;
    while (j < b.size() && fails[b[j]].step == f.step && fails[b[j]].nesting > 1) ++j;
  }
}

} // namespace dtrmc::explain
