// SPDX-License-Identifier: Apache-2.0
// Line and toggle coverage of a Verilated model (DTRMC_COVERAGE_UNITS), for tests/rtl/coverage: into files of its own
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

#ifdef DTRMC_COUNT_COVERAGE
template <typename Model>
void write_counters(Model& model, const std::string& ending) {
  const char* folder = std::getenv("DTRMC_RTL_COVERAGE");
  if (folder == nullptr) return;
  const std::string name = std::string(model.modelName()) + '-' + std::to_string(getpid()) + ending;
  model.contextp()->coveragep()->write((folder + ('/' + name)).c_str());
}
#endif

// After its first reset. What has been counted until then goes into a file apart (once for each class of models): all
// variables begin as 0, so that a constant 1 has toggled by then; but some lines are only counted there.
template <typename Model>
void begin_coverage([[maybe_unused]] Model& model) {
#ifdef DTRMC_COUNT_COVERAGE
  static bool first = true;
  if (first) write_counters(model, ".begin");
  first = false;
  model.contextp()->coveragep()->zero();
#endif
}

// At its end: the counters are its own. Some models of a program count and others do not, hence a template.
template <typename Model>
void write_coverage([[maybe_unused]] Model& model) {
#ifdef DTRMC_COUNT_COVERAGE
  static unsigned files = 0;
  write_counters(model, '-' + std::to_string(files++) + ".dat");
  model.contextp()->coveragep()->clear(); // it may be used once more
#endif
}

} // namespace dtrmc::unit
