// SPDX-License-Identifier: Apache-2.0
#include "host/explain/run_log.h"

#include <algorithm>

namespace dtrmc::explain {

void RunLog::on_enter(std::size_t step, trace::TensorId tensor, std::uint32_t nesting) {
  step_ = step;
  stack_.resize(nesting - 1);
  Materialisation m;
  m.step = step;
  m.tensor = tensor;
  m.parent = stack_.empty() ? kNone : stack_.back();
  m.nesting = nesting;
  stack_.push_back(static_cast<std::uint32_t>(materialisations.size()));
  materialisations.push_back(m);
}

void RunLog::on_check(const sim::Allocation& check) {
  stack_.resize(check.nesting); // inner ones are done
  Materialisation& m = materialisations[stack_.back()];
  last_ = check;
  if (m.asked) return;
  m.asked = true;
  m.request = check.request;
  m.use = check.use;
  m.shortfall = check.shortfall;
  m.pinned = check.pinned;
  m.candidates = check.candidates;
  m.clock = check.clock;
  m.first_victim = static_cast<std::uint32_t>(decisions.size());
  m.order = static_cast<std::uint32_t>(allocations.size());
  allocations.push_back(stack_.back());
}

void RunLog::on_event(const record::Event& event) {
  switch (event.kind) {
    case record::EventKind::kFirstRun:
    case record::EventKind::kRematerialize:
      materialisations[stack_.back()].ran = true;
      materialisations[stack_.back()].again = event.kind == record::EventKind::kRematerialize;
      materialisations[stack_.back()].after = last_.use + last_.request;
      changes.push_back({stack_.back(), static_cast<std::uint32_t>(step_), Change::kRuns});
      break;
    case record::EventKind::kEvictPolicy:
      ++materialisations[stack_.back()].victim_count;
      decisions.push_back({event.id, stack_.back(), last_.shortfall, last_.candidates});
      changes.push_back({event.id, static_cast<std::uint32_t>(step_), Change::kEvicted});
      break;
    case record::EventKind::kEvictEager:
      changes.push_back({event.id, static_cast<std::uint32_t>(step_), Change::kReleased});
      break;
  }
}

std::size_t RunLog::first_of(std::size_t step) const {
  const auto found = std::partition_point(materialisations.begin(), materialisations.end(),
                                          [step](const Materialisation& m) { return m.step < step; });
  return static_cast<std::size_t>(found - materialisations.begin());
}

std::uint32_t RunLog::outermost(std::uint32_t m) const {
  while (materialisations[m].parent != kNone) m = materialisations[m].parent;
  return m;
}

std::vector<std::uint8_t> resident_before(const trace::Schedule& schedule, const RunLog& log, std::size_t step) {
  std::vector<std::uint8_t> resident(schedule.storages.size());
  for (const Change& change : log.changes) {
    // A release after the last materialisation before `step` carries that one's step, which is smaller.
    if (change.step >= step) break;
    if (change.kind != Change::kRuns) {
      resident[change.id] = 0;
      continue;
    }
    const trace::Operator& op = schedule.operators[schedule.tensors[log.materialisations[change.id].tensor].op];
    for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      resident[schedule.tensors[t].storage] = 1;
    }
  }
  return resident;
}

} // namespace dtrmc::explain
