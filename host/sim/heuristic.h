// SPDX-License-Identifier: Apache-2.0
// Eviction heuristics: score = cost / (size if SIZE x staleness if STALENESS), smallest first; and last access for lru.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/arithmetic/arithmetic.h"

namespace dtrmc::sim {

enum class CostMetric {
  kOne,           // 1
  kLocal,         // compute of the storage
  kClasses,       // compute + equivalence classes of evicted neighbours (eq)
  kRegions,       // compute + forward and reverse evicted region (e*)
  kReverseRegion, // compute + reverse evicted region
  kFreshRegion,   // compute + both evicted regions, walked anew at each evaluation (runtime v1)
  kLastAccess,    // the score is the last access itself (lru)
};

struct PolicyEntry;

struct Heuristic {
  std::string name; // ours
  CostMetric cost = CostMetric::kOne;
  bool size = false;
  bool staleness = false;
  // The victim depends on the budget itself (a shortfall, what is still free), not only on which requests fit it: then
  // no interval of budgets shares a run (Run, atlas).
  bool reads_budget = false;
  const PolicyEntry* policy = nullptr; // a rule of its own (policies.h); cost, size and staleness say what it looks at
  double factor = 0;                   // parameter of the rule, by its kind
  std::uint64_t number = 0;
};

enum class Runtime {
  kV2Eager, // evicts a storage when its last reference goes
  kV2,      // lazy: leaves it to the heuristic
  kV1,      // banishes it for good once nothing depends on it; simrd's baseline
};

// By our name (NAME, or NAME:PARAMETER for a rule of policies.h), or by simrd's class name. Throws
// std::invalid_argument with a message that lists the known ones.
Heuristic parse_heuristic(std::string_view name);
Runtime parse_runtime(std::string_view name);

const char* to_string(Runtime runtime); // v2-eager, v2, v1

// v1 knows only the heuristics without cached regions and classes, v2 and v2-eager all but dtr-unopt. Throws
// std::invalid_argument where the pair does not exist.
void require_supported(const Heuristic& heuristic, Runtime runtime);

// Approximate arithmetic compares scores; a rule of its own (Heuristic::policy) is not one. Throws
// std::invalid_argument.
void require_supported(const Heuristic& heuristic, const arithmetic::Format& format);

std::vector<std::string> heuristic_names(); // ours, in a fixed order, with a parameter where there is one

} // namespace dtrmc::sim
