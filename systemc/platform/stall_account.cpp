// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/stall_account.h"

#include <algorithm>

#include "firmware/protocol.h"

namespace dtrmc::platform {

StallCause stall_cause(std::uint32_t mark) {
  switch (mark & (DTRMC_ACTIVITY_COUNT - 1)) {
    case DTRMC_ACTIVITY_METADATA:
      return StallCause::kMetadata;
    case DTRMC_ACTIVITY_COST:
      return (mark & DTRMC_IN_DECISION) != 0 ? StallCause::kDecisionCost : StallCause::kCost;
    case DTRMC_ACTIVITY_SCORE:
      return StallCause::kDecisionScore;
    case DTRMC_ACTIVITY_SEARCH:
      return StallCause::kDecisionSearch;
    case DTRMC_ACTIVITY_WAIT_UNIT:
      return StallCause::kDecisionUnit;
    case DTRMC_ACTIVITY_WAIT_ACCELERATOR:
      return StallCause::kCompletion;
    case DTRMC_ACTIVITY_IDLE:
      return StallCause::kNoCommand;
    default:
      return StallCause::kCommands;
  }
}

void StallAccount::on_activity(std::uint32_t mark, std::uint64_t time) {
  // What ends while an operator is known to run was hidden behind it.
  if (time > std::max(since_, free_at_)) spans_.push_back({since_, time, cause_});
  since_ = time;
  cause_ = stall_cause(mark);
}

void StallAccount::charge(std::uint64_t from, std::uint64_t to) {
  const auto overlap = [&](std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t first = std::max(begin, from);
    const std::uint64_t last = std::min(end, to);
    return last > first ? last - first : 0;
  };
  for (const Span& span : spans_) times_[static_cast<std::size_t>(span.cause)] += overlap(span.begin, span.end);
  times_[static_cast<std::size_t>(cause_)] += overlap(since_, to);
}

void StallAccount::on_execute(std::uint64_t start, std::uint64_t finish) {
  if (start > free_at_) charge(free_at_, start);
  free_at_ = finish;
  while (!spans_.empty() && spans_.front().end <= free_at_) spans_.pop_front();
}

const StallTimes& StallAccount::finish(std::uint64_t end) {
  if (end > free_at_) charge(free_at_, end);
  free_at_ = std::max(free_at_, end);
  spans_.clear();
  return times_;
}

} // namespace dtrmc::platform
