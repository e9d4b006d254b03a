// SPDX-License-Identifier: Apache-2.0
// gdb's `monitor` commands: the platform in words.
#pragma once

#include <string>
#include <string_view>

#include "systemc/debug/snapshot.h"

namespace dtrmc::debug {

// What `monitor <command>` prints; an unknown command is answered with what there is.
std::string monitor(std::string_view command, const Snapshot& snapshot);

} // namespace dtrmc::debug
