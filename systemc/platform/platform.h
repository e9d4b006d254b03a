// SPDX-License-Identifier: Apache-2.0
// The platform: driver, controller (CPU, RAM, mailbox, timer, scoring unit on one bus), accelerator, ledger.
//
//   trace -- Driver --commands--> [ Controller: Bus with Ram, Mailbox, Timer, ScoringUnit <- CPU with firmware ]
//              ^                                  |
//              +------ Accelerator <---actions----+          Ledger watches every action
//
// SystemC elaborates once per process, so a process can run one platform.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "firmware/protocol.h"
#include "host/record/event.h"
#include "host/trace/schedule.h"
#include "systemc/debug/run_control.h"
#include "systemc/platform/controller_config.h"
#include "systemc/platform/decision.h"
#include "systemc/platform/probe.h"
#include "systemc/platform/stall_account.h"
#include "systemc/platform/unit_traffic.h"
#include "systemc/profile/stepper.h"

namespace dtrmc::platform {

struct PlatformConfig : ControllerConfig {
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
  StallTimes stall{}; // the accelerator's, ps; adds up to device time - accelerator busy time
  DecisionCycles decisions;
  dtrmc_shared firmware{};                      // the block as the firmware left it
  std::uint32_t unit_lanes = 0, unit_depth = 0; // with scorer rtl
  std::string unit_arithmetic, unit_search;
  UnitTraffic unit_traffic;
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

// Runs the platform in this process. Throws InputError for a firmware image or trace that does not fit, an unknown
// unit or CPU profile, a number out of its range, or costs that leave SystemC's time. May be called once per process.
PlatformResult run_platform(const trace::Schedule& schedule, const PlatformConfig& config, PlatformObserver* observer);

} // namespace dtrmc::platform
