// SPDX-License-Identifier: Apache-2.0
// TControlInspired(f): storages that many shortest computation paths lead through are locked.
//
// Betweenness of every storage in the graph of storages (edge from a parent's storage to the child's, as long as the
// child's compute). At a decision the top K of the storages are locked, K = f x (memory still free) / budget + 1%. The
// victim has the smallest score of dtr among the candidates that are not locked, among all where every one is.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <queue>
#include <vector>

#include "host/sim/policies/all.h"

namespace dtrmc::sim {

namespace {

using trace::StorageId;

// Brandes' algorithm; paths from each storage in ascending (length, id).
std::vector<double> betweenness(const trace::Schedule& schedule, const Topology& topology) {
  const std::size_t count = schedule.storages.size();
  std::vector<std::uint64_t> compute(count); // of an unlimited run
  for (const trace::Operator& op : schedule.operators) {
    StorageId last = kNoStorage;
    for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const StorageId s = schedule.tensors[t].storage;
      if (s != last) compute[s] += op.cost;
      last = s;
    }
  }
  constexpr std::uint64_t kFar = UINT64_MAX;
  std::vector<double> total(count);
  std::vector<double> paths(count);
  std::vector<double> dependency(count);
  std::vector<std::uint64_t> distance(count, kFar);
  std::vector<std::uint8_t> done(count);
  std::vector<StorageId> order;
  using Entry = std::pair<std::uint64_t, StorageId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (StorageId source = 0; source < count; ++source) {
    for (const StorageId s : order) {
      distance[s] = kFar;
      done[s] = 0;
      paths[s] = 0;
      dependency[s] = 0;
    }
    order.clear();
    distance[source] = 0;
    paths[source] = 1;
    queue.emplace(0, source);
    while (!queue.empty()) {
      const auto [at, s] = queue.top();
      queue.pop();
      if (done[s] != 0) continue;
      done[s] = 1;
      order.push_back(s);
      for (const Link& link : topology.forward.of(s)) {
        const StorageId next = link.storage;
        if (done[next] != 0) continue;
        const std::uint64_t length = at + compute[next];
        if (length < distance[next]) {
          distance[next] = length;
          paths[next] = paths[s];
          queue.emplace(length, next);
        } else if (length == distance[next]) {
          paths[next] += paths[s];
        }
      }
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const StorageId s = *it;
      for (const Link& link : topology.forward.of(s)) {
        const StorageId next = link.storage;
        if (distance[next] != distance[s] + compute[next] || next == s) continue;
        dependency[s] += paths[s] / paths[next] * (1 + dependency[next]);
      }
      if (s != source) total[s] += dependency[s];
    }
  }
  return total;
}

class TControl : public Policy {
 public:
  TControl(double factor, const trace::Schedule& schedule, const Topology& topology) : factor_(factor) {
    const std::vector<double> centrality = betweenness(schedule, topology);
    ranking_.resize(centrality.size());
    std::iota(ranking_.begin(), ranking_.end(), 0);
    std::stable_sort(ranking_.begin(), ranking_.end(),
                     [&](StorageId a, StorageId b) { return centrality[a] > centrality[b]; });
    rank_.resize(centrality.size());
    for (std::size_t i = 0; i < ranking_.size(); ++i) rank_[ranking_[i]] = i;
  }
  Choice choose(const DecisionView& view) override {
    const std::size_t locked = how_many_locked(view);
    const double infinity = std::numeric_limits<double>::infinity();
    Choice choice;
    double best = infinity;
    for (const bool all : {false, true}) {
      for (StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) {
        if (!all && rank_[s] < locked) continue;
        ++choice.evaluated;
        const double h = view.dtr_score(s);
        if (h <= best) {
          choice.victim = s;
          best = h;
        }
        if (h == 0.0) break;
      }
      if (choice.victim != kNoStorage) break;
    }
    return choice;
  }
  std::vector<double> scores(const DecisionView& view) const override {
    const std::size_t locked = how_many_locked(view);
    bool all = true; // locked
    for (StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) all = all && rank_[s] < locked;
    std::vector<double> out;
    for (StorageId s = view.pool.first(); s != kNoStorage; s = view.pool.next(s)) {
      out.push_back(all || rank_[s] >= locked ? view.dtr_score(s) : std::numeric_limits<double>::quiet_NaN());
    }
    return out;
  }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<TControl>(*this); }

 private:
  std::size_t how_many_locked(const DecisionView& view) const {
    const std::uint64_t free = view.budget > view.memory ? view.budget - view.memory : 0;
    const double part = factor_ * static_cast<double>(free) / static_cast<double>(view.budget) + 0.01;
    return static_cast<std::size_t>(part * static_cast<double>(rank_.size()));
  }

  double factor_;
  std::vector<StorageId> ranking_;
  std::vector<std::size_t> rank_;
};

} // namespace

std::unique_ptr<Policy> make_t_control(const PolicyParameter& parameter, const trace::Schedule& schedule,
                                       const Topology& topology) {
  return std::make_unique<TControl>(parameter.factor, schedule, topology);
}

} // namespace dtrmc::sim
