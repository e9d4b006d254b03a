// SPDX-License-Identifier: Apache-2.0
// Runs the firmware against a driver, accelerator and ledger in memory: whole traces, or raw command records. No
// device time, and every protocol duty of the firmware is checked. The firmware is the host library unless told
// otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "firmware/hal_host.h"
#include "firmware/protocol.h"
#include "host/record/event.h"
#include "host/record/run_record.h"
#include "host/trace/schedule.h"

namespace dtrmc::test {

// A scoring unit behind the firmware's register accesses.
class HostUnit {
 public:
  virtual ~HostUnit() = default;
  virtual std::uint32_t read(std::uint32_t offset) = 0;
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  virtual bool interrupt() = 0;              // level, after any search in progress has ended
  virtual std::string fault() { return ""; } // an access that the register map forbids
};

// When the accelerator carries actions out: as soon as they are posted, or as late as the protocol allows.
enum class Pace { kEager, kLazy };

inline dtrmc_firmware_end run_host_library(const dtrmc_host_hal& hal) { return dtrmc_firmware_run(&hal); }

// Something that runs the firmware against these hardware functions to its end.
using FirmwareEngine = std::function<dtrmc_firmware_end(const dtrmc_host_hal& hal)>;

struct FirmwareSetup {
  std::uint64_t budget = std::uint64_t{1} << 62; // bytes
  std::uint64_t remat_limit = DTRMC_NO_LIMIT;    // ns
  std::uint32_t heuristic = DTRMC_HEURISTIC_DTR_EQ;
  std::uint32_t queue_depth = 1;
  Pace pace = Pace::kEager;
  std::uint32_t time = DTRMC_TIME_MODEL;
  std::uint32_t tick_ns = 1;
  // Device time: ns that the controller takes before each reading of its clock. Empty: none, an infinitely fast
  // controller.
  std::function<std::uint64_t()> latency;
  std::size_t arena_bytes = std::size_t{16} << 20; // stands for the RAM that the image leaves free
  std::uint32_t ring_words = 16384;
  std::uint32_t scorer = DTRMC_SCORER_FIRMWARE; // set by a unit
  HostUnit* unit = nullptr;                     // given: scorer unit
  std::uint32_t first_order = 0;                // of the pool: close to the wrap (host library only)
  FirmwareEngine engine = run_host_library;
};

struct FirmwareResult {
  bool starved = false;                 // the firmware waited for something that could not come
  std::optional<std::uint32_t> failure; // reason of FAIL
  bool ended = false;                   // END complete
  std::string fault;                    // a broken protocol duty, or the ledger's violation; empty: none
  std::vector<std::uint32_t> actions;   // all that were carried out
  std::vector<record::Event> events;    // runs of a schedule only
  record::RunRecord record;             // runs of a schedule only
  dtrmc_shared shared{};
  std::uint64_t decision_marks = 0; // times that an activity mark entered a decision
};

// Plays a schedule; the ledger watches.
FirmwareResult run_firmware(const trace::Schedule& schedule, const FirmwareSetup& setup);

// Plays records as they are (END is not added); without ledger.
FirmwareResult run_commands(const std::vector<std::vector<std::uint32_t>>& records, const FirmwareSetup& setup);

// Plays the words of a ring as they are, of which the firmware is told that `rung` commands are in it.
FirmwareResult run_ring(const std::vector<std::uint32_t>& ring, std::uint32_t rung, const FirmwareSetup& setup);

} // namespace dtrmc::test
