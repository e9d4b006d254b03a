// SPDX-License-Identifier: Apache-2.0
#include "host/ledger/ledger.h"

#include <fmt/format.h>

#include "firmware/protocol.h"

namespace dtrmc::ledger {

using trace::OperatorId;
using trace::StepKind;
using trace::StorageId;
using trace::TensorId;

const char* to_string(Rule rule) {
  switch (rule) {
    case Rule::kBudget:
      return "budget";
    case Rule::kInputDefined:
      return "input-defined";
    case Rule::kLockedEvicted:
      return "locked-evicted";
    case Rule::kPinnedEvicted:
      return "pinned-evicted";
    case Rule::kNotResident:
      return "not-resident";
    case Rule::kReferenced:
      return "referenced";
    case Rule::kWrongOperator:
      return "wrong-operator";
    case Rule::kIncomplete:
      return "incomplete";
    case Rule::kOutputsAtEnd:
      return "outputs-at-end";
    case Rule::kAfterFail:
      return "after-fail";
    case Rule::kUnknownAction:
      return "unknown-action";
  }
  return "unknown";
}

Ledger::Ledger(const trace::Schedule& schedule, std::uint64_t budget, record::EventSink* sink)
    : schedule_(schedule),
      budget_(budget),
      sink_(sink),
      tensors_(schedule.tensors.size()),
      storages_(schedule.storages.size()),
      ran_(schedule.operators.size(), 0) {
  begin_command();
}

std::optional<OperatorId> Ledger::current_operator() const {
  if (completed_ >= schedule_.steps.size()) return std::nullopt;
  const trace::Step step = schedule_.steps[completed_];
  switch (step.kind) {
    case StepKind::kConstant:
    case StepKind::kCompute:
      return step.id;
    case StepKind::kPin:
      return schedule_.tensors[step.id].op;
    case StepKind::kGet:
    case StepKind::kRelease:
      return std::nullopt;
  }
  return std::nullopt;
}

Residency Ledger::residency() const {
  Residency result;
  for (StorageId id = 0; id < storages_.size(); ++id) {
    const StorageState& storage = storages_[id];
    if (!storage.resident) continue;
    const std::uint64_t bytes = schedule_.storages[id].size;
    ++result.storages;
    if (storage.pinned) {
      result.pinned_bytes += bytes;
    } else if (storage.locks != 0) {
      result.locked_bytes += bytes;
    } else {
      ++result.evictable_storages;
      result.evictable_bytes += bytes;
    }
  }
  return result;
}

// A command's operator locks the inputs that are defined when it starts, until it runs (dtr-semantics, Materialise,
// step 2). Inputs that are brought back for it later are covered by the rule that they must be defined when it runs.
void Ledger::begin_command() {
  if (completed_ >= schedule_.steps.size()) return;
  const trace::Step step = schedule_.steps[completed_];
  if (step.kind == StepKind::kConstant || step.kind == StepKind::kCompute) {
    const trace::Operator& op = schedule_.operators[step.id];
    for (std::uint32_t i = 0; i < op.output_count; ++i) {
      const TensorId tensor = op.first_output + i;
      tensors_[tensor].references = 1;
      storages_[schedule_.tensors[tensor].storage].references += 1;
      storages_[schedule_.tensors[tensor].storage].tensors.push_back(tensor);
    }
    lock_inputs(step.id);
  } else if (step.kind == StepKind::kPin) {
    if (!tensors_[step.id].defined) lock_inputs(schedule_.tensors[step.id].op);
  } else { // counted at once: an eager eviction comes before the completion of the release that causes it
    const std::int64_t change = step.kind == StepKind::kGet ? 1 : -1;
    tensors_[step.id].references += change;
    storages_[schedule_.tensors[step.id].storage].references += change;
  }
}

void Ledger::lock_inputs(OperatorId id) {
  const trace::Operator& op = schedule_.operators[id];
  awaited_ = id;
  for (std::uint32_t i = 0; i < op.input_count; ++i) {
    const TensorId input = schedule_.inputs[op.first_input + i];
    if (!tensors_[input].defined) continue;
    const StorageId storage = schedule_.tensors[input].storage;
    storages_[storage].locks += 1;
    locked_.push_back(storage);
  }
}

void Ledger::unlock_inputs() {
  for (const StorageId storage : locked_) storages_[storage].locks -= 1;
  locked_.clear();
  awaited_.reset();
}

std::string Ledger::describe(OperatorId id) const {
  return fmt::format("operator {} ({}, line {})", id, schedule_.operator_name(id), schedule_.operators[id].line);
}

Violation Ledger::violation(Rule rule, const std::string& text) const {
  return Violation{rule, fmt::format("{} (command {}, model clock {} ns)", text, completed_, clock_)};
}

std::optional<Violation> Ledger::on_action(std::uint32_t word) {
  if (violated_) return std::nullopt;
  const std::uint32_t kind = DTRMC_ACTION_KIND(word);
  const std::uint32_t id = DTRMC_ACTION_ID(word);
  std::optional<Violation> result;
  if (failed_ || ended_) {
    result = violation(Rule::kAfterFail, fmt::format("action {:#010x} after {}", word, ended_ ? "the end" : "FAIL"));
  } else {
    switch (kind) {
      case DTRMC_ACTION_EXECUTE_FIRST:
        result = execute(id, true);
        break;
      case DTRMC_ACTION_EXECUTE_REMAT:
        result = execute(id, false);
        break;
      case DTRMC_ACTION_EVICT_POLICY:
        result = evict(id, false);
        break;
      case DTRMC_ACTION_EVICT_EAGER:
        result = evict(id, true);
        break;
      case DTRMC_ACTION_COMPLETE:
        result = complete(id);
        break;
      case DTRMC_ACTION_FAIL:
        failed_ = id;
        break;
      default:
        result = violation(Rule::kUnknownAction, fmt::format("action word {:#010x} has no known kind", word));
    }
  }
  violated_ = result.has_value();
  return result;
}

std::optional<Violation> Ledger::execute(OperatorId id, bool first) {
  if (id >= schedule_.operators.size()) {
    return violation(Rule::kUnknownAction, fmt::format("EXECUTE of operator {}, which the trace does not have", id));
  }
  const trace::Operator& op = schedule_.operators[id];
  if (first) {
    const bool is_current = completed_ < schedule_.steps.size() && current_operator() == id &&
                            schedule_.steps[completed_].kind != StepKind::kPin;
    if (!is_current || ran_[id]) {
      return violation(Rule::kWrongOperator, fmt::format("first run of {}, which {}", describe(id),
                                                         ran_[id] ? "has run before" : "is not the command in hand"));
    }
  } else if (!ran_[id]) {
    return violation(Rule::kWrongOperator, fmt::format("rematerialisation of {}, which never ran", describe(id)));
  }
  for (std::uint32_t i = 0; i < op.input_count; ++i) {
    const TensorId input = schedule_.inputs[op.first_input + i];
    const bool resident = storages_[schedule_.tensors[input].storage].resident;
    if (!resident || !tensors_[input].defined) {
      return violation(Rule::kInputDefined,
                       fmt::format("{} runs while its input {} ({}) is {}", describe(id), i,
                                   schedule_.tensor_name(input), resident ? "not defined" : "not resident"));
    }
  }
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < op.output_count; ++i) {
    const trace::Tensor& output = schedule_.tensors[op.first_output + i];
    if (output.alias < 0) total += schedule_.storages[output.storage].size;
  }
  if (total > budget_ || memory_ > budget_ - total) {
    return violation(Rule::kBudget, fmt::format("{} needs {} bytes beside {} in use; the budget is {}: {} over",
                                                describe(id), total, memory_, budget_, memory_ + total - budget_));
  }
  if (sink_ != nullptr) {
    sink_->on_event({first ? record::EventKind::kFirstRun : record::EventKind::kRematerialize, id, clock_});
  }
  clock_ += op.cost;
  memory_ += total;
  if (memory_ > max_memory_) max_memory_ = memory_;
  for (std::uint32_t i = 0; i < op.output_count; ++i) {
    const TensorId tensor = op.first_output + i;
    const trace::Tensor& output = schedule_.tensors[tensor];
    if (tensors_[tensor].defined) { // recomputed beside its siblings: the duplicate is dropped
      if (output.alias < 0) memory_ -= schedule_.storages[output.storage].size;
    } else {
      tensors_[tensor].defined = true;
      storages_[output.storage].resident = true;
    }
  }
  ran_[id] = 1;
  if (awaited_ == id) unlock_inputs();
  return std::nullopt;
}

