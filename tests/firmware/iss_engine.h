// SPDX-License-Identifier: Apache-2.0
// Runs a firmware image on the instruction-set simulator against the same hardware functions as the host library: the
// image as it is shipped, with cycle counts, without SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "firmware/hal_host.h"
#include "firmware/protocol.h"

namespace dtrmc::test {

class IssEngine {
 public:
  // `ram_bytes` from DTRMC_RAM_BASE; 0: the image's own end and setup.arena_bytes behind it.
  explicit IssEngine(std::string elf, std::uint32_t ram_bytes = 0) : elf_(std::move(elf)), ram_bytes_(ram_bytes) {}

  dtrmc_firmware_end operator()(const dtrmc_host_hal& hal);

  // Not 0: the timer's TICKS are not the host's but go on by so much at every read of one of their words.
  std::uint64_t tick_step = 0;

  // Of the last run.
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles{};
  std::uint32_t stack_used = 0; // bytes that were ever written

 private:
  std::string elf_;
  std::uint32_t ram_bytes_;
};

} // namespace dtrmc::test
