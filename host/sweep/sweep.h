// SPDX-License-Identifier: Apache-2.0
// Many runs: series of budgets, worked off by a pool of processes, with refinement where the outcome changes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/sweep/grid.h"
#include "host/sweep/result_file.h"

namespace dtrmc::sweep {

// One line of budgets: everything but the budget is fixed.
struct Series {                  // NOLINT(bugprone-exception-escape): moving a JSON value does not throw
  Json key;                      // the columns that name it (trace, heuristic, runtime, ...), in order
  Budgets budgets;               // what is asked for
  std::uint64_t refine_step = 0; // bytes: no two refined budgets closer than this; 0: no refinement
};

// What a sweep knows of a point that is done.
struct Outcome {
  std::string status;
  std::optional<double> overhead;
};

// Overheads farther apart than this factor call for a point between them.
inline constexpr double kRefineFactor = 1.25;

// The budgets to try next between those done: the middle of every two neighbours that differ in status, or in overhead
// by more than kRefineFactor, and lie at least 2 x step apart.
std::vector<std::uint64_t> refine(const std::map<std::uint64_t, Outcome>& done, std::uint64_t step);

struct Tally {
  std::uint64_t there = 0;                       // points that the file had already
  std::uint64_t done = 0;                        // points run now
  std::uint64_t failed = 0;                      // points without outcome
  std::map<std::string, std::uint64_t> statuses; // of all points
};

struct Plan {
  std::vector<Series> series;
  unsigned jobs = 1;
  // Runs one point: the columns behind those of the key and budget. In a worker process.
  std::function<Json(std::size_t series, std::uint64_t budget)> run;
  std::function<void(const Series& series, std::uint64_t budget, const std::string& error)> on_failure;
  // After every point and now and then: how many are done, of how many asked for so far.
  std::function<void(std::uint64_t done, std::uint64_t all)> on_progress;
};

// Columns of every row before those of Plan::run: the key's, then ratio, budget.
// Works the plan off; rows that `rows` names are there already. Throws record::FileError where the file cannot be
// written. A point whose run throws or dies is reported through on_failure, and the others go on.
Tally work_off(const Plan& plan, ResultFile& file, const std::vector<Json>& rows);

// Order of the rows of a complete sweep: series in the plan's order, then budgets; rows of no series last.
ResultFile::Order row_order(const Plan& plan);

} // namespace dtrmc::sweep
