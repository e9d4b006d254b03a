// SPDX-License-Identifier: Apache-2.0
// Reads the simrd log format (one JSON instruction a line; plain, gzip or zstd) into a Schedule, line by line.
// The format and every error are described in host/README.md.
#pragma once

#include <string>
#include <string_view>

#include "host/trace/schedule.h"
#include "host/trace/trace_error.h"

namespace dtrmc::trace {

// Throws TraceError for whatever is wrong with the file.
Schedule parse_file(const std::string& path);

// The same for text in memory; `file` is the name in error messages and, without its extensions, of the schedule.
Schedule parse_text(std::string_view text, const std::string& file);

} // namespace dtrmc::trace
