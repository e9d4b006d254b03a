// SPDX-License-Identifier: Apache-2.0
// The platform: driver, controller (CPU, RAM, mailbox, timer, scoring unit on one bus), accelerator, ledger.
//
//   trace -- Driver --commands--> [ Bus: Ram, Mailbox, Timer, ScoringUnit <- CPU with firmware ]
//              ^                                  |
//              +------ Accelerator <---actions----+          Ledger watches every action
//
// SystemC elaborates once per process, so a process can run one platform.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "firmware/protocol.h"
#include "host/record/event.h"
#include "host/trace/schedule.h"
#include "rtl/model/rtl_unit.h"
#include "systemc/cpu/processor.h"
#include "systemc/debug/run_control.h"
#include "systemc/platform/decision.h"
#include "systemc/platform/probe.h"
#include "systemc/profile/stepper.h"

namespace dtrmc::platform {

// Range of PlatformConfig::ram_bytes.
inline constexpr std::uint32_t kSmallestRam = 16u << 10; // bytes
inline constexpr std::uint32_t kLargestRam = 1u << 30;   // bytes
// Range of the wait states, cycles.
inline constexpr std::uint32_t kMostWaitStates = 10000;

enum class Scorer : std::uint8_t { kFirmware, kRtl };

struct PlatformConfig {
  std::uint64_t budget = 0;                   // bytes
  std::uint64_t remat_limit = DTRMC_NO_LIMIT; // ns of rematerialisation
  dtrmc_heuristic heuristic = DTRMC_HEURISTIC_DTR_EQ;
  Scorer scorer = Scorer::kRtl;
  std::string unit = "exact-l4"; // with scorer rtl
  std::uint32_t queue_depth = 1; // 1 .. DTRMC_MAILBOX_ACTION_SLOTS
  double controller_mhz = 1000;  // (0, 100000]
  std::string cpu_profile = "ibex-small";
  // Another CPU in place of the instruction-set simulator, and what reports call it. It takes no debugger and no step
  // observer; its timing is its own, whatever the profile says.
  cpu::MakeProcessor make_cpu;
  std::string cpu = "iss";
  std::uint32_t ram_bytes = 64u << 20; // at most 1 GiB
  std::uint32_t ram_wait_states = 0;   // cycles
  std::uint32_t mmio_wait_states = 2;  // cycles, mailbox and timer
  std::uint32_t unit_wait_states = 0;  // cycles on the way to the scoring unit, beside the two of its own bus
  double unit_mhz = 0;                 // (0, 100000]; 0: the controller's
  std::uint64_t quantum = 10000;       // cycles that the CPU may run ahead
  // Cycles after which a run without progress ends as a fault, 0: never. No progress: no access to the bus at all; or
  // no command taken and no action posted while nothing is pending outside.
  std::uint64_t watchdog = 2000000000;
  std::shared_ptr<debug::RunControl> run_control; // a debugger; null: none
  std::vector<std::uint8_t> firmware;             // ELF file
  std::string firmware_name;                      // for messages
  // Watching, all optional; a watched run is the same run.
  Probe* probe = nullptr;
  profile::StepObserver* steps = nullptr; // every instruction; the run takes about twice as long
  // Makes the unit named `unit`; default unit::make_unit.
  std::function<std::unique_ptr<unit::RtlUnit>(const std::string& name)> make_unit;
  // Tests of the ledger: replaces action words between mailbox and accelerator.
  std::function<std::vector<std::uint32_t>(std::uint32_t)> inject;
};

struct DecisionCycles { // per eviction decision, controller cycles
  std::uint64_t count = 0, min = 0, p50 = 0, p90 = 0, p99 = 0, max = 0;
};

struct PlatformResult {
  // Why the run did not end by itself: a ledger violation, a firmware fault, a deadlock. Empty: it ended.
  std::string failure;
  std::string failure_rule;                 // of the ledger, where that was it
  std::vector<std::string> failure_details; // registers, last commands and actions: lines for people
  std::uint32_t fail_reason = 0;            // enum dtrmc_fail, 0: the trace was completed
  std::uint64_t clock = 1;                  // the ledger's model clock, ns
  std::uint64_t max_memory = 0;             // the ledger's, bytes
  std::uint64_t device_time_ps = 0;
  std::uint64_t accelerator_busy_ns = 0;
  std::uint64_t cycles = 0;       // mcycle at the end
  std::uint64_t instructions = 0; // minstret at the end
  std::uint64_t activity_cycles[DTRMC_ACTIVITY_COUNT] = {};
  DecisionCycles decisions;
  dtrmc_shared firmware{};                      // the block as the firmware left it
  std::uint32_t unit_lanes = 0, unit_depth = 0; // with scorer rtl
  std::string unit_arithmetic, unit_search;
};

// Called for every event with the device time at which it takes effect.
class PlatformObserver {
 public:
  virtual ~PlatformObserver() = default;
  virtual void on_event(const record::Event& event, std::uint64_t device_time_ps, std::uint64_t memory_bytes) = 0;
  // Just before the on_event of the decision's eviction.
  virtual void on_decision(const Decision&) {}
  // Decisions come with the pool that was searched; costs time.
  virtual bool wants_pools() const { return false; }
};

// A firmware image, trace or name that the platform cannot take; what() is one line that says what to do.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs the platform in this process. Throws InputError for a firmware image or trace that does not fit, an unknown
// unit or CPU profile, a number out of its range, or costs that leave SystemC's time. May be called once per process.
PlatformResult run_platform(const trace::Schedule& schedule, const PlatformConfig& config, PlatformObserver* observer);

} // namespace dtrmc::platform
