// SPDX-License-Identifier: Apache-2.0
#include "host/command/encoder.h"

#include <fmt/format.h>

#include "firmware/protocol.h"
#include "host/command/descriptor.h"

namespace dtrmc::command {

namespace {

void encode_operator(const trace::Schedule& schedule, dtrmc_opcode opcode, trace::OperatorId id,
                     std::vector<std::uint32_t>& words) {
  const trace::Operator& op = schedule.operators[id];
  append_operator(words, opcode, id, op.first_output, op.input_count, op.output_count, op.cost);
  for (std::uint32_t i = 0; i < op.input_count; ++i) append_input(words, schedule.inputs[op.first_input + i]);
  for (std::uint32_t i = 0; i < op.output_count; ++i) {
    const trace::Tensor& tensor = schedule.tensors[op.first_output + i];
    if (tensor.alias < 0) {
      append_output(words, tensor.storage, schedule.storages[tensor.storage].size);
    } else {
      append_alias(words, tensor.storage, static_cast<std::uint32_t>(tensor.alias));
    }
  }
}

} // namespace

void encode(const trace::Schedule& schedule, std::size_t index, std::vector<std::uint32_t>& words) {
  words.clear();
  if (index >= schedule.steps.size()) {
    append_end(words);
    return;
  }
  const trace::Step step = schedule.steps[index];
  const auto with_tensor = [&](dtrmc_opcode opcode) { append_tensor(words, opcode, step.id); };
  switch (step.kind) {
    case trace::StepKind::kConstant:
      return encode_operator(schedule, DTRMC_COMMAND_CONSTANT, step.id, words);
    case trace::StepKind::kCompute:
      return encode_operator(schedule, DTRMC_COMMAND_COMPUTE, step.id, words);
    case trace::StepKind::kGet:
      return with_tensor(DTRMC_COMMAND_GET);
    case trace::StepKind::kRelease:
      return with_tensor(DTRMC_COMMAND_RELEASE);
    case trace::StepKind::kPin:
      return with_tensor(DTRMC_COMMAND_PIN);
  }
}

void check_encodable(const trace::Schedule& schedule, std::uint32_t ring_words) {
  const std::uint32_t largest = RingAllocator::largest_record(ring_words);
  if (schedule.tensors.size() > DTRMC_MAX_ID || schedule.operators.size() > DTRMC_MAX_ID) {
    throw EncodeError(
        fmt::format("trace {}: more than {} tensors or operators do not fit the controller's 28-bit ids; "
                    "use the software simulator (dtrmc sim)",
                    schedule.name, DTRMC_MAX_ID));
  }
  for (std::size_t id = 0; id < schedule.operators.size(); ++id) {
    const trace::Operator& op = schedule.operators[id];
    if (op.input_count > 0xffff || op.output_count > 0xffff ||
        operator_words(op.input_count, op.output_count) > largest) {
      throw EncodeError(fmt::format(
          "trace {}, line {}: operator {} has {} inputs and {} outputs; its descriptor of {} words exceeds the {} that "
          "the controller's command ring takes. Use the software simulator, or a firmware with a larger ring "
          "(firmware/config.h)",
          schedule.name, op.line, schedule.operator_name(static_cast<trace::OperatorId>(id)), op.input_count,
          op.output_count, operator_words(op.input_count, op.output_count), largest));
    }
  }
}

std::optional<RingAllocator::Place> RingAllocator::place(std::uint32_t words) {
  const std::uint32_t rest = capacity_ - tail_;
  const std::uint32_t skip = rest < words ? rest : 0;
  const std::uint32_t taken = skip + words;
  if (words == 0 || words > largest_record(capacity_) || taken > capacity_ - used_) return std::nullopt;
  const Place result{skip != 0 || rest == 0 ? 0 : tail_, tail_, skip};
  tail_ = result.offset + words;
  used_ += taken;
  lengths_.push_back(taken);
  return result;
}

void RingAllocator::complete() {
  used_ -= lengths_.front();
  lengths_.pop_front();
}

} // namespace dtrmc::command
