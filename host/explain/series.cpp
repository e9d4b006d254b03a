// SPDX-License-Identifier: Apache-2.0
#include "host/explain/series.h"

#include <algorithm>

namespace dtrmc::explain {

std::vector<Sample> samples(const trace::Schedule& schedule, const RunLog& log) {
  std::vector<Sample> out;
  out.reserve(log.allocations.size());
  double position = -1; // of the step: operators are created in order; what is pinned at the end follows them
  for (std::size_t begin = 0; begin < log.allocations.size();) {
    const std::size_t step = log.materialisations[log.allocations[begin]].step;
    std::size_t end = begin;
    while (end < log.allocations.size() && log.materialisations[log.allocations[end]].step == step) ++end;
    const std::uint32_t root = log.outermost(log.allocations[begin]);
    const trace::OperatorId op = schedule.tensors[log.materialisations[root].tensor].op;
    position = std::max(position + 1, static_cast<double>(op));
    for (std::size_t i = begin; i < end; ++i) {
      const Materialisation& m = log.materialisations[log.allocations[i]];
      Sample s;
      s.at = position + static_cast<double>(i - begin) / static_cast<double>(end - begin);
      s.op = op;
      s.step = step;
      s.use = m.ran ? m.after : m.use;
      s.pinned = m.pinned;
      s.nesting = m.nesting;
      out.push_back(s);
    }
    begin = end;
  }
  return out;
}

std::vector<StepPeak> step_peaks(const std::vector<Sample>& all) {
  std::vector<StepPeak> out;
  for (const Sample& s : all) {
    if (out.empty() || out.back().step != s.step) out.push_back({s.step, s.op, 0, 0, 0, 0});
    StepPeak& peak = out.back();
    peak.use = std::max(peak.use, s.use);
    peak.pinned = std::max(peak.pinned, s.pinned);
    peak.nesting = std::max(peak.nesting, s.nesting);
    ++peak.allocations;
  }
  return out;
}

} // namespace dtrmc::explain
