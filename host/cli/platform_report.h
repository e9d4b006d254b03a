// SPDX-License-Identifier: Apache-2.0
// What a platform run has beyond the golden fields, as rows for people; and the end of every command that runs one.
#pragma once

#include "host/cli/report.h"
#include "systemc/cosim/cosim.h"

namespace dtrmc::cli {

Table platform_table(const platform::PlatformResult& result, const platform::PlatformConfig& config);

// Prints the failed checks, one line each, to stderr, and what is known of a run that broke off; 1 where there are any,
// otherwise 0.
int report_failed_checks(const cosim::CosimReport& report);

} // namespace dtrmc::cli
