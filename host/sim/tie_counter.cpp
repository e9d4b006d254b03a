// SPDX-License-Identifier: Apache-2.0
#include "host/sim/tie_counter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/sim/quotient.h"

namespace dtrmc::sim {

namespace {

double score(const Candidate& c) {
  if (c.rule_score) return *c.rule_score;
  if (!c.is_quotient()) return static_cast<double>(c.cost);
  const UInt128 denominator = c.denominator();
  return denominator == 0 ? std::numeric_limits<double>::infinity() : rounded_quotient(c.cost, denominator);
}

} // namespace

void TieCounter::on_decision(const std::vector<Candidate>& pool, trace::StorageId victim, std::uint64_t /*pinned*/,
                             std::uint32_t /*nesting*/) {
  const auto chosen = std::find_if(pool.begin(), pool.end(), [&](const Candidate& c) { return c.storage == victim; });
  if (chosen == pool.end()) return;
  double best = score(*chosen);
  // A rule may pass over the smallest score (tie-aware), and leaves some out.
  const bool by_rule = chosen->rule_score.has_value();
  if (by_rule) {
    for (const Candidate& c : pool) best = std::min(best, c.rule_score.value_or(best));
  }
  std::uint64_t exact = 0;
  std::uint64_t near = 0;
  for (const Candidate& c : pool) {
    if (by_rule && !c.rule_score) continue;
    const double h = score(c);
    const bool equal = by_rule || c.is_quotient() ? h == best : c.cost == chosen->cost;
    exact += equal ? 1 : 0;
    near += equal || std::fabs(h - best) <= 1e-6 * std::fabs(best) ? 1 : 0;
  }
  --exact; // the best one itself
  --near;
  exact_.candidates += exact;
  near_.candidates += near;
  exact_.decisions += exact > 0 ? 1 : 0;
  near_.decisions += near > 0 ? 1 : 0;
}

} // namespace dtrmc::sim
