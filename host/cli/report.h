// SPDX-License-Identifier: Apache-2.0
// The golden fields of a run, as JSON and as a table for people.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/run_options.h"
#include "host/record/run_record.h"

namespace dtrmc::cli {

using Json = nlohmann::ordered_json;

// trace .. all_sha256 in the golden records' order; heuristic_evals only `with_evals` (the simulator counts them).
Json golden_fields(const ResolvedRun& run, const record::RunRecord& record, bool with_evals);

// clock / baseline compute; nothing for a run that did not complete, or a trace without compute.
std::optional<double> overhead(const trace::Schedule& schedule, const record::RunRecord& record);

// Rows of a table; print_table aligns them: "label   value".
using Table = std::vector<std::pair<std::string, std::string>>;
Table golden_table(const ResolvedRun& run, const record::RunRecord& record);
std::string format_table(const Table& table);

} // namespace dtrmc::cli
