// SPDX-License-Identifier: Apache-2.0
// How a controller is set up.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "firmware/protocol.h"
#include "rtl/model/rtl_unit.h"
#include "systemc/cpu/processor.h"
#include "systemc/platform/scorer.h"

namespace dtrmc::debug {
class RunControl;
}
namespace dtrmc::profile {
class StepObserver;
}

namespace dtrmc::platform {

class Probe;

// Range of ControllerConfig::ram_bytes.
inline constexpr std::uint32_t kSmallestRam = 16u << 10; // bytes
inline constexpr std::uint32_t kLargestRam = 1u << 30;   // bytes
// Range of the wait states, cycles.
inline constexpr std::uint32_t kMostWaitStates = 10000;
// Range of ControllerConfig::tick_ns.
inline constexpr std::uint64_t kLongestTick = 1'000'000'000; // ns

struct ControllerConfig {
  std::uint64_t budget = 0;                   // bytes
  std::uint64_t remat_limit = DTRMC_NO_LIMIT; // ns of rematerialisation
  dtrmc_heuristic heuristic = DTRMC_HEURISTIC_DTR_EQ;
  Scorer scorer = Scorer::kRtl;
  std::string unit = "exact-l4"; // of scorers with a unit
  // What staleness counts, in whole ticks: the model clock, or device time as the controller reads it from its timer.
  // The overhead limit is one of compute under both.
  dtrmc_time time = DTRMC_TIME_MODEL;
  std::uint64_t tick_ns = 1;     // 1 .. kLongestTick
  std::uint32_t queue_depth = 1; // 1 .. DTRMC_MAILBOX_ACTION_SLOTS
  double controller_mhz = 1000;  // (0, 100000]
  std::string cpu_profile = "ibex-small";
  // Another CPU in place of the instruction-set simulator, and what reports call it. It takes no debugger and no step
  // observer; its timing is its own, whatever the profile says.
  cpu::MakeProcessor make_cpu;
  std::string cpu = "iss";
  std::uint32_t ram_bytes = 64u << 20; // at most 1 GiB
  // The command ring takes 1/16 of a RAM below 1 MiB and what the image says of larger ones, but at least so many
  // words; the longest command is half of it.
  std::uint32_t least_ring_words = 64;
  std::uint32_t ram_wait_states = 0;  // cycles
  std::uint32_t mmio_wait_states = 2; // cycles, mailbox and timer
  std::uint32_t unit_wait_states = 0; // cycles on the way to the scoring unit, beside the two of its own bus
  double unit_mhz = 0;                // (0, 100000]; 0: the controller's
  std::uint64_t quantum = 10000;      // cycles that the CPU may run ahead
  // Cycles after which a run without progress ends as a fault, 0: never. No progress: no access to the bus at all; or
  // no command taken and no action posted while nothing is pending outside.
  std::uint64_t watchdog = 2000000000;
  std::shared_ptr<debug::RunControl> run_control; // a debugger; null: none
  std::vector<std::uint8_t> firmware;             // ELF file
  std::string firmware_name;                      // for messages
  // Watching, all optional; a watched run is the same run.
  Probe* probe = nullptr;
  profile::StepObserver* steps = nullptr; // every instruction; the run takes about twice as long
  // Makes the unit named `unit`; default unit::make_unit, with scorer tlm unit::make_behavioural_unit.
  std::function<std::unique_ptr<unit::RtlUnit>(const std::string& name)> make_unit;
};

// A firmware image, trace or name that the platform cannot take; what() is one line that says what to do.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

} // namespace dtrmc::platform
