// SPDX-License-Identifier: Apache-2.0
// Temporary files that a signal must not leave behind. SIGINT, SIGTERM and SIGHUP remove those that are registered
// and then end the process as they would have; a program that handles one of them itself keeps its handler.
#pragma once

#include <string>

namespace dtrmc::record {

// From now on a signal removes the file. Names longer than the system's limit and more files than the table holds
// (64) are not covered. Call it before the file is made.
void register_unfinished(const std::string& path);

// The file is complete, or removed.
void forget_unfinished(const std::string& path);

} // namespace dtrmc::record
