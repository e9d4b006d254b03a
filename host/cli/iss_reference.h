// SPDX-License-Identifier: Apache-2.0
// The same run on the instruction-set simulator, for runs in which another CPU takes its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/trace/schedule.h"
#include "systemc/platform/platform.h"

namespace dtrmc::cli {

struct IssReference {
  std::uint64_t cycles = 0;       // of the controller
  std::uint64_t instructions = 0; //
};

// Nothing where `config` runs on the instruction-set simulator anyway. Runs in a child process; call it before this
// one elaborates a platform. Throws std::runtime_error with what went wrong there.
std::optional<IssReference> iss_reference(const trace::Schedule& schedule, const platform::PlatformConfig& config);

// "5394024 on the instruction-set simulator: equal" or ": 12 more here".
std::string compare_cycles(std::uint64_t cycles, const IssReference& reference);

} // namespace dtrmc::cli
