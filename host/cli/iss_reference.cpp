// SPDX-License-Identifier: Apache-2.0
#include "host/cli/iss_reference.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "systemc/platform/child_process.h"

namespace dtrmc::cli {

std::optional<IssReference> iss_reference(const trace::Schedule& schedule, const platform::PlatformConfig& config) {
  if (!config.make_cpu) return std::nullopt;
  const std::string text = platform::run_in_child([&] {
    platform::PlatformConfig on_iss = config;
    on_iss.make_cpu = nullptr;
    on_iss.cpu = "iss";
    on_iss.probe = nullptr;
    const platform::PlatformResult result = platform::run_platform(schedule, on_iss, nullptr);
    if (!result.failure.empty()) throw std::runtime_error("on the instruction-set simulator: " + result.failure);
    return fmt::format("{} {}", result.cycles, result.instructions);
  });
  IssReference reference;
  std::istringstream(text) >> reference.cycles >> reference.instructions;
  return reference;
}

std::string compare_cycles(std::uint64_t cycles, const IssReference& reference) {
  const std::string iss = fmt::format("{} on the instruction-set simulator", reference.cycles);
  if (cycles == reference.cycles) return iss + ": equal";
  if (cycles > reference.cycles) return fmt::format("{}: {} more here", iss, cycles - reference.cycles);
  return fmt::format("{}: {} less here", iss, reference.cycles - cycles);
}

} // namespace dtrmc::cli
