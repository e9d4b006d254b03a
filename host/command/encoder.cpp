// SPDX-License-Identifier: Apache-2.0
#include "host/command/encoder.h"

#include <fmt/format.h>

#include "firmware/protocol.h"

namespace dtrmc::command {

namespace {

std::uint32_t header(dtrmc_opcode opcode, std::size_t words) {
  return static_cast<std::uint32_t>(opcode) | static_cast<std::uint32_t>(words << 8);
}

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

std::uint64_t compute_words(const trace::Operator& op) {
  return DTRMC_COMPUTE_WORDS + std::uint64_t{op.input_count} + std::uint64_t{DTRMC_OUTPUT_WORDS} * op.output_count;
}

void encode_operator(const trace::Schedule& schedule, dtrmc_opcode opcode, trace::OperatorId id,
                     std::vector<std::uint32_t>& words) {
  const trace::Operator& op = schedule.operators[id];
  words.reserve(compute_words(op));
  words.push_back(header(opcode, compute_words(op)));
  words.push_back(id);
  words.push_back(op.first_output);
  words.push_back(op.input_count | op.output_count << 16);
  words.push_back(low(op.cost));
  words.push_back(high(op.cost));
  for (std::uint32_t i = 0; i < op.input_count; ++i) words.push_back(schedule.inputs[op.first_input + i]);
  for (std::uint32_t i = 0; i < op.output_count; ++i) {
    const trace::Tensor& tensor = schedule.tensors[op.first_output + i];
    const bool owns = tensor.alias < 0;
    const std::uint64_t size = owns ? schedule.storages[tensor.storage].size : 0;
    words.push_back(tensor.storage);
    words.push_back(low(size));
    words.push_back(high(size));
    words.push_back(owns ? DTRMC_NO_ALIAS : static_cast<std::uint32_t>(tensor.alias));
  }
}

} // namespace

void encode(const trace::Schedule& schedule, std::size_t index, std::vector<std::uint32_t>& words) {
  words.clear();
  if (index >= schedule.steps.size()) {
    words.push_back(header(DTRMC_COMMAND_END, 1));
    return;
  }
  const trace::Step step = schedule.steps[index];
  const auto with_tensor = [&](dtrmc_opcode opcode) {
    words.push_back(header(opcode, 2));
    words.push_back(step.id);
  };
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
    if (op.input_count > 0xffff || op.output_count > 0xffff || compute_words(op) > largest) {
      throw EncodeError(fmt::format(
          "trace {}, line {}: operator {} has {} inputs and {} outputs; its descriptor of {} words exceeds the {} that "
          "the controller's command ring takes. Use the software simulator, or a firmware with a larger ring "
          "(firmware/config.h)",
          schedule.name, op.line, schedule.operator_name(static_cast<trace::OperatorId>(id)), op.input_count,
          op.output_count, compute_words(op), largest));
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
