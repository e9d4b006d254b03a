// SPDX-License-Identifier: Apache-2.0
#include "host/sim/heuristic.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "host/sim/policies.h"

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

// The whole of `text` as one number. charconv: no locale, no sign but '-', no spaces.
template <typename Number>
bool read_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Heuristic with_parameter(const PolicyEntry& entry, std::string_view name, bool given, std::string_view text) {
  Heuristic h{entry.name,         entry.cost, entry.cost == CostMetric::kRegions, entry.cost == CostMetric::kRegions,
              entry.reads_budget, &entry};
  const auto refuse = [&](std::string_view what) {
    throw std::invalid_argument(fmt::format("heuristic '{}': {}", name, what));
  };
  if (!given && entry.kind == ParameterKind::kSeed) refuse("give a seed, for example random:1");
  if (!given && entry.example != nullptr) text = entry.example;
  switch (entry.kind) {
    case ParameterKind::kNone:
      if (given) refuse("takes no parameter");
      return h;
    case ParameterKind::kFactor:
      if (!read_whole(text, h.factor) || !std::isfinite(h.factor) || h.factor < 0) {
        refuse("the parameter after ':' must be a number from 0 on");
      }
      break;
    case ParameterKind::kCount:
      if (!read_whole(text, h.number) || h.number == 0)
        refuse("the parameter after ':' must be a whole number from 1 on");
      break;
    case ParameterKind::kSeed:
      if (!read_whole(text, h.number)) refuse("the seed after ':' must be a whole number below 2^64");
      break;
  }
  h.name += fmt::format(":{}", text);
  return h;
}

} // namespace

Heuristic parse_heuristic(std::string_view name) {
  std::string known;
  for (const Entry& entry : kHeuristics) {
    bool match = name == entry.name;
    for (const char* alias : entry.aliases) match = match || (alias != nullptr && name == alias);
    if (match) return {entry.name, entry.cost, entry.size, entry.staleness};
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  const std::size_t colon = name.find(':');
  const bool given = colon != std::string_view::npos;
  for (const PolicyEntry& entry : policies()) {
    const std::string_view base = name.substr(0, colon);
    bool match = base == entry.name;
    for (const char* alias : entry.aliases) match = match || (alias != nullptr && base == alias);
    if (match) {
      return with_parameter(entry, name, given, given ? name.substr(colon + 1) : std::string_view());
    }
    known += fmt::format(", {}{}", entry.name, entry.example == nullptr ? "" : fmt::format(":{}", entry.example));
  }
  throw std::invalid_argument(
      fmt::format("unknown heuristic '{}'; known: {} (or simrd's class names: DTR, DTREqClass, ...)", name, known));
}

std::vector<std::string> heuristic_names() {
  std::vector<std::string> names;
  names.reserve(kHeuristics.size());
  for (const Entry& entry : kHeuristics) names.emplace_back(entry.name);
  for (const PolicyEntry& entry : policies()) {
    names.emplace_back(entry.name);
    if (entry.example != nullptr) names.back() += fmt::format(":{}", entry.example);
  }
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

void require_supported(const Heuristic& heuristic, const arithmetic::Format& format) {
  if (heuristic.policy == nullptr || arithmetic::is_exact(format)) return;
  throw std::invalid_argument(
      fmt::format("heuristic {} is a rule of its own, which arithmetic {} knows nothing of; choose exact",
                  heuristic.name, arithmetic::name(format)));
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
