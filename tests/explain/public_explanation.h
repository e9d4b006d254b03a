// SPDX-License-Identifier: Apache-2.0
// Explanations of public traces, with storages by the numbers of the papers.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "host/explain/explanation.h"
#include "host/trace/parser.h"
#include "tests/support/skip.h"

namespace dtrmc::test {

struct Explained {
  trace::Schedule schedule;
  explain::Explanation e;

  trace::StorageId storage(trace::TensorId root) const { return schedule.tensors[root].storage; }
  const explain::Suspect* suspect(trace::TensorId root) const {
    for (const explain::Suspect& s : e.suspects) {
      if (s.storage == storage(root)) return &s;
    }
    return nullptr;
  }
  const explain::Trial* retaining(trace::TensorId root) const {
    for (const explain::Trial& t : e.trials) {
      if (t.name == "retain" && t.retained == storage(root)) return &t;
    }
    return nullptr;
  }
  double overhead(const sim::Result& result) const {
    return static_cast<double>(result.record.clock) / static_cast<double>(schedule.total_cost);
  }
};

inline std::unique_ptr<Explained> explain_public(const std::string& trace, std::uint64_t works, std::uint64_t fails,
                                                 std::size_t suspects) {
  const auto path = shared_or_skip("traces/public/" + trace + ".log");
  if (!path) return nullptr;
  auto out = std::make_unique<Explained>();
  out->schedule = trace::parse_file(path->string());
  const sim::Topology topology(out->schedule);
  explain::Question q;
  q.settings.heuristic = sim::parse_heuristic("dtr");
  q.settings.remat_limit = sim::remat_limit(out->schedule, 60.0);
  q.works = works;
  q.fails = fails;
  q.suspects = suspects;
  q.jobs = 2;
  out->e = explain::explain(out->schedule, topology, q);
  return out;
}

} // namespace dtrmc::test
