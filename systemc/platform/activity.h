// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/protocol.h"

namespace dtrmc::platform {

// Names of the controller's activities (enum dtrmc_activity), as reports print them.
inline constexpr const char* kActivityNames[DTRMC_ACTIVITY_COUNT] = {
    "commands", "metadata", "cost", "score", "search", "wait_unit", "wait_accelerator", "idle"};

} // namespace dtrmc::platform
