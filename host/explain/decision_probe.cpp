// SPDX-License-Identifier: Apache-2.0
#include "host/explain/decision_probe.h"

#include <limits>

#include "host/sim/quotient.h"

namespace dtrmc::explain {

namespace {

struct Enough {}; // thrown out of the run after the last decision of interest

double score_of(const sim::Candidate& c) {
  if (!c.is_quotient()) return static_cast<double>(c.cost);
  if (c.denominator() == 0) return std::numeric_limits<double>::infinity();
  return c.cost == 0 ? 0.0 : sim::rounded_quotient(c.cost, c.denominator());
}

class Probe : public sim::DecisionObserver {
 public:
  explicit Probe(const Wanted& wanted) : wanted_(wanted), next_(wanted_.begin()) {}

  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t,
                   std::uint32_t) override {
    if (count_++ != next_->first) return;
    Scores& found = found_[next_->first];
    found.candidates = pool.size();
    for (const sim::Candidate& c : pool) {
      const Scored scored{c.storage, score_of(c)};
      if (c.storage == next_->second) found.rival = scored;
      if (c.storage == victim) {
        found.victim = scored;
      } else if (!found.runner_up || scored.score <= found.runner_up->score) { // the last minimum wins
        found.runner_up = scored;
      }
    }
    if (++next_ == wanted_.end()) throw Enough();
  }

  std::map<std::uint64_t, Scores> found() { return std::move(found_); }

 private:
  const Wanted& wanted_;
  Wanted::const_iterator next_;
  std::uint64_t count_ = 0;
  std::map<std::uint64_t, Scores> found_;
};

} // namespace

std::map<std::uint64_t, Scores> probe(const trace::Schedule& schedule, const sim::Topology& topology,
                                      sim::Settings settings, const Wanted& wanted) {
  if (wanted.empty()) return {};
  Probe observer(wanted);
  settings.events = nullptr;
  settings.allocations = nullptr;
  settings.hashes = false;
  settings.decisions = &observer;
  try {
    sim::simulate(schedule, topology, settings);
  } catch (const Enough&) {
  }
  return observer.found();
}

} // namespace dtrmc::explain
