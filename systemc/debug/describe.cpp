// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "firmware/protocol.h"
#include "host/command/encoder.h"
#include "host/trace/trace_error.h"
#include "systemc/platform/activity.h"

namespace dtrmc::debug {

namespace {

std::string operator_text(const trace::Schedule& schedule, std::uint32_t id) {
  if (id >= schedule.operators.size()) return fmt::format("operator {}, which the trace does not have", id);
  return fmt::format("operator {} {} (line {})", id, trace::in_quotes(schedule.operator_name(id)),
                     schedule.operators[id].line);
}

std::string storage_text(const trace::Schedule& schedule, std::uint32_t id) {
  if (id >= schedule.storages.size()) return fmt::format("storage {}, which the trace does not have", id);
  return fmt::format("storage {} {}, {} bytes", id, trace::in_quotes(schedule.storage_name(id)),
                     schedule.storages[id].size);
}

const char* fail_text(std::uint32_t reason) {
  switch (reason) {
    case DTRMC_FAIL_OOM:
      return "nothing left to evict";
    case DTRMC_FAIL_THRASH:
      return "rematerialisation limit passed";
    case DTRMC_FAIL_METADATA_FULL:
      return "controller RAM full";
    case DTRMC_FAIL_BAD_COMMAND:
      return "bad command";
    case DTRMC_FAIL_BAD_CONFIG:
      return "bad configuration";
    default:
      return "unknown reason";
  }
}

} // namespace

std::string describe_command(const trace::Schedule& schedule, std::size_t index) {
  if (index >= schedule.steps.size()) return "end";
  const trace::Step step = schedule.steps[index];
  const auto tensor = [&](const char* what) {
    return fmt::format("{} tensor {} {}", what, step.id, trace::in_quotes(schedule.tensor_name(step.id)));
  };
  switch (step.kind) {
    case trace::StepKind::kConstant:
    case trace::StepKind::kCompute: {
      const trace::Operator& op = schedule.operators[step.id];
      return fmt::format("{} {}: {} inputs, {} outputs, {} ns",
                         step.kind == trace::StepKind::kConstant ? "constant" : "compute",
                         operator_text(schedule, step.id), op.input_count, op.output_count, op.cost);
    }
    case trace::StepKind::kGet:
      return tensor("get");
    case trace::StepKind::kRelease:
      return tensor("release");
    case trace::StepKind::kPin:
      return tensor("pin");
  }
  return "unknown";
}

std::string describe_action(const trace::Schedule& schedule, std::uint32_t word) {
  const std::uint32_t id = DTRMC_ACTION_ID(word);
  switch (DTRMC_ACTION_KIND(word)) {
    case DTRMC_ACTION_EXECUTE_FIRST:
      return "execute " + operator_text(schedule, id);
    case DTRMC_ACTION_EXECUTE_REMAT:
      return "rematerialise " + operator_text(schedule, id);
    case DTRMC_ACTION_EVICT_POLICY:
      return "evict " + storage_text(schedule, id);
    case DTRMC_ACTION_EVICT_EAGER:
      return "free " + storage_text(schedule, id);
    case DTRMC_ACTION_COMPLETE:
      return fmt::format("complete command {}", id);
    case DTRMC_ACTION_FAIL:
      return fmt::format("fail: {}", fail_text(id));
    default:
      return fmt::format("unknown action {:#010x}", word);
  }
}

std::string describe_time(std::uint64_t ps) {
  if (ps % 1000 == 0) return fmt::format("{} ns", ps / 1000);
  return fmt::format("{}.{:03} ns", ps / 1000, ps % 1000);
}

std::string describe_activity(std::uint32_t activity) {
  const std::uint32_t kind = activity & 0xffu;
  const std::string name = kind < DTRMC_ACTIVITY_COUNT ? platform::kActivityNames[kind] : fmt::format("{:#x}", kind);
  return name + ((activity & DTRMC_IN_DECISION) != 0 ? ", in a decision" : "");
}

std::string command_list(const Snapshot& snapshot, std::size_t count) {
  const std::size_t total = command::command_count(*snapshot.schedule);
  std::string text = fmt::format("commands: {} in the trace, {} rung, {} taken, {} complete\n", total, snapshot.issued,
                                 snapshot.taken, snapshot.completed);
  const std::size_t begin = snapshot.taken > count ? snapshot.taken - count : 0;
  for (std::size_t i = begin; i < std::min(snapshot.issued, snapshot.taken + count); ++i) {
    const char* state = i < snapshot.completed ? "complete" : i < snapshot.taken ? "in hand" : "waiting";
    text += fmt::format("  {:>6}  {:<8}  {}\n", i, state, describe_command(*snapshot.schedule, i));
  }
  return text;
}

std::string action_list(const Snapshot& snapshot) {
  std::string text = "actions that took effect:\n";
  if (snapshot.recent.empty()) text += "  none\n";
  for (const TimedAction& action : snapshot.recent) {
    text +=
        fmt::format("  {:>16}  {}\n", describe_time(action.time_ps), describe_action(*snapshot.schedule, action.word));
  }
  bool first = true;
  for (const TimedAction& action : snapshot.queued) {
    const bool runs = first && snapshot.busy_until_ps;
    text +=
        fmt::format("  {:>16}  {}\n", runs ? "until " + describe_time(*snapshot.busy_until_ps) : std::string("posted"),
                    describe_action(*snapshot.schedule, action.word));
    first = false;
  }
  return text;
}

} // namespace dtrmc::debug
