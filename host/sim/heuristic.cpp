// SPDX-License-Identifier: Apache-2.0
#include "host/sim/heuristic.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace dtrmc::sim {

namespace {

struct Entry {
  const char* name;
  CostMetric cost;
  bool size;
  bool staleness;
  std::array<const char*, 2> aliases; // simrd classes
};

constexpr std::array<Entry, 18> kHeuristics = {{
    {"dtr", CostMetric::kRegions, true, true, {"DTR", "AbESizeStale"}},
    {"dtr-eq", CostMetric::kClasses, true, true, {"DTREqClass", "AbEqSizeStale"}},
    {"dtr-local", CostMetric::kLocal, true, true, {"DTRLocal", "AbLocalSizeStale"}},
    {"msps", CostMetric::kReverseRegion, true, false, {"MSPS", nullptr}},
    {"lru", CostMetric::kLastAccess, false, false, {"LRU", nullptr}},
    {"size", CostMetric::kOne, true, false, {"LargestStorage", "AbSize"}},
    {"ab-e", CostMetric::kRegions, false, false, {"AbE", nullptr}},
    {"ab-e-size", CostMetric::kRegions, true, false, {"AbESize", nullptr}},
    {"ab-e-stale", CostMetric::kRegions, false, true, {"AbEStale", nullptr}},
    {"ab-eq", CostMetric::kClasses, false, false, {"AbEq", nullptr}},
    {"ab-eq-size", CostMetric::kClasses, true, false, {"AbEqSize", nullptr}},
    {"ab-eq-stale", CostMetric::kClasses, false, true, {"AbEqStale", nullptr}},
    {"ab-local", CostMetric::kLocal, false, false, {"AbLocal", nullptr}},
    {"ab-local-size", CostMetric::kLocal, true, false, {"AbLocalSize", nullptr}},
    {"ab-local-stale", CostMetric::kLocal, false, true, {"AbLocalStale", nullptr}},
    {"ab-size-stale", CostMetric::kOne, true, true, {"AbSizeStale", nullptr}},
    {"ab-stale", CostMetric::kOne, false, true, {"AbStale", nullptr}},
    {"dtr-unopt", CostMetric::kFreshRegion, true, true, {"DTRUnopt", nullptr}},
}};

} // namespace

Heuristic parse_heuristic(std::string_view name) {
  std::string known;
  for (const Entry& entry : kHeuristics) {
    bool match = name == entry.name;
    for (const char* alias : entry.aliases) match = match || (alias != nullptr && name == alias);
    if (match) return {entry.name, entry.cost, entry.size, entry.staleness};
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw std::invalid_argument(
      fmt::format("unknown heuristic '{}'; known: {} (or simrd's class names: DTR, DTREqClass, ...)", name, known));
}

std::vector<std::string> heuristic_names() {
  std::vector<std::string> names;
  names.reserve(kHeuristics.size());
  for (const Entry& entry : kHeuristics) names.emplace_back(entry.name);
  return names;
}

Runtime parse_runtime(std::string_view name) {
  if (name == "v2-eager" || name == "RuntimeV2Eager" || name == "RuntimeV2EagerOptimized") return Runtime::kV2Eager;
  if (name == "v2" || name == "RuntimeV2" || name == "RuntimeV2Optimized") return Runtime::kV2;
  if (name == "v1" || name == "RuntimeV1") return Runtime::kV1;
  throw std::invalid_argument(
      fmt::format("unknown runtime '{}'; known: v2-eager, v2, v1 (or simrd's class names)", name));
}

void require_supported(const Heuristic& heuristic, Runtime runtime) {
  const bool v1 = runtime == Runtime::kV1;
  bool supported = true;
  switch (heuristic.cost) {
    case CostMetric::kClasses:
    case CostMetric::kRegions:
    case CostMetric::kReverseRegion:
      supported = !v1;
      break;
    case CostMetric::kFreshRegion:
      supported = v1;
      break;
    case CostMetric::kOne:
    case CostMetric::kLocal:
    case CostMetric::kLastAccess:
      break;
  }
  if (supported) return;
  throw std::invalid_argument(fmt::format(
      "heuristic {} does not exist on runtime {}; {}", heuristic.name, to_string(runtime),
      v1 ? "v1 knows lru, size, dtr-local, dtr-unopt and the ablations without e and eq" : "it needs runtime v1"));
}

const char* to_string(Runtime runtime) {
  switch (runtime) {
    case Runtime::kV2Eager:
      return "v2-eager";
    case Runtime::kV2:
      return "v2";
    case Runtime::kV1:
      return "v1";
  }
  return "unknown";
}

} // namespace dtrmc::sim
