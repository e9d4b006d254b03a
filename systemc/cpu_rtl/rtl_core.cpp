// SPDX-License-Identifier: Apache-2.0
#include "systemc/cpu_rtl/rtl_core.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "systemc/cpu/csr.h"

namespace dtrmc::cpu_rtl {

namespace {

constexpr uint64_t kBootCycles = 1000; // far more than any core needs to reach its entry
constexpr uint32_t kCsrMip = cpu::csr::kMip;

// JAL x0, offset: leaves every register as reset left it.
uint32_t jump(uint32_t from, uint32_t to) {
  const uint32_t offset = to - from;
  return (((offset >> 20) & 1u) << 31) | (((offset >> 1) & 0x3ffu) << 21) | (((offset >> 11) & 1u) << 20) |
         (((offset >> 12) & 0xffu) << 12) | 0x6fu;
}

} // namespace

RtlCore::RtlCore(std::unique_ptr<Tile> tile, const cpu::RamView& ram, cpu::Environment& environment)
    : tile_(std::move(tile)), ram_(ram), environment_(environment) {
  if (!tile_) throw std::invalid_argument("RTL core: no tile");
}

void RtlCore::reset(uint32_t pc) {
  const uint32_t distance = pc - Tile::kBootAddress;
  if ((pc & 3u) != 0 || distance == 0 || distance >= 1u << 20) {
    throw std::invalid_argument("RTL core: the entry must be a multiple of 4 within 1 MiB of the reset address");
  }
  entry_ = pc;
  cycle_ = retired_ = 0;
  answered_ = ~uint64_t{0};
  pending_count_ = 0;
  waiting_ = stop_requested_ = false;
  fault_.reset();
  activity_ = 0;
  activity_since_ = 0;
  activity_cycles_.fill(0);

  tile_->reset();
  booting_ = true;
  for (uint64_t i = 0;; ++i) {
    if (i == kBootCycles) throw std::logic_error("RTL core: does not leave reset");
    const TilePins& pins = tile_->pins();
    if (pins.decoding && pins.decoding_pc == entry_) break;
    TileAnswers answers;
    fetch(pins, answers);
    tile_->clock(answers);
  }
  booting_ = false;
  pc_ = entry_;
}

bool RtlCore::interruptible() const {
  const TilePins& pins = tile_->pins();
  return pins.interrupts_enabled && pins.enabled_lines != 0;
}

void RtlCore::fetch(const TilePins& pins, TileAnswers& answers) const {
  if (!pins.instruction_request) return;
  answers.instruction_valid = true;
  const uint32_t address = pins.instruction_address & ~3u;
  const uint32_t offset = address - ram_.base;
  if (booting_ && address == Tile::kBootAddress) {
    answers.instruction = jump(address, entry_);
  } else if (offset < ram_.size) {
    std::memcpy(&answers.instruction, ram_.data + offset, 4);
  } else {
    answers.instruction_error = true; // a prefetch that runs ahead may never be used
  }
}

RtlCore::Answer RtlCore::access_ram(const TilePins& pins) {
  Answer answer;
  uint8_t* const word = ram_.data + ((pins.data_address & ~3u) - ram_.base);
  if (pins.data_write) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((pins.data_bytes >> i & 1u) != 0) word[i] = static_cast<uint8_t>(pins.data >> (8 * i));
    }
  } else {
    std::memcpy(&answer.data, word, 4);
  }
  answer.cycle = ram_.wait_states;
  return answer;
}

RtlCore::Answer RtlCore::access_bus(const TilePins& pins) {
  Answer answer;
  answer.mmio = true;
  const auto lanes = static_cast<unsigned>(pins.data_bytes);
  const unsigned bytes = lanes == 0xf ? 4 : lanes == 0x3 || lanes == 0xc ? 2 : (lanes & (lanes - 1)) == 0 ? 1 : 0;
  if (bytes == 0) { // part of a misaligned access
    answer.error = true;
    return answer;
  }
  const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
  const uint32_t address = (pins.data_address & ~3u) + lane;
  const uint32_t mask = 0xffffffffu >> (32 - 8 * bytes);
  const uint64_t begin = cycle_ - tile_->request_delay(); // of the instruction: what the Environment is told
  const cpu::MmioResult result = pins.data_write
                                     ? environment_.write(address, bytes, pins.data >> (8 * lane) & mask, begin)
                                     : environment_.read(address, bytes, begin);
  answer.error = result.error;
  answer.data = (result.data & mask) << (8 * lane);
  answer.cycle = result.wait_cycles;
  return answer;
}

