// SPDX-License-Identifier: Apache-2.0
#include "host/sim/topology.h"

#include <algorithm>
#include <tuple>

namespace dtrmc::sim {

LinkTable::LinkTable(std::size_t storages, std::vector<RawLink> raw) : begin_(storages + 1) {
  const auto by = [](auto key) { return [key](const RawLink& a, const RawLink& b) { return key(a) < key(b); }; };
  std::sort(raw.begin(), raw.end(),
            by([](const RawLink& l) { return std::make_tuple(l.from, l.to.storage, l.to.since); }));
  raw.erase(
      std::unique(raw.begin(), raw.end(),
                  [](const RawLink& a, const RawLink& b) { return a.from == b.from && a.to.storage == b.to.storage; }),
      raw.end());
  std::sort(raw.begin(), raw.end(),
            by([](const RawLink& l) { return std::make_tuple(l.from, l.to.since, l.to.storage); }));
  links_.reserve(raw.size());
  for (const RawLink& link : raw) {
    links_.push_back(link.to);
    ++begin_[link.from + 1];
  }
  for (std::size_t s = 0; s < storages; ++s) begin_[s + 1] += begin_[s];
}

Topology::Topology(const trace::Schedule& schedule) {
  const std::size_t storages = schedule.storages.size();
  std::vector<LinkTable::RawLink> down;
  std::vector<LinkTable::RawLink> up;
  accessed_first.assign(storages, 1);
  operator_bytes.reserve(schedule.operators.size());
  for (trace::OperatorId id = 0; id < schedule.operators.size(); ++id) {
    const trace::Operator& op = schedule.operators[id];
    std::uint64_t bytes = 0;
    bool linking = false;
    std::vector<trace::StorageId> sources;
    for (std::uint32_t i = 0; i < op.input_count; ++i) {
      sources.push_back(schedule.tensors[schedule.inputs[op.first_input + i]].storage);
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const trace::Tensor& tensor = schedule.tensors[t];
      if (tensor.alias < 0) bytes += schedule.storages[tensor.storage].size;
      for (const trace::StorageId source : sources) {
        if (source == tensor.storage) continue;
        linking = linking || tensor.alias >= 0;
        down.push_back({source, {tensor.storage, t}});
        up.push_back({tensor.storage, {source, t}});
      }
    }
    for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const trace::StorageId first = schedule.tensors[op.first_output].storage;
      const trace::StorageId own = schedule.tensors[t].storage;
      if (own != first) accessed_first[own] = accessed_first[first] = 0;
    }
    operator_bytes.push_back(bytes);
    if (linking) linking_views.push_back(id);
  }
  std::vector<LinkTable::RawLink> both = down;
  both.insert(both.end(), up.begin(), up.end());
  forward = LinkTable(storages, std::move(down));
  reverse = LinkTable(storages, std::move(up));
  neighbours = LinkTable(storages, std::move(both));

  tensors_begin.assign(storages + 1, 0);
  for (const trace::Tensor& tensor : schedule.tensors) ++tensors_begin[tensor.storage + 1];
  for (std::size_t s = 0; s < storages; ++s) tensors_begin[s + 1] += tensors_begin[s];
  tensors.resize(schedule.tensors.size());
  std::vector<std::uint32_t> next = tensors_begin;
  for (trace::TensorId t = 0; t < schedule.tensors.size(); ++t) tensors[next[schedule.tensors[t].storage]++] = t;
}

} // namespace dtrmc::sim
