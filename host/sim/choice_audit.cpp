// SPDX-License-Identifier: Apache-2.0
#include "host/sim/choice_audit.h"

#include <algorithm>
#include <limits>

#include "host/sim/chooser.h"

namespace dtrmc::sim {

namespace {

// The candidates as choosers see a pool; ids are places in the list.
class Listed {
 public:
  explicit Listed(std::size_t size) : size_(static_cast<trace::StorageId>(size)) {}
  trace::StorageId first() const { return size_ == 0 ? kNoStorage : 0; }
  trace::StorageId next(trace::StorageId s) const { return s + 1 < size_ ? s + 1 : kNoStorage; }

 private:
  trace::StorageId size_;
};

trace::StorageId choose(const std::vector<Candidate>& pool, const arithmetic::Format& format, std::uint64_t tick) {
  const Listed listed(pool.size());
  const auto cost = [&](trace::StorageId s) -> Int128 { return pool[s].cost; };
  const auto size = [&](trace::StorageId s) { return pool[s].size.value_or(1); };
  const auto age = [&](trace::StorageId s) -> std::uint64_t {
    if (!pool[s].staleness) return 1;
    return pool[s].clock / tick - pool[s].last_access / tick;
  };
  if (!arithmetic::is_exact(format)) return choose_approximate(listed, format, cost, size, age).victim;
  if (pool.front().is_quotient()) return choose_quotient(listed, cost, size, age).victim;
  return choose_exact(listed, cost).victim;
}

double score(const Candidate& c) {
  const UInt128 denominator =
      static_cast<UInt128>(c.size.value_or(1)) * (c.staleness ? c.clock - c.last_access : std::uint64_t{1});
  return denominator == 0 ? std::numeric_limits<double>::infinity() : rounded_quotient(c.cost, denominator);
}

} // namespace

void ChoiceAudit::on_decision(const std::vector<Candidate>& pool, trace::StorageId /*victim*/, std::uint64_t /*pinned*/,
                              std::uint32_t /*nesting*/) {
  ++decisions_;
  const trace::StorageId exact = choose(pool, arithmetic::kExact, 1);
  const double best = score(pool[exact]);
  for (Judged& judged : judged_) {
    const trace::StorageId other = choose(pool, judged.arithmetic, judged.tick_ns);
    if (other == exact) continue;
    ++judged.other;
    const double h = score(pool[other]);
    if (best == 0 || h > std::numeric_limits<double>::max() || (best < 0) != (h < 0)) {
      ++judged.unbounded;
      continue;
    }
    const double regret = best > 0 ? h / best - 1 : best / h - 1;
    judged.regret_sum += regret;
    judged.regret_max = std::max(judged.regret_max, regret);
  }
}

} // namespace dtrmc::sim
