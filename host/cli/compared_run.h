// SPDX-License-Identifier: Apache-2.0
// Simulator and platform on one run, aligned event by event.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/cli/run_options.h"
#include "host/compare/aligner.h"
#include "host/compare/margins.h"
#include "host/compare/moved_decision.h"
#include "host/sim/simulator.h"
#include "systemc/cosim/cosim.h"

namespace dtrmc::cli {

struct ComparedRun {
  sim::Result simulator;
  cosim::CosimReport platform;
  bool identical = false; // all events, the status, the clock and both hashes
  std::size_t events = 0; // that are equal from the start
  compare::EventCounts counts;
  std::vector<compare::JudgedDecision> decisions; // the simulator's, where they were asked for
  std::optional<compare::Difference> difference;
  std::optional<compare::MovedDecision> moved; // where that is a decision, and CompareExtras::moved asked for it
  std::vector<std::string> context;            // of the first difference, or of the fields that differ
};

struct CompareExtras {
  bool unit_arithmetic = false;        // the simulator decides by the scoring unit's arithmetic, not by exact scores
  cosim::MemorySink* memory = nullptr; // receives the platform's memory in use
  bool decisions = false;              // judge the simulator's decisions: runner-up and margin
  bool moved = false;                  // keep the pools of the first decision that differs; costs time up to there
  std::string table;                   // file for the aligned events; implies `decisions`. Empty: none
};

// Whether the platform may evict otherwise than the simulator without anything being wrong.
bool difference_expected(const platform::PlatformConfig& config, const CompareExtras& extras);

// Once per process (SystemC). Throws as its parts, and record::FileError.
ComparedRun compare_run(const ResolvedRun& run, const platform::PlatformConfig& config,
                        const CompareExtras& extras = {});

} // namespace dtrmc::cli
