// SPDX-License-Identifier: Apache-2.0
// The golden records: what simrd itself produced, a JSON object a line. Readers for the simulator's, the firmware's
// and the platform's tests alike.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/record/run_record.h"

namespace dtrmc::test {

struct GoldenRow {
  std::string trace;                    // name of the public trace, or id of the random one
  std::string heuristic;                // simrd class
  std::string runtime;                  // simrd class
  std::optional<double> ratio;          // as printed; the budget is exact
  std::uint64_t budget = 0;             // bytes
  std::optional<double> overhead_limit; // none: no limit
  record::RunRecord expected;
};

struct RandomTrace {
  std::string id;
  std::string text; // the log, one instruction a line
  std::vector<GoldenRow> runs;
};

// Calls visit for each line of a plain or compressed file that is not blank.
void for_each_line(const std::string& path, const std::function<void(std::string_view)>& visit);

// Rows of a file of golden runs (simrd.jsonl, simrd-runtimes.jsonl; plain or compressed). Throws on anything odd.
std::vector<GoldenRow> read_golden_rows(const std::string& path);

// Calls visit for each trace of random.jsonl.gz, in file order. The committed copy is tests/data/random.jsonl.gz.
void for_each_random_trace(const std::string& path, const std::function<void(const RandomTrace&)>& visit);

// "" where equal, otherwise the fields that differ, as "field: got X, golden Y; ...". heuristic_evals is compared
// only where asked for (the platform does not count it).
std::string differences(const record::RunRecord& got, const record::RunRecord& golden, bool compare_evals);

// One line that identifies the run in a failure message, and repeats it on the command line.
std::string describe(const GoldenRow& row);

} // namespace dtrmc::test
