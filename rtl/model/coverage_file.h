// SPDX-License-Identifier: Apache-2.0
// Line and toggle coverage of a Verilated model (DTRMC_COVERAGE_UNITS), for tests/rtl/coverage: into a file of its own
// in the folder that the environment variable DTRMC_RTL_COVERAGE names.
#pragma once

#include <verilated.h>

#ifdef DTRMC_COUNT_COVERAGE
#include <unistd.h>
#include <verilated_cov.h>

#include <cstdlib>
#include <string>
#endif

namespace dtrmc::unit {

// At its end: the counters are its own. Some models of a program count and others do not, hence a template.
template <typename Model>
void write_coverage([[maybe_unused]] Model& model) {
#ifdef DTRMC_COUNT_COVERAGE
  static unsigned files = 0;
  const char* folder = std::getenv("DTRMC_RTL_COVERAGE");
  if (folder != nullptr) {
    const std::string name = std::string(model.modelName()) + '-' + std::to_string(getpid()) + '-';
    model.contextp()->coveragep()->write((folder + ('/' + name) + std::to_string(files++) + ".dat").c_str());
  }
  model.contextp()->coveragep()->clear(); // it may be used once more
#endif
}

} // namespace dtrmc::unit
