// SPDX-License-Identifier: Apache-2.0
// Traces by name: a path, or a name found in traces/ (of the working directory, then of the source tree), then in
// $DTRMC_SHARED/traces/public.
#pragma once

#include <string>

namespace dtrmc::trace {

// Path of the trace. Throws TraceError that lists what was tried.
std::string find_trace(const std::string& path_or_name);

} // namespace dtrmc::trace
