// SPDX-License-Identifier: Apache-2.0
#include "host/explain/step_costs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dtrmc::explain {

namespace {

std::uint64_t remat_cost(const trace::Schedule& schedule, const Materialisation& m) {
  return m.again ? schedule.operators[schedule.tensors[m.tensor].op].cost : 0;
}

// What the program itself found missing: an input of its operator, or what it pins at the end.
bool missed(const Materialisation& m) { return m.nesting == 2 || (m.nesting == 1 && m.again); }

void add(const trace::Schedule& schedule, const RunLog& log, std::uint64_t StepCost::*side,
         std::map<std::size_t, StepCost>& steps) {
  for (std::uint32_t i = 0; i < log.materialisations.size(); ++i) {
    const Materialisation& m = log.materialisations[i];
    const std::uint64_t cost = remat_cost(schedule, m);
    if (cost == 0) continue;
    StepCost& step = steps[m.step];
    step.step = m.step;
    step.op = schedule.tensors[log.materialisations[log.outermost(i)].tensor].op;
    step.*side += cost;
  }
}

} // namespace

std::vector<StepCost> step_costs(const trace::Schedule& schedule, const RunLog& works, const RunLog& fails) {
  std::map<std::size_t, StepCost> steps;
  add(schedule, works, &StepCost::works, steps);
  add(schedule, fails, &StepCost::fails, steps);
  std::vector<StepCost> out;
  out.reserve(steps.size());
  for (const auto& [number, step] : steps) out.push_back(step);
  return out;
}

std::vector<MissingInput> missing_inputs(const trace::Schedule& schedule, const RunLog& works, const RunLog& fails) {
  std::vector<std::pair<std::size_t, trace::TensorId>> there;
  for (const Materialisation& m : works.materialisations) {
    if (missed(m)) there.emplace_back(m.step, m.tensor);
  }
  std::sort(there.begin(), there.end());
  std::vector<std::uint64_t> cost(fails.materialisations.size()); // with all below
  std::map<trace::StorageId, MissingInput> found;
  for (std::size_t i = fails.materialisations.size(); i-- > 0;) { // whoever waits began before
    const Materialisation& m = fails.materialisations[i];
    cost[i] += remat_cost(schedule, m);
    if (m.parent != kNone) cost[m.parent] += cost[i];
    if (!missed(m) || std::binary_search(there.begin(), there.end(), std::pair(m.step, m.tensor))) continue;
    const trace::StorageId s = schedule.tensors[m.tensor].storage;
    MissingInput& input = found[s];
    input.storage = s;
    input.cost += cost[i];
    if (input.times == 0 || input.first_step != m.step) ++input.times;
    input.first_step = m.step;
  }
  std::vector<MissingInput> out;
  out.reserve(found.size());
  for (const auto& [storage, input] : found) out.push_back(input);
  std::stable_sort(out.begin(), out.end(),
                   [](const MissingInput& a, const MissingInput& b) { return a.cost > b.cost; });
  return out;
}

} // namespace dtrmc::explain
