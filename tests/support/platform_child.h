// SPDX-License-Identifier: Apache-2.0
// Platform runs for tests, each in a process of its own (SystemC elaborates once per process).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/record/run_record.h"
#include "host/trace/schedule.h"
#include "systemc/platform/platform.h"
#include "tests/support/golden.h"

namespace dtrmc::test {

struct PlatformOutcome {
  record::RunRecord record;
  std::vector<std::string> failed_checks; // a ledger violation is among them
  std::string failure_rule;               // of the ledger, empty without a violation
  nlohmann::ordered_json fields;          // as cosim prints them
};

// Throws std::runtime_error with the platform's message for an input that it refuses.
PlatformOutcome run_platform_in_child(const trace::Schedule& schedule, const platform::PlatformConfig& config);

// A configuration for a golden row: budget, limit and heuristic of the row, built-in firmware.
platform::PlatformConfig platform_config(const trace::Schedule& schedule, const GoldenRow& row);

// The row is one that the firmware can run: its heuristics, on V2-eager.
bool firmware_has(const GoldenRow& row);

} // namespace dtrmc::test
