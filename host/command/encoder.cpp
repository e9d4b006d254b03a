// SPDX-License-Identifier: Apache-2.0
#include "host/command/encoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/protocol.h"
#include "host/command/descriptor.h"

namespace dtrmc::command {

namespace {

void encode_operator(const trace::Schedule& schedule, const TensorIds& ids, dtrmc_opcode opcode, trace::OperatorId id,
                     std::vector<std::uint32_t>& words) {
  const trace::Operator& op = schedule.operators[id];
  append_operator(words, opcode, id, op.input_count, op.output_count, op.cost);
  for (std::uint32_t i = 0; i < op.input_count; ++i) {
    append_input(words, ids.of_tensor[schedule.inputs[op.first_input + i]]);
  }
  for (std::uint32_t i = 0; i < op.output_count; ++i) {
    const trace::Tensor& tensor = schedule.tensors[op.first_output + i];
    const std::uint32_t name = ids.of_tensor[op.first_output + i];
    if (tensor.alias < 0) {
      append_output(words, name, tensor.storage, schedule.storages[tensor.storage].size);
    } else {
      append_alias(words, name, tensor.storage, static_cast<std::uint32_t>(tensor.alias));
    }
  }
}

constexpr std::size_t kNever = ~std::size_t{0};

// The step that mentions each tensor last.
std::vector<std::size_t> last_mentions(const trace::Schedule& schedule) {
  std::vector<std::size_t> last(schedule.tensors.size(), kNever);
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const trace::Step step = schedule.steps[i];
    if (step.kind == trace::StepKind::kConstant || step.kind == trace::StepKind::kCompute) {
      const trace::Operator& op = schedule.operators[step.id];
      for (std::uint32_t k = 0; k < op.input_count; ++k) last[schedule.inputs[op.first_input + k]] = i;
      for (std::uint32_t k = 0; k < op.output_count; ++k) last[op.first_output + k] = i;
    } else {
      last[step.id] = i;
    }
  }
  return last;
}

} // namespace

TensorIds::TensorIds(const trace::Schedule& schedule)
    : of_tensor(schedule.tensors.size()), last_mention(schedule.steps.size()) {
  const std::vector<std::size_t> last = last_mentions(schedule);
  std::vector<std::uint32_t> references(schedule.tensors.size());
  std::vector<std::uint32_t> free; // ids, taken from the end
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const trace::Step step = schedule.steps[i];
    switch (step.kind) {
      case trace::StepKind::kConstant:
      case trace::StepKind::kCompute: {
        const trace::Operator& op = schedule.operators[step.id];
        for (std::uint32_t k = 0; k < op.output_count; ++k) {
          references[op.first_output + k] = 1;
          if (free.empty()) free.push_back(count++);
          of_tensor[op.first_output + k] = free.back();
          free.pop_back();
        }
        break;
      }
      case trace::StepKind::kGet:
        ++references[step.id];
        break;
      case trace::StepKind::kRelease:
        if (--references[step.id] == 0 && last[step.id] == i) {
          last_mention[i] = true;
          free.push_back(of_tensor[step.id]);
        }
        break;
      case trace::StepKind::kPin:
        break;
    }
  }
}

void encode(const trace::Schedule& schedule, const TensorIds& ids, std::size_t index,
            std::vector<std::uint32_t>& words) {
  words.clear();
  if (index >= schedule.steps.size()) {
    append_end(words);
    return;
  }
  const trace::Step step = schedule.steps[index];
  const auto with_tensor = [&](dtrmc_opcode opcode) { append_tensor(words, opcode, ids.of_tensor[step.id]); };
  switch (step.kind) {
    case trace::StepKind::kConstant:
      return encode_operator(schedule, ids, DTRMC_COMMAND_CONSTANT, step.id, words);
    case trace::StepKind::kCompute:
      return encode_operator(schedule, ids, DTRMC_COMMAND_COMPUTE, step.id, words);
    case trace::StepKind::kGet:
      return with_tensor(DTRMC_COMMAND_GET);
    case trace::StepKind::kRelease:
      if (ids.last_mention[index]) return append_last_release(words, ids.of_tensor[step.id]);
      return with_tensor(DTRMC_COMMAND_RELEASE);
    case trace::StepKind::kPin:
      return with_tensor(DTRMC_COMMAND_PIN);
  }
}

std::uint32_t least_ring(const trace::Schedule& schedule) {
  std::uint64_t longest = 2; // GET, RELEASE, PIN
  for (const trace::Operator& op : schedule.operators) {
    longest = std::max(longest, operator_words(op.input_count, op.output_count));
  }
  return static_cast<std::uint32_t>(std::min(2 * longest, std::uint64_t{1} << 31));
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