std::optional<Violation> Ledger::evict(StorageId id, bool eager) {
  if (id >= schedule_.storages.size()) {
    return violation(Rule::kUnknownAction, fmt::format("EVICT of storage {}, which the trace does not have", id));
  }
  StorageState& storage = storages_[id];
  const std::string what =
      fmt::format("{} eviction of storage {} ({})", eager ? "eager" : "policy", id, schedule_.storage_name(id));
  if (!storage.resident) return violation(Rule::kNotResident, what + ", which is not resident");
  if (storage.pinned) return violation(Rule::kPinnedEvicted, what + ", which is pinned");
  if (storage.locks != 0) return violation(Rule::kLockedEvicted, what + ", an input of the operator in hand");
  if (eager && storage.references != 0) {
    return violation(Rule::kReferenced, fmt::format("{}, which has {} references", what, storage.references));
  }
  if (sink_ != nullptr) {
    sink_->on_event({eager ? record::EventKind::kEvictEager : record::EventKind::kEvictPolicy, id, clock_});
  }
  storage.resident = false;
  memory_ -= schedule_.storages[id].size;
  for (const TensorId tensor : storage.tensors) tensors_[tensor].defined = false;
  return std::nullopt;
}

std::optional<Violation> Ledger::complete(std::uint32_t number) {
  if (number != (completed_ & DTRMC_MAX_ID)) {
    return violation(Rule::kIncomplete,
                     fmt::format("completion of command {} while command {} is in hand", number, completed_));
  }
  if (completed_ >= schedule_.steps.size()) { // END
    for (TensorId tensor = 0; tensor < tensors_.size(); ++tensor) {
      const StorageState& storage = storages_[schedule_.tensors[tensor].storage];
      if (tensors_[tensor].references > 0 && !(tensors_[tensor].defined && storage.resident)) {
        return violation(Rule::kOutputsAtEnd,
                         fmt::format("the run ends while output {} is {}", schedule_.tensor_name(tensor),
                                     storage.resident ? "not defined" : "not resident"));
      }
    }
    ended_ = true;
    ++completed_;
    return std::nullopt;
  }
  const trace::Step step = schedule_.steps[completed_];
  switch (step.kind) {
    case StepKind::kConstant:
    case StepKind::kCompute:
      if (!ran_[step.id]) {
        return violation(Rule::kIncomplete, fmt::format("completion of {}, which has not run", describe(step.id)));
      }
      if (step.kind == StepKind::kConstant) {
        storages_[schedule_.tensors[schedule_.operators[step.id].first_output].storage].pinned = true;
      }
      break;
    case StepKind::kGet:
    case StepKind::kRelease:
      break;
    case StepKind::kPin: // that it is defined is checked at the end, where it matters
      storages_[schedule_.tensors[step.id].storage].pinned = true;
      break;
  }
  unlock_inputs();
  ++completed_;
  begin_command();
  return std::nullopt;
}

} // namespace dtrmc::ledger