void RtlCore::access(const TilePins& pins) {
  if (!pins.data_request) return;
  if (pending_count_ == pending_.size()) throw std::logic_error("RTL core: more accesses outstanding than it can have");
  const bool in_ram = (pins.data_address & ~3u) - ram_.base < ram_.size;
  Answer answer = in_ram ? access_ram(pins) : access_bus(pins);
  // The memory serves one access after the other.
  const uint64_t begin = pending_count_ != 0 ? std::max(cycle_, pending_[pending_count_ - 1].cycle) : cycle_;
  answer.cycle += begin + 1;
  pending_[pending_count_++] = answer;
}

void RtlCore::mark(uint32_t value) {
  const uint32_t before = activity_;
  activity_cycles_[before & 0xfu] += cycle_ - activity_since_;
  activity_since_ = cycle_;
  activity_ = value;
  if (observer_) observer_(before, value, cycle_);
}

void RtlCore::advance(TileAnswers& answers) {
  ++cycle_;
  if (pending_count_ != 0 && pending_[0].cycle == cycle_) {
    answers.data_valid = true;
    answers.data = pending_[0].data;
    answers.data_error = pending_[0].error;
    answered_ = cycle_;
    pending_[0] = pending_[1];
    --pending_count_;
  }
  tile_->clock(answers);
}

cpu::Stop RtlCore::run(uint64_t until_cycle) {
  if (fault_) return cpu::Stop::kFault;
  bool bounded = interruptible(); // then until_cycle respects the lines' next change
  bool lines_known = false;
  waiting_ = false;
  while (cycle_ < until_cycle) {
    if (stop_requested_ && pending_count_ == 0 && answered_ != cycle_) { // the access that asked for it has retired
      stop_requested_ = false;
      return cpu::Stop::kRequested;
    }
    // The lines are looked at where the core does: asleep, while it could be interrupted, and where mip is read.
    const bool now_interruptible = interruptible();
    if (now_interruptible && !bounded) return cpu::Stop::kCycleLimit;
    if (!now_interruptible) bounded = lines_known = false;
    const bool reads_lines = tile_->pins().csr_access && tile_->pins().csr_address == kCsrMip;
    if (tile_->pins().asleep || reads_lines || (now_interruptible && !lines_known)) {
      tile_->set_lines(environment_.interrupt_lines(cycle_) & cpu::kInterruptMask);
      lines_known = now_interruptible;
      if (tile_->pins().asleep && (environment_.interrupt_lines(cycle_) & mie()) == 0) {
        waiting_ = true;
        if (!stop_requested_) return cpu::Stop::kWaitForInterrupt;
        stop_requested_ = false;
        return cpu::Stop::kRequested;
      }
    }
    const TilePins& pins = tile_->pins();
    if (pins.decoding) pc_ = pins.decoding_pc;
    if (pins.retired) ++retired_;
    if (pins.csr_write && pins.csr_address == DTRMC_CSR_ACTIVITY) {
      if ((pins.csr_data & 0xfu) >= DTRMC_ACTIVITY_COUNT) throw std::runtime_error("RTL core: unknown activity mark");
      mark(pins.csr_data);
    }
    if (pins.exception && exceptions_end_run_) {
      fault_ = cpu::Fault{pins.exception_pc, pins.exception_cause, pins.exception_value,
                          cpu::fault_text(pins.exception_pc, pins.exception_cause, pins.exception_value)};
      return cpu::Stop::kFault;
    }
    TileAnswers answers;
    fetch(pins, answers);
    access(pins);
    const bool ends_mmio = pending_count_ != 0 && pending_[0].cycle == cycle_ + 1 && pending_[0].mmio;
    advance(answers);
    // The access may have changed a line, or when one will change.
    if (ends_mmio && interruptible()) return cpu::Stop::kCycleLimit;
  }
  return cpu::Stop::kCycleLimit;
}

void RtlCore::wake(uint64_t cycle) {
  idle_until(cycle);
  waiting_ = false;
}

void RtlCore::idle_until(uint64_t cycle) {
  if (!waiting_) throw std::logic_error("RTL core: not waiting for an interrupt");
  cycle_ = std::max(cycle_, cycle);
}

std::array<uint64_t, DTRMC_ACTIVITY_COUNT> RtlCore::activity_cycles() const {
  auto cycles = activity_cycles_;
  cycles[activity_ & 0xfu] += cycle_ - activity_since_;
  return cycles;
}

const cpu::Fault& RtlCore::fault() const {
  if (!fault_) throw std::logic_error("RTL core: there was no fault");
  return *fault_;
}

} // namespace dtrmc::cpu_rtl
