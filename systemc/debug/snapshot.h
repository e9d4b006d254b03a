// SPDX-License-Identifier: Apache-2.0
// The platform at one moment of device time, for people: debugger and fault reports. Taking it changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/protocol.h"
#include "host/ledger/ledger.h"
#include "host/trace/schedule.h"
#include "systemc/cpu/elf_loader.h"

namespace dtrmc::debug {

struct TimedAction {
  std::uint32_t word;
  std::uint64_t time_ps; // device time at which it took effect, or was posted
};

struct Snapshot {
  std::uint64_t device_time_ps = 0;
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::uint32_t activity = 0; // value of DTRMC_CSR_ACTIVITY
  std::array<std::uint64_t, DTRMC_ACTIVITY_COUNT> activity_cycles{};

  const trace::Schedule* schedule = nullptr;
  std::size_t issued = 0;    // commands that the driver rang
  std::size_t taken = 0;     // of them, by the firmware
  std::size_t completed = 0; // of them

  std::vector<TimedAction> recent;            // the last that took effect, oldest first
  std::vector<TimedAction> queued;            // posted and not finished, oldest first
  std::optional<std::uint64_t> busy_until_ps; // the first of them is an operator that runs until then

  std::uint64_t clock = 0;                              // the ledger's model clock, ns
  std::uint64_t budget = 0, memory = 0, max_memory = 0; // bytes
  ledger::Residency residency;

  // What the firmware itself counts; nothing where the image does not say where its state lies.
  struct Pool {
    std::uint32_t storages = 0;
    std::uint64_t bytes = 0;
    std::uint32_t nesting = 0; // operators being materialised
  };
  std::optional<Pool> pool;

  struct Line {
    unsigned number; // bit of mip
    const char* name;
    bool level;
    bool enabled; // in mie
  };
  std::vector<Line> lines;

  struct Unit {
    std::string name;
    bool busy = false;
    bool irq = false;
    std::vector<std::pair<const char*, std::uint32_t>> registers; // empty where they cannot be looked at now
  };
  std::optional<Unit> unit;
};

class PlatformState {
 public:
  virtual ~PlatformState() = default;
  // The CPU must be in step with the platform (CpuPort::synchronise).
  virtual Snapshot snapshot() = 0;
  virtual const cpu::ElfImage& image() const = 0;
  virtual const std::vector<std::uint8_t>& firmware_file() const = 0; // the ELF file
};

} // namespace dtrmc::debug
