// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iostream>
#include <string>

#include "systemc/cpu_rtl/tiles.h"
#include "tests/support/skip.h"

namespace dtrmc::test {

// Whether this build has the RTL of that core; where not, says how to get it and marks the program as skipped.
inline bool built_or_skip(const std::string& core) {
  const auto names = cpu_rtl::tile_names();
  if (std::find(names.begin(), names.end(), core) != names.end()) return true;
  std::cout << "SKIPPED: " << cpu_rtl::how_to_get(core) << '\n';
  skipped() = true;
  return false;
}

} // namespace dtrmc::test
