// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/sim/heuristic.h"
#include "host/trace/schedule.h"

namespace dtrmc::atlas {

// Bytes below which no run can complete, whatever it evicts: some operator's inputs and outputs, beside what is pinned
// by then, do not fit; or what must be resident at the end does not. Below it every outcome is a failure.
std::uint64_t hopeless_below(const trace::Schedule& schedule, sim::Runtime runtime);

} // namespace dtrmc::atlas
