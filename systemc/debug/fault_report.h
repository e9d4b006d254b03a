// SPDX-License-Identifier: Apache-2.0
// What is told of a run that broke off.
#pragma once

#include <string>
#include <vector>

#include "systemc/cpu/core.h"
#include "systemc/debug/location.h"
#include "systemc/debug/snapshot.h"

namespace dtrmc::debug {

// How many of the last commands and actions are told.
inline constexpr std::size_t kReportedSteps = 8;

// Where the CPU stands, all registers, the last commands and actions: lines for people, each without its newline.
std::vector<std::string> fault_report(cpu::Core& core, const Locator& locator, const Snapshot& snapshot);

} // namespace dtrmc::debug
