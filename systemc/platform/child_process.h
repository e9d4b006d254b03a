// SPDX-License-Identifier: Apache-2.0
// SystemC elaborates once per process; whoever needs several platform runs gives each a process of its own.
#pragma once

#include <functional>
#include <string>

namespace dtrmc::platform {

// Forks, calls `work` in the child and returns the text that it returned. An exception in the child is thrown here
// as std::runtime_error with the same message; so is a child that dies (signal or exit code in the message).
// Call it before this process has elaborated a platform.
std::string run_in_child(const std::function<std::string()>& work);

} // namespace dtrmc::platform
