// SPDX-License-Identifier: Apache-2.0
#include "host/compare/event_table.h"

#include <fmt/format.h>

#include "host/compare/ranking.h"

namespace dtrmc::compare {

namespace {

using record::Event;
using record::EventKind;

bool is_execution(EventKind kind) { return kind == EventKind::kFirstRun || kind == EventKind::kRematerialize; }

std::vector<std::string> columns() {
  return {
      "event",        "identical",     "kind",           "operator",       "operator_name",    "storage",
      "storage_name", "storage_bytes", "model_clock_ns", "device_time_ns", "controller_cycle", "decision_cycles",
      "candidates",   "score_exact",   "score",          "margin",         "runner_up",        "sim_score_exact",
      "sim_score",    "sim_margin",    "sim_runner_up",  "sim_kind",       "sim_id",           "sim_model_clock_ns"};
}

std::string nanoseconds(std::uint64_t ps) {
  return ps % 1000 == 0 ? fmt::format("{}", ps / 1000) : fmt::format("{}.{:03}", ps / 1000, ps % 1000);
}

} // namespace

EventTable::EventTable(const std::string& path, const trace::Schedule& schedule, const std::vector<Event>& reference,
                       const std::vector<JudgedDecision>& decisions, std::uint64_t period_ps)
    : schedule_(schedule),
      reference_(reference),
      decisions_(decisions),
      period_ps_(period_ps),
      table_(path, columns()) {}

void EventTable::on_event(const Event& event, std::uint64_t device_time_ps) {
  const Row row{next_++, event, device_time_ps, decision_};
  decision_.reset();
  if (event.kind == EventKind::kEvictPolicy) {
    waiting_.push_back(row);
    return;
  }
  const bool execution = is_execution(event.kind);
  flush(execution ? std::optional<trace::OperatorId>(event.id) : std::nullopt);
  write(row, execution ? std::optional<trace::OperatorId>(event.id) : std::nullopt);
}

void EventTable::flush(std::optional<trace::OperatorId> op) {
  for (const Row& row : waiting_) write(row, op);
  waiting_.clear();
}

void EventTable::write(const Row& row, std::optional<trace::OperatorId> op) {
  const Event* const reference = row.index < reference_.size() ? &reference_[row.index] : nullptr;
  const bool identical = reference != nullptr && *reference == row.event;
  while (judged_ < decisions_.size() && decisions_[judged_].event < row.index) ++judged_;
  const JudgedDecision* const judged =
      judged_ < decisions_.size() && decisions_[judged_].event == row.index ? &decisions_[judged_] : nullptr;

  table_.cell(row.index).cell(identical).cell(record::to_string(row.event.kind));
  if (op) {
    table_.cell(std::uint64_t{*op}).cell(schedule_.operator_name(*op));
  } else {
    table_.empty().empty();
  }
  if (is_execution(row.event.kind)) {
    table_.empty().empty().empty();
  } else {
    table_.cell(std::uint64_t{row.event.id}).cell(schedule_.storage_name(row.event.id));
    table_.cell(schedule_.storages[row.event.id].size);
  }
  table_.cell(row.event.clock).number(nanoseconds(row.device_time_ps)).cell(row.device_time_ps / period_ps_);
  if (row.decision) {
    table_.cell(row.decision->cycles).cell(row.decision->candidates);
  } else {
    table_.empty().empty();
  }
  const auto judgement = [&](const JudgedDecision* decision) {
    if (decision == nullptr) {
      table_.empty().empty().empty().empty();
      return;
    }
    table_.cell(exact_score(decision->victim)).cell(score(decision->victim));
    if (decision->runner_up) {
      table_.cell(decision->margin).cell(schedule_.storage_name(decision->runner_up->storage));
    } else {
      table_.empty().empty();
    }
  };
  judgement(row.decision && row.decision->judged ? &*row.decision->judged : nullptr);
  judgement(judged);
  if (!identical && reference != nullptr) {
    table_.cell(record::to_string(reference->kind)).cell(std::uint64_t{reference->id}).cell(reference->clock);
  }
  table_.end_row();
}

void EventTable::commit() {
  flush(std::nullopt);
  table_.commit();
}

} // namespace dtrmc::compare
