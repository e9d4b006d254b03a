// SPDX-License-Identifier: Apache-2.0
#include "host/record/run_recorder.h"

#include <algorithm>
#include <ostream>
#include <string_view>

namespace dtrmc::record {

RunRecorder::RunRecorder(const trace::Schedule& schedule, std::ostream* evictions)
    : schedule_(schedule),
      evictions_(evictions),
      evicted_before_(schedule.storages.size()),
      defined_(schedule.tensors.size()),
      on_storage_(schedule.storages.size()) {
  for (trace::TensorId t = 0; t < schedule.tensors.size(); ++t) on_storage_[schedule.tensors[t].storage].push_back(t);
}

void RunRecorder::on_event(const Event& event) {
  if (event.clock != record_.clock) ++clock_mismatches_;
  switch (event.kind) {
    case EventKind::kFirstRun:
    case EventKind::kRematerialize:
      run(event.id, event.kind == EventKind::kFirstRun);
      break;
    case EventKind::kEvictPolicy:
    case EventKind::kEvictEager:
      evict(event.id, event.kind == EventKind::kEvictPolicy);
      break;
  }
}

void RunRecorder::run(trace::OperatorId id, bool first) {
  const trace::Operator& op = schedule_.operators[id];
  record_.clock += op.cost;
  (first ? record_.model_compute : record_.remat_compute) += op.cost;
  // All outputs are allocated before duplicates of those still present are dropped.
  std::uint64_t total = 0;
  std::uint64_t duplicates = 0;
  for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
    const trace::Tensor& tensor = schedule_.tensors[t];
    const std::uint64_t size = tensor.alias < 0 ? schedule_.storages[tensor.storage].size : 0;
    total += size;
    if (defined_[t] != 0) duplicates += size;
    defined_[t] = 1;
  }
  record_.max_memory = std::max(record_.max_memory, memory_ + total);
  memory_ += total - duplicates;
}

void RunRecorder::evict(trace::StorageId storage, bool policy) {
  const std::string_view line = hashes_.add(policy, record_.clock, schedule_.storage_name(storage));
  ++record_.all_evictions;
  if (policy) ++record_.policy_evictions;
  if (evicted_before_[storage] == 0) ++record_.distinct_evicted;
  evicted_before_[storage] = 1;
  for (const trace::TensorId t : on_storage_[storage]) defined_[t] = 0;
  memory_ -= schedule_.storages[storage].size;
  if (evictions_ != nullptr) evictions_->write(line.data(), static_cast<std::streamsize>(line.size()));
}

RunRecord RunRecorder::finish(Status status) {
  record_.status = status;
  hashes_.finish(record_);
  return record_;
}

} // namespace dtrmc::record
