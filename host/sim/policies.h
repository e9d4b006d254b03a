// SPDX-License-Identifier: Apache-2.0
// The registered victim rules. On the command line NAME or NAME:PARAMETER, as in nbhd-penalty:0.25, two-phase:8,
// random:42.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "host/sim/heuristic.h"
#include "host/sim/policy.h"
#include "host/trace/schedule.h"

namespace dtrmc::sim {

enum class ParameterKind {
  kNone,
  kFactor, // a real number from 0 on
  kCount,  // a whole number from 1 on
  kSeed,   // 64 bits; always given
};

struct PolicyParameter {
  double factor = 0;
  std::uint64_t number = 0; // count or seed
};

struct PolicyEntry {
  const char* name;
  std::array<const char*, 2> aliases; // simrd classes
  const char* example;                // of a parameter: the default one but for kSeed; nullptr for kNone
  ParameterKind kind;
  CostMetric cost; // kRegions: the view has regions
  bool reads_budget;
  std::unique_ptr<Policy> (*make)(const PolicyParameter& parameter, const trace::Schedule& schedule,
                                  const Topology& topology);
};

const std::vector<PolicyEntry>& policies();

} // namespace dtrmc::sim
