// SPDX-License-Identifier: Apache-2.0
#include "systemc/record/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "systemc/platform/activity.h"

namespace dtrmc::recording {

namespace {

enum : Track {
  kAccelerator = 1,
  kEvictions,
  kCommands,
  kActivities,
  kDecisions,
  kUnit,
  kMemory,
  kPool,
  kPinned,
  kNesting,
  kWaiting,
  kInFlight,
  kTracks
};

struct Counter {
  const char* name;
  const char* unit;
};

Counter counter_of(Track track) {
  switch (track) {
    case kMemory:
      return {"memory in use", "bytes"};
    case kPool:
      return {"pool size", "storages"};
    case kPinned:
      return {"pinned (not evictable)", "bytes"};
    case kNesting:
      return {"nesting depth", "operators"};
    case kWaiting:
      return {"command queue: not taken", "commands"};
    default:
      return {"command queue: not complete", "commands"};
  }
}

} // namespace

Timeline::Timeline(const trace::Schedule& schedule, const record::Window& window, record::OutputFile& out)
    : schedule_(schedule), writer_(out, window), evicted_(schedule.storages.size()), counted_(kTracks) {
  writer_.name_process(fmt::format("dtrmc cosim {}", schedule.name));
  writer_.name_track(kAccelerator, "accelerator");
  writer_.name_track(kEvictions, "evictions");
  writer_.name_track(kCommands, "controller: command in hand");
  writer_.name_track(kActivities, "controller: activity");
  writer_.name_track(kDecisions, "controller: decisions");
  writer_.name_track(kUnit, "scoring unit");
}

void Timeline::on_start(const platform::ControllerView* controller) {
  controller_ = controller;
  activity_ = Open{0, 0};
  count(kMemory, 0, 0);
}

void Timeline::on_activity(std::uint32_t, std::uint32_t after, std::uint64_t time, std::uint64_t now) {
  const std::uint32_t next = after & (DTRMC_ACTIVITY_COUNT - 1);
  if ((after & DTRMC_IN_DECISION) != 0 && !decision_since_) decision_since_ = time;
  if (activity_ && activity_->what == next) return;
  close_activity(time);
  activity_ = Open{time, next};
  settle(now);
}

void Timeline::close_activity(std::uint64_t time) {
  if (activity_ && time > activity_->since) {
    writer_.slice(kActivities, platform::kActivityNames[activity_->what], "controller", activity_->since,
                  time - activity_->since);
  }
  activity_.reset();
}

void Timeline::on_rung(std::uint64_t time) {
  ++rung_;
  count_queue(time);
}

void Timeline::on_taken(std::uint64_t time) {
  command_ = Open{time, taken_};
  ++taken_;
  count_queue(time);
}

std::string Timeline::command_name(std::uint64_t index) const {
  if (index >= schedule_.steps.size()) return "end";
  const trace::Step step = schedule_.steps[index];
  switch (step.kind) {
    case trace::StepKind::kConstant:
      return fmt::format("constant {}", schedule_.tensor_name(schedule_.operators[step.id].first_output));
    case trace::StepKind::kCompute:
      return fmt::format("compute {}", schedule_.operator_name(step.id));
    case trace::StepKind::kGet:
      return fmt::format("get {}", schedule_.tensor_name(step.id));
    case trace::StepKind::kRelease:
      return fmt::format("release {}", schedule_.tensor_name(step.id));
    case trace::StepKind::kPin:
      return fmt::format("pin {}", schedule_.tensor_name(step.id));
  }
  return "command";
}

void Timeline::close_command(std::uint64_t time) {
  if (!command_) return;
  std::string args = fmt::format("\"command\":{}", command_->what);
  if (command_->what < schedule_.steps.size()) {
    const trace::Step step = schedule_.steps[command_->what];
    if (step.kind == trace::StepKind::kConstant || step.kind == trace::StepKind::kCompute) {
      args += fmt::format(",\"operator\":{},\"line\":{}", step.id, schedule_.operators[step.id].line);
    }
  }
  writer_.slice(kCommands, command_name(command_->what), "command", command_->since, time - command_->since, args);
  command_.reset();
}

void Timeline::on_decided(const platform::Decision& d, std::uint64_t) {
  std::string args =
      fmt::format("\"decision\":{},\"event\":{},\"victim\":{},\"candidates\":{},\"table_writes\":{},\"cycles\":{}",
                  d.index, d.event, d.victim, d.candidates, d.table_writes, d.cycles);
  for (unsigned part = 0; part < DTRMC_ACTIVITY_COUNT; ++part) {
    if (d.parts[part] != 0) args += fmt::format(",\"cycles_{}\":{}", platform::kActivityNames[part], d.parts[part]);
  }
  const std::string name = d.victim < schedule_.storages.size()
                               ? fmt::format("evict {}", schedule_.storage_name(d.victim))
                               : std::string("evict (unknown)");
  writer_.slice(kDecisions, name, "decision", d.begin_ps, d.end_ps - d.begin_ps, args);
  if (d.victim < evicted_.size()) evicted_[d.victim] = Origin{kDecisions, d.begin_ps};
  decision_since_.reset();
}

void Timeline::on_posted(std::uint32_t word, std::uint64_t time) {
  const std::uint32_t id = DTRMC_ACTION_ID(word);
  switch (DTRMC_ACTION_KIND(word)) {
    case DTRMC_ACTION_EXECUTE_FIRST:
    case DTRMC_ACTION_EXECUTE_REMAT: {
      std::vector<Origin>& brings_back = executions_.emplace_back();
      if (id >= schedule_.operators.size()) break;
      const trace::Operator& op = schedule_.operators[id];
      for (trace::TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
        if (schedule_.tensors[t].alias >= 0) continue; // a view brings no memory back
        std::optional<Origin>& origin = evicted_[schedule_.tensors[t].storage];
        if (origin) brings_back.push_back(*origin);
        origin.reset();
      }
      count_controller(time);
      break;
    }
    case DTRMC_ACTION_EVICT_EAGER:
      if (id < evicted_.size()) evicted_[id] = Origin{kCommands, time};
      count_controller(time);
      break;
    case DTRMC_ACTION_EVICT_POLICY:
      count_controller(time);
      break;
    case DTRMC_ACTION_COMPLETE:
      close_command(time);
      break;
    default:
      break;
  }
  settle(time);
}

void Timeline::count_controller(std::uint64_t time) {
  if (controller_ == nullptr) return;
  const std::uint64_t memory = controller_->memory();
  const std::uint64_t evictable = controller_->pool_bytes();
  count(kPool, controller_->pool_count(), time);
  count(kPinned, memory > evictable ? memory - evictable : 0, time);
  count(kNesting, controller_->nesting(), time);
}

void Timeline::count_queue(std::uint64_t time) {
  count(kWaiting, rung_ - taken_, time);
  count(kInFlight, rung_ - completed_, time);
}

void Timeline::count(Track track, std::uint64_t value, std::uint64_t time) {
  if (counted_[track] == value) return;
  counted_[track] = value;
  const Counter counter = counter_of(track);
  writer_.counter(track, counter.name, counter.unit, value, time);
}

void Timeline::on_unit(bool busy, std::uint64_t time) {
  close_unit(time);
  if (busy) unit_since_ = time;
}

void Timeline::close_unit(std::uint64_t time) {
  if (unit_since_ && time > *unit_since_) writer_.slice(kUnit, "search", "unit", *unit_since_, time - *unit_since_);
  unit_since_.reset();
}

void Timeline::on_action(std::uint32_t word, std::uint64_t time) {
  const std::uint32_t id = DTRMC_ACTION_ID(word);
  switch (DTRMC_ACTION_KIND(word)) {
    case DTRMC_ACTION_EXECUTE_FIRST:
      execute(id, false, time);
      break;
    case DTRMC_ACTION_EXECUTE_REMAT:
      execute(id, true, time);
      break;
    case DTRMC_ACTION_EVICT_POLICY:
      evict(id, false, time);
      break;
    case DTRMC_ACTION_EVICT_EAGER:
      evict(id, true, time);
      break;
    case DTRMC_ACTION_COMPLETE:
      ++completed_;
      count_queue(time);
      break;
    default:
      break;
  }
}

void Timeline::execute(trace::OperatorId id, bool again, std::uint64_t time) {
  std::vector<Origin> brings_back;
  if (!executions_.empty()) {
    brings_back = std::move(executions_.front());
    executions_.pop_front();
  }
  if (id >= schedule_.operators.size()) return;
  const trace::Operator& op = schedule_.operators[id];
  writer_.slice(kAccelerator, fmt::format("{}{}", again ? "remat " : "", schedule_.operator_name(id)),
                again ? "rematerialization" : "first run", time, op.cost * 1000,
                fmt::format("\"operator\":{},\"line\":{},\"cost_ns\":{},\"output\":{}", id, op.line, op.cost,
                            TraceEventWriter::quoted(schedule_.tensor_name(op.first_output))));
  if (!again || op.cost == 0) return; // a viewer cannot attach an arrow to a slice without duration
  for (const Origin& origin : brings_back) {
    writer_.flow(++flows_, "causes rematerialization", origin.track, origin.time, kAccelerator, time);
  }
}

void Timeline::evict(trace::StorageId id, bool eager, std::uint64_t time) {
  if (id >= schedule_.storages.size()) return;
  writer_.instant(kEvictions, fmt::format("{} {}", eager ? "free" : "evict", schedule_.storage_name(id)),
                  eager ? "eager eviction" : "policy eviction", time,
                  fmt::format("\"storage\":{},\"bytes\":{}", id, schedule_.storages[id].size));
}

void Timeline::on_memory(std::uint64_t bytes, std::uint64_t time) { count(kMemory, bytes, time); }

// What is still open will be reported with the time at which it began.
void Timeline::settle(std::uint64_t now) {
  std::uint64_t until = now;
  if (activity_) until = std::min(until, activity_->since);
  if (command_) until = std::min(until, command_->since);
  if (unit_since_) until = std::min(until, *unit_since_);
  if (decision_since_) until = std::min(until, *decision_since_);
  writer_.settle(until);
}

void Timeline::on_end(std::uint64_t time) {
  close_activity(time);
  close_command(time);
  close_unit(time);
  writer_.finish();
}

} // namespace dtrmc::recording
