// SPDX-License-Identifier: Apache-2.0
// One run of the platform with everything that is reported about it: the golden fields (by the same recorder that
// the simulator uses), cycles, and the internal checks that every run must pass.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/record/event.h"
#include "host/record/run_record.h"
#include "host/trace/schedule.h"
#include "systemc/platform/platform.h"

namespace dtrmc::cosim {

struct CosimReport {
  record::RunRecord record;
  platform::PlatformResult platform;
  // What contradicts itself: a ledger violation, a firmware fault, a broken identity. Empty in a sound run.
  std::vector<std::string> failed_checks;
};

// Memory in use against device time, as it changes.
class MemorySink {
 public:
  virtual ~MemorySink() = default;
  virtual void on_memory(std::uint64_t device_time_ps, std::uint64_t bytes) = 0;
};

// Every eviction decision with what it cost, before its event.
class DecisionSink {
 public:
  virtual ~DecisionSink() = default;
  virtual void on_decision(const platform::Decision& decision) = 0;
  virtual bool wants_pools() const { return false; } // Decision::pool; costs time
};

// Events with the device time at which they take effect.
class TimedEventSink {
 public:
  virtual ~TimedEventSink() = default;
  virtual void on_event(const record::Event& event, std::uint64_t device_time_ps) = 0;
};

struct CosimSinks {
  std::ostream* evictions = nullptr; // golden list format
  record::EventSink* events = nullptr;
  MemorySink* memory = nullptr;
  DecisionSink* decisions = nullptr;
  TimedEventSink* timed_events = nullptr;
};

// Runs in this process; may be called once per process (SystemC). Throws as platform::run_platform.
CosimReport run_cosim(const trace::Schedule& schedule, const platform::PlatformConfig& config,
                      const CosimSinks& sinks = {});

// The fields that a platform run has beyond the golden ones: scorer up to metadata_bytes, in the order in which they
// are printed. The unit's name is unit.name.
nlohmann::ordered_json platform_fields(const platform::PlatformResult& result, const platform::PlatformConfig& config);

} // namespace dtrmc::cosim
