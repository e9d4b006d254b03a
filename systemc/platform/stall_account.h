// SPDX-License-Identifier: Apache-2.0
// Why the accelerator stood still: every moment in which no operator runs is charged to what the controller was doing
// then. All times are device time in ps, so the parts add up exactly to device time - accelerator busy time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace dtrmc::platform {

enum class StallCause : std::uint8_t {
  kDecisionCost,   // an eviction is being decided: bringing the costs up to date
  kDecisionScore,  //   ... the candidate table or the search bounds
  kDecisionSearch, //   ... searching in firmware
  kDecisionUnit,   //   ... waiting for the scoring unit
  kCommands,       // taking and decoding commands, posting actions
  kMetadata,       // tensors, storages, locks, pool
  kCost,           // upkeep of the cost metric outside decisions
  kCompletion,     // the last operator is over, the waiting controller has not taken notice yet
  kNoCommand,      // nothing to do: the driver has rung no further command
};
inline constexpr std::size_t kStallCauses = 9;
inline constexpr std::array<const char*, kStallCauses> kStallNames{"decision_cost", "decision_score", "decision_search",
                                                                   "decision_unit", "commands",       "metadata",
                                                                   "cost",          "completion",     "no_command"};

using StallTimes = std::array<std::uint64_t, kStallCauses>; // ps, by cause

// The cause that a value of DTRMC_CSR_ACTIVITY stands for.
StallCause stall_cause(std::uint32_t mark);

class StallAccount {
 public:
  // The controller's mark is `mark` from `time` on. Times do not descend; they may be ahead of the accelerator's.
  void on_activity(std::uint32_t mark, std::uint64_t time);
  // The accelerator runs an operator from `start` to `finish`. In order; all marks up to `start` are known by then,
  // since an operator that starts late starts when the controller posts it.
  void on_execute(std::uint64_t start, std::uint64_t finish);
  // The run ends at `end`, not before the last operator.
  const StallTimes& finish(std::uint64_t end);

 private:
  struct Span { // [begin, end) with one mark
    std::uint64_t begin, end;
    StallCause cause;
  };
  void charge(std::uint64_t from, std::uint64_t to);

  std::deque<Span> spans_; // over, and not known to lie in busy time
  StallCause cause_ = StallCause::kCommands;
  std::uint64_t since_ = 0;   // of cause_
  std::uint64_t free_at_ = 0; // end of the last operator
  StallTimes times_{};
};

} // namespace dtrmc::platform
