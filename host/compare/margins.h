// SPDX-License-Identifier: Apache-2.0
// The margins of all decisions of a run, and which of them a cheaper number format could turn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/record/event.h"
#include "host/sim/candidate.h"

namespace dtrmc::compare {

struct Format {
  const char* name;
  double error; // relative, of one score; a margin at or below it may be lost
};
// Binary32 rounds by 2^-24; a logarithm with f fraction bits is off by up to 2^-f, that is a factor 2^(2^-f);
// Mitchell's logarithm by up to about 10 % (shared notes on the scoring unit: regret up to 10.7 %).
inline constexpr std::array<Format, 4> kFormats{{{"float32", 5.9604644775390625e-08},
                                                 {"log2 with 16 fraction bits", 1.0576711e-05},
                                                 {"log2 with 8 fraction bits", 2.7112750e-03},
                                                 {"mitchell", 0.1}}};

// One decision of the simulator, without its pool.
struct JudgedDecision {
  std::uint64_t event = 0; // its eviction, among all events
  trace::StorageId storage = 0;
  std::size_t candidates = 0;
  sim::Candidate victim;
  std::optional<sim::Candidate> runner_up;
  double margin = 0; // where there is a runner-up
};

// Both sides of the simulator: counts events, judges decisions.
class Judge : public sim::DecisionObserver, public record::EventSink {
 public:
  // `next` receives every event as well.
  explicit Judge(record::EventSink* next) : next_(next) {}

  void on_event(const record::Event& event) override {
    ++events_;
    if (next_ != nullptr) next_->on_event(event);
  }
  void on_decision(const std::vector<sim::Candidate>& pool, trace::StorageId victim, std::uint64_t pinned,
                   std::uint32_t nesting) override;

  const std::vector<JudgedDecision>& decisions() const { return decisions_; }

 private:
  record::EventSink* next_;
  std::uint64_t events_ = 0;
  std::vector<JudgedDecision> decisions_;
};

// Victim, runner-up and margin of one pool; nothing where the victim is not in it.
std::optional<JudgedDecision> judge(const std::vector<sim::Candidate>& pool, trace::StorageId victim);

struct MarginSummary {
  std::uint64_t decisions = 0;                         // with a runner-up
  std::uint64_t ties = 0;                              // margin 0: the order decided
  std::array<std::uint64_t, kFormats.size()> within{}; // margin at or below the format's error, ties included
  std::vector<const JudgedDecision*> smallest;         // ascending, ties left out
};
// The pointers are into `decisions`.
MarginSummary summarise(const std::vector<JudgedDecision>& decisions, std::size_t smallest);

} // namespace dtrmc::compare
