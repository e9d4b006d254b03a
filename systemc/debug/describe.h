// SPDX-License-Identifier: Apache-2.0
// Commands and actions in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "host/trace/schedule.h"
#include "systemc/debug/snapshot.h"

namespace dtrmc::debug {

// Command `index` of the schedule (the steps, then END): "compute operator 7 'conv' (line 20): 2 inputs, 1 output".
std::string describe_command(const trace::Schedule& schedule, std::size_t index);

// "rematerialise operator 7 'conv'"; ids that the trace does not have are said to be so.
std::string describe_action(const trace::Schedule& schedule, std::uint32_t word);

// "1234.5 ns"
std::string describe_time(std::uint64_t ps);

// "search, in a decision": a value of DTRMC_CSR_ACTIVITY.
std::string describe_activity(std::uint32_t activity);

// The last `count` commands that the firmware took and those that wait for it, a line each, with their state.
std::string command_list(const Snapshot& snapshot, std::size_t count);

// The last actions that took effect, and those that are posted, a line each.
std::string action_list(const Snapshot& snapshot);

} // namespace dtrmc::debug
