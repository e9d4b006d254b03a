// SPDX-License-Identifier: Apache-2.0
// How units get their names; for generated code and test_units.cpp. Users include rtl_unit.h.
#pragma once

#include <memory>
#include <vector>

#include "rtl/model/rtl_unit.h"

namespace dtrmc::unit {

struct UnitEntry {
  const char* name;
  std::unique_ptr<RtlUnit> (*make)();
  const char* parameters; // "NAME=VALUE ..." as given to dtrmc_add_scoring_unit; null: another module than ours
};

// Makes units known to make_unit that unit_names does not list.
bool add_hidden_units(const std::vector<UnitEntry>& units);

} // namespace dtrmc::unit
