// SPDX-License-Identifier: Apache-2.0
#include "host/compare/moved_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/compare/ranking.h"

namespace dtrmc::compare {

namespace {

std::optional<sim::Candidate> find(const std::vector<sim::Candidate>& pool, trace::StorageId storage) {
  const auto found =
      std::find_if(pool.begin(), pool.end(), [&](const sim::Candidate& c) { return c.storage == storage; });
  if (found == pool.end()) return std::nullopt;
  return *found;
}

double as_double(sim::Int128 value) { return static_cast<double>(value); }

std::string percent(double part) { return fmt::format("{:+.4g} %", part * 100); }

// How far the score of `other` lies above that of `winner`.
std::string above(const sim::Candidate& winner, const sim::Candidate& other) {
  const double by = margin(winner, other);
  if (by == 0) return "equal";
  if (std::isinf(by)) return by > 0 ? "infinitely above" : "infinitely below";
  return fmt::format("{:.4g} % {}", std::fabs(by) * 100, by > 0 ? "above" : "below");
}

} // namespace

std::optional<MovedDecision> moved_decision(std::uint64_t index, const std::vector<sim::Candidate>& simulator,
                                            trace::StorageId simulator_victim,
                                            const std::vector<sim::Candidate>& platform,
                                            trace::StorageId platform_victim) {
  MovedDecision decision;
  decision.index = index;
  decision.candidates = platform.size();
  const auto fill = [&](trace::StorageId storage, MovedCandidate& candidate) {
    const auto left = find(simulator, storage);
    const auto right = find(platform, storage);
    if (!left || !right) return false;
    candidate = {storage, *left, *right};
    return true;
  };
  if (!fill(platform_victim, decision.platform_victim)) return std::nullopt;
  if (!fill(simulator_victim, decision.simulator_victim)) return std::nullopt;
  return decision;
}

namespace {

struct Nanoseconds {
  double simulator, platform;
};

Nanoseconds staleness(const MovedDecision& d, const MovedCandidate& c) {
  return {static_cast<double>(c.simulator.staleness.value_or(0)) * static_cast<double>(d.simulator_tick),
          static_cast<double>(c.platform.staleness.value_or(0)) * static_cast<double>(d.platform_tick)};
}

} // namespace

std::optional<double> staleness_moved(const MovedDecision& d, const MovedCandidate& c) {
  const Nanoseconds ns = staleness(d, c);
  if (!c.simulator.staleness || ns.simulator == 0) return std::nullopt;
  return (ns.platform - ns.simulator) / ns.simulator;
}

std::string why(const trace::Schedule& schedule, const MovedDecision& d) {
  const auto name = [&](const MovedCandidate& c) { return schedule.storage_name(c.storage); };
  const MovedCandidate& p = d.platform_victim;
  const MovedCandidate& s = d.simulator_victim;
  std::vector<std::string> moved;
  for (const MovedCandidate* c : {&p, &s}) {
    if (c->simulator.cost != c->platform.cost) {
      const double by = as_double(c->platform.cost - c->simulator.cost);
      moved.push_back(fmt::format("cost of {} {:+.0f}", name(*c), by));
    }
    const Nanoseconds ns = staleness(d, *c);
    if (ns.simulator != ns.platform) {
      const auto part = staleness_moved(d, *c);
      moved.push_back(fmt::format("staleness of {} {:+.0f} ns{}", name(*c), ns.platform - ns.simulator,
                                  part ? " (" + percent(*part) + ")" : std::string()));
    }
  }
  const std::string terms = moved.empty() ? std::string("no term moved: the arithmetic decided otherwise")
                                          : fmt::to_string(fmt::join(moved, ", "));
  return fmt::format("why: {}; {}'s score was {} {}'s in the simulator, on the platform it is {}", terms, name(p),
                     above(s.simulator, p.simulator), name(s), above(s.platform, p.platform));
}

std::vector<std::string> to_lines(const trace::Schedule& schedule, const MovedDecision& d) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("the decision that differs: number {}, {} candidates; a tick is {} ns (simulator: {})",
                              d.index, d.candidates, d.platform_tick, d.simulator_tick));
  lines.push_back(fmt::format("  {:<22} {:<10} {:>20} {:>16} {:>20} {:>12}", "victim of", "as seen by", "cost", "size",
                              "staleness (ticks)", "score"));
  const auto row = [&](const char* whose, const MovedCandidate& c) {
    const auto side = [&](const std::string& label, const char* by, const sim::Candidate& seen) {
      const auto number = [](const std::optional<std::uint64_t>& value) {
        return value ? std::to_string(*value) : std::string("-");
      };
      lines.push_back(fmt::format("  {:<22} {:<10} {:>20.0f} {:>16} {:>20} {:>12.6g}", label, by, as_double(seen.cost),
                                  number(seen.size), number(seen.staleness), score(seen)));
    };
    side(fmt::format("{}: {}", whose, schedule.storage_name(c.storage)), "simulator", c.simulator);
    side("", "platform", c.platform);
  };
  row("platform", d.platform_victim);
  row("simulator", d.simulator_victim);
  lines.push_back(why(schedule, d));
  return lines;
}

} // namespace dtrmc::compare
