// SPDX-License-Identifier: Apache-2.0
// A storage on the command line: the name of its first tensor, as eviction lists print it, or the number of a tensor on
// it (simrd numbers a storage as its first tensor; so do both papers).
#pragma once

#include <string>

#include "host/trace/schedule.h"

namespace dtrmc::cli {

// A name goes before a number; "#12" is the number in any case. Throws UsageError that names `option`.
trace::StorageId find_storage(const trace::Schedule& schedule, const std::string& text, const char* option);

} // namespace dtrmc::cli
