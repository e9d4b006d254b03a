// SPDX-License-Identifier: Apache-2.0
// A trace with its log names resolved: dense operator, tensor and storage ids, and the steps to replay.
// Everything that does not depend on a budget or heuristic is settled here once, for the software simulator,
// the platform's driver, and the ledger alike. Semantics: README "Trace format".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dtrmc::trace {

using OperatorId = std::uint32_t;
using TensorId = std::uint32_t;
using StorageId = std::uint32_t;

// Largest size (bytes) and cost (ns) a trace line may hold, and largest sum of all costs or sizes: 2^62.
// Sums of a few of them stay inside 64 bits, signed ones included.
inline constexpr std::uint64_t kMaxQuantity = std::uint64_t{1} << 62;

struct Tensor {
  OperatorId op;      // made by
  StorageId storage;  // lives on
  std::int32_t alias; // index into the operator's inputs whose storage is shared, or -1: own storage
};

struct Storage {
  std::uint64_t size; // bytes
  TensorId root;      // first tensor on it; names the storage
};

struct Operator {
  std::uint64_t cost;         // ns
  std::uint32_t first_input;  // into Schedule::inputs
  std::uint32_t input_count;  // duplicates kept
  TensorId first_output;      // outputs have consecutive tensor ids
  std::uint32_t output_count; // at least 1
  std::uint32_t name;         // into Schedule::operator_names
  std::uint32_t line;         // of the trace file, from 1
};

enum class StepKind : std::uint8_t {
  kConstant, // id: operator; run it, then pin its output
  kCompute,  // id: operator
  kGet,      // id: tensor
  kRelease,  // id: tensor
  kPin,      // id: tensor; rematerialise where it is not defined, then pin. Only after the last trace line.
};

struct Step {
  StepKind kind;
  std::uint32_t id;
};

struct Schedule {
  std::string name; // of the trace: file name without folder and extensions
  std::vector<Operator> operators;
  std::vector<TensorId> inputs;
  std::vector<Tensor> tensors;
  std::vector<Storage> storages;
  std::vector<Step> steps;
  std::vector<std::string> operator_names; // distinct
  std::string tensor_name_text;            // all tensor names, end to end
  std::vector<std::uint64_t> tensor_name_end;
  std::uint64_t total_cost = 0; // ns, sum over operators: the baseline compute

  std::string_view tensor_name(TensorId tensor) const {
    const std::uint64_t begin = tensor == 0 ? 0 : tensor_name_end[tensor - 1];
    return std::string_view(tensor_name_text).substr(begin, tensor_name_end[tensor] - begin);
  }
  std::string_view storage_name(StorageId storage) const { return tensor_name(storages[storage].root); }
  std::string_view operator_name(OperatorId op) const { return operator_names[operators[op].name]; }
};

} // namespace dtrmc::trace
