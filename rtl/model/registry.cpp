// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/registry.h"

#include <algorithm>
#include <stdexcept>

namespace dtrmc::unit {

// The table is what the calls of dtrmc_add_scoring_unit have left, as lines DTRMC_UNIT(identifier, "name").
#define DTRMC_UNIT(identifier, name) std::unique_ptr<RtlUnit> make_##identifier();
#include "dtrmc_units.inc"
#undef DTRMC_UNIT

namespace {

const std::vector<UnitEntry>& listed_units() {
#define DTRMC_UNIT(identifier, name) {name, &make_##identifier},
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

} // namespace

bool add_hidden_units(const std::vector<UnitEntry>& units) {
  hidden_units().insert(hidden_units().end(), units.begin(), units.end());
  return true;
}

std::unique_ptr<RtlUnit> make_unit(const std::string& name) {
  for (const std::vector<UnitEntry>* units :
       {&listed_units(), static_cast<const std::vector<UnitEntry>*>(&hidden_units())}) {
    for (const UnitEntry& unit : *units) {
      if (name == unit.name) return unit.make();
    }
  }
  std::string known;
  for (const std::string& other : unit_names()) known += (known.empty() ? "" : ", ") + other;
  throw std::invalid_argument("unknown scoring unit '" + name + "' (known: " + known + ")");
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const UnitEntry& unit : listed_units()) names.emplace_back(unit.name);
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace dtrmc::unit
