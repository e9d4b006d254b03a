// SPDX-License-Identifier: Apache-2.0
#include "host/compare/margins.h"

#include <algorithm>

#include "host/compare/ranking.h"

namespace dtrmc::compare {

std::optional<JudgedDecision> judge(const std::vector<sim::Candidate>& pool, trace::StorageId victim) {
  const auto found =
      std::find_if(pool.begin(), pool.end(), [&](const sim::Candidate& c) { return c.storage == victim; });
  if (found == pool.end()) return std::nullopt;
  JudgedDecision decision;
  decision.storage = victim;
  decision.candidates = pool.size();
  decision.victim = *found;
  const auto runner_up = choose(pool, static_cast<std::size_t>(found - pool.begin()));
  if (runner_up) {
    decision.runner_up = pool[*runner_up];
    decision.margin = margin(decision.victim, *decision.runner_up);
  }
  return decision;
}

void Judge::on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t,
                        std::uint32_t) {
  auto decision = judge(pool, victim);
  if (!decision) return;
  decision->event = events_;
  decisions_.push_back(*decision);
}

MarginSummary summarise(const std::vector<JudgedDecision>& decisions, std::size_t smallest) {
  MarginSummary summary;
  for (const JudgedDecision& decision : decisions) {
    if (!decision.runner_up) continue;
    ++summary.decisions;
    for (std::size_t i = 0; i < kFormats.size(); ++i) {
      if (decision.margin <= kFormats[i].error) ++summary.within[i];
    }
    if (decision.margin == 0) {
      ++summary.ties;
    } else {
      summary.smallest.push_back(&decision);
    }
  }
  const std::size_t kept = std::min(smallest, summary.smallest.size());
  std::partial_sort(summary.smallest.begin(), summary.smallest.begin() + static_cast<std::ptrdiff_t>(kept),
                    summary.smallest.end(), [](const JudgedDecision* a, const JudgedDecision* b) {
                      return a->margin != b->margin ? a->margin < b->margin : a->event < b->event;
                    });
  summary.smallest.resize(kept);
  return summary;
}

} // namespace dtrmc::compare
