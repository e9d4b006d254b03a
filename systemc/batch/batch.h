// SPDX-License-Identifier: Apache-2.0
// The batch image (firmware/batch.h) with a trace's commands in RAM, run on any processor, and what it did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/protocol.h"
#include "host/record/run_record.h"
#include "host/trace/schedule.h"
#include "systemc/cpu/processor.h"
#include "systemc/cpu/ram_view.h"

namespace dtrmc::batch {

struct Setup {
  std::uint64_t budget = std::uint64_t{1} << 62; // bytes
  std::uint64_t remat_limit = DTRMC_NO_LIMIT;    // ns
  dtrmc_heuristic heuristic = DTRMC_HEURISTIC_DTR_EQ;
  std::uint32_t ram_bytes = 64u << 20;   // a multiple of 16
  std::uint32_t action_slots = 1u << 20; // words of the action ring, a power of two
  std::uint32_t ram_wait_states = 0;     // cycles
};

// RAM as it is when execution begins at entry(). Throws std::runtime_error where the image is none, or trace and
// rings do not fit.
class Ram {
 public:
  Ram(const std::string& elf_path, const trace::Schedule& schedule, const Setup& setup);

  std::vector<std::uint8_t>& bytes() { return bytes_; }
  cpu::RamView view() {
    return {bytes_.data(), DTRMC_RAM_BASE, static_cast<std::uint32_t>(bytes_.size()), wait_states_};
  }
  std::uint32_t entry() const { return entry_; }
  std::uint32_t action_count() const;
  // In order. Throws std::runtime_error where there were more than the ring holds.
  std::vector<std::uint32_t> actions() const;
  dtrmc_shared shared() const;

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t entry_ = 0;
  std::uint32_t batch_ = 0; // offsets of the two blocks
  std::uint32_t shared_ = 0;
  std::uint32_t wait_states_ = 0;
};

struct Run {
  std::uint64_t cycles = 0;       // up to the start of the store that ends the run
  std::uint64_t instructions = 0; // retired before it
  std::uint32_t end = 0;          // DTRMC_BATCH_STOPPED or _STARVED
};

// Runs to the end. Throws std::runtime_error for a fault, an access outside RAM, WFI, or more than `max_cycles`.
// `quantum`: cycles of one run() of the processor.
Run run(Ram& ram, const cpu::MakeProcessor& make, std::uint64_t quantum = std::uint64_t{1} << 30,
        std::uint64_t max_cycles = std::uint64_t{1} << 40);

// The record of a finished run, from its actions alone, checked by the ledger. Throws std::runtime_error with the
// ledger's words for a violation.
record::RunRecord record_of(const Ram& ram, const trace::Schedule& schedule, const Setup& setup);

} // namespace dtrmc::batch
