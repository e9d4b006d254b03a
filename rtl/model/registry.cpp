// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/registry.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "rtl/model/behavioural_parameters.h"
#include "rtl/model/behavioural_unit.h"

namespace dtrmc::unit {

// The table is what the calls of dtrmc_add_scoring_unit have left, as lines
// DTRMC_UNIT(identifier, "name", "parameters").
#define DTRMC_UNIT(identifier, name, parameters) std::unique_ptr<RtlUnit> make_##identifier();
#include "dtrmc_units.inc"
#undef DTRMC_UNIT

namespace {

const std::vector<UnitEntry>& listed_units() {
#define DTRMC_UNIT(identifier, name, parameters) {name, &make_##identifier, parameters},
  static const std::vector<UnitEntry> units = {
#include "dtrmc_units.inc"
  };
#undef DTRMC_UNIT
  return units;
}

std::vector<UnitEntry>& hidden_units() {
  static std::vector<UnitEntry> units;
  return units;
}

const UnitEntry& find_unit(const std::string& name) {
  for (const std::vector<UnitEntry>* units :
       {&listed_units(), static_cast<const std::vector<UnitEntry>*>(&hidden_units())}) {
    for (const UnitEntry& unit : *units) {
      if (name == unit.name) return unit;
    }
  }
  std::string known;
  for (const std::string& other : unit_names()) known += (known.empty() ? "" : ", ") + other;
  throw std::invalid_argument("unknown scoring unit '" + name + "' (known: " + known + ")");
}

std::optional<BehaviouralParameters> behavioural_parameters(const UnitEntry& unit, std::string& why) {
  if (unit.parameters != nullptr) return parse_parameters(unit.parameters, why);
  why = "it is a module of its own";
  return std::nullopt;
}

} // namespace

bool add_hidden_units(const std::vector<UnitEntry>& units) {
  hidden_units().insert(hidden_units().end(), units.begin(), units.end());
  return true;
}

std::unique_ptr<RtlUnit> make_unit(const std::string& name) { return find_unit(name).make(); }

std::unique_ptr<RtlUnit> make_behavioural_unit(const std::string& name) {
  std::string why;
  const auto parameters = behavioural_parameters(find_unit(name), why);
  if (!parameters) throw std::invalid_argument("no behavioural model of scoring unit '" + name + "': " + why);
  return std::make_unique<BehaviouralUnit>(name, *parameters);
}

std::string why_no_behavioural_unit(const std::string& name) {
  std::string why;
  behavioural_parameters(find_unit(name), why);
  return why;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const UnitEntry& unit : listed_units()) names.emplace_back(unit.name);
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace dtrmc::unit
