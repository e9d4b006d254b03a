// SPDX-License-Identifier: Apache-2.0
// Reference data (golden records, public traces) lives outside the project, in the folder named by the environment
// variable DTRMC_SHARED, ../shared by default. Tests that need it call shared_or_skip.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

namespace dtrmc::test {

inline bool& skipped() {
  static bool value = false;
  return value;
}

// Path of `relative` below the shared folder; where it is absent, says so, marks the program as skipped and
// returns nothing: the test case then returns.
inline std::optional<std::filesystem::path> shared_or_skip(const std::string& relative) {
  const char* root = std::getenv("DTRMC_SHARED");
  const std::filesystem::path path = std::filesystem::path(root != nullptr ? root : "../shared") / relative;
  if (std::filesystem::exists(path)) return path;
  std::cout << "SKIPPED: reference data " << path << " is absent (set DTRMC_SHARED to the folder that holds it)\n";
  skipped() = true;
  return std::nullopt;
}

} // namespace dtrmc::test
