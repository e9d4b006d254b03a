// SPDX-License-Identifier: Apache-2.0
// The plain method: every interval's run goes on from where its budgets parted from the interval below, to its end. It
// shares no code with the walker but the simulator, and is what the walker is checked against.
#pragma once

#include <cstdint>
#include <functional>

#include "host/atlas/explore.h"

namespace dtrmc::atlas {

// As explore(). Returns how much work it was, in units of sim::Run::work().
std::uint64_t rerun(const trace::Schedule& schedule, const sim::Topology& topology, const sim::Settings& settings,
                    std::uint64_t from, std::uint64_t to, const Limits& limits,
                    const std::function<void(const Interval&)>& visit);

} // namespace dtrmc::atlas
