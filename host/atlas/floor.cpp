// SPDX-License-Identifier: Apache-2.0
#include "host/atlas/floor.h"

#include <algorithm>
#include <vector>

namespace dtrmc::atlas {

std::uint64_t hopeless_below(const trace::Schedule& schedule, sim::Runtime runtime) {
  const bool keeps_pinned = runtime != sim::Runtime::kV1; // v1 frees even pinned storages once nobody refers to them
  std::vector<std::uint8_t> pinned(schedule.storages.size());
  std::vector<std::uint32_t> counted(schedule.storages.size());
  std::uint64_t pinned_bytes = 0;
  std::uint64_t floor = 0;
  std::uint32_t stamp = 0;
  const auto pin = [&](trace::TensorId t) {
    const trace::StorageId s = schedule.tensors[t].storage;
    if (!keeps_pinned || pinned[s] != 0) return;
    pinned[s] = 1;
    pinned_bytes += schedule.storages[s].size;
    floor = std::max(floor, pinned_bytes);
  };
  for (const trace::Step& step : schedule.steps) {
    switch (step.kind) {
      case trace::StepKind::kConstant:
      case trace::StepKind::kCompute: {
        const trace::Operator& op = schedule.operators[step.id];
        std::uint64_t need = pinned_bytes;
        ++stamp;
        if (keeps_pinned) { // v1 takes inputs that are banished out of an operator's list
          for (std::uint32_t i = 0; i < op.input_count; ++i) {
            const trace::StorageId s = schedule.tensors[schedule.inputs[op.first_input + i]].storage;
            if (pinned[s] != 0 || counted[s] == stamp) continue;
            counted[s] = stamp;
            need += schedule.storages[s].size;
          }
        }
        for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
          if (schedule.tensors[t].alias < 0) need += schedule.storages[schedule.tensors[t].storage].size;
        }
        floor = std::max(floor, need);
        if (step.kind == trace::StepKind::kConstant) pin(op.first_output);
        break;
      }
      case trace::StepKind::kPin:
        pin(step.id);
        break;
      case trace::StepKind::kGet:
      case trace::StepKind::kRelease:
        break;
    }
  }
  return floor;
}

} // namespace dtrmc::atlas
