// SPDX-License-Identifier: Apache-2.0
// An explanation for programs. Storages are numbered as in simrd and the papers: by their first tensor.
#pragma once

#include <nlohmann/json.hpp>

#include "host/explain/explanation.h"

namespace dtrmc::explain {

using Json = nlohmann::ordered_json;

Json to_json(const trace::Schedule& schedule, const Question& question, const Explanation& explanation);

// Status, overhead, counts, peaks and, of an oom, the failure of one run.
Json run_json(const trace::Schedule& schedule, std::uint64_t budget, const sim::Result& result);

} // namespace dtrmc::explain
