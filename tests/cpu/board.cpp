// SPDX-License-Identifier: Apache-2.0
#include "tests/cpu/board.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "systemc/cpu/elf_loader.h"

namespace dtrmc::cpu::test {
namespace {

constexpr uint64_t kNever = ~uint64_t{0};

} // namespace

Board::Board(const TimingProfile& profile, uint32_t wait_states)
    : ram_(BOARD_RAM_BYTES),
      core_(profile, RamView{ram_.data(), BOARD_RAM_BASE, BOARD_RAM_BYTES, wait_states}, *this) {}

void Board::load(std::initializer_list<uint32_t> words, uint32_t address) {
  load(std::vector<uint32_t>(words), address);
}

void Board::load(const std::vector<uint32_t>& words, uint32_t address) {
  std::memcpy(ram_.data() + (address - BOARD_RAM_BASE), words.data(), words.size() * 4);
  core_.reset(address);
}

void Board::load_program(const std::string& name) {
  const ElfImage image = ElfImage::read(std::string(DTRMC_TEST_PROGRAMS) + "/" + name + ".elf");
  image.load_into(core_.ram());
  core_.reset(image.entry());
}

Board::End Board::run(uint64_t quantum, uint64_t max_cycles, uint64_t nap, bool vary) {
  uint64_t variation = 12345;
  while (!exited_) {
    const uint64_t now = core_.cycle();
    if (now >= max_cycles) return End::kCycles;
    uint64_t length = quantum;
    if (vary) {
      variation = variation * 6364136223846793005u + 1442695040888963407u;
      length = 1 + (variation >> 33) % quantum;
    }
    uint64_t until = std::min(now + length, max_cycles);
    if (core_.interruptible()) until = std::min(until, next_change(now));
    ++runs_;
    switch (core_.run(until)) {
      case Stop::kCycleLimit:
      case Stop::kRequested:
        break;
      case Stop::kFault:
        return End::kFault;
      case Stop::kWaitForInterrupt: {
        uint64_t cycle = core_.cycle();
        while (cycle != kNever && (lines_at(cycle) & core_.mie()) == 0) cycle = next_change(cycle);
        if (cycle == kNever) return End::kDeadlock;
        while (nap != 0 && core_.cycle() + nap < cycle) core_.idle_until(core_.cycle() + nap);
        core_.wake(cycle);
        break;
      }
    }
  }
  return End::kExit;
}

uint64_t Board::step() {
  const uint64_t before = core_.cycle();
  core_.run(before + 1);
  return core_.cycle() - before;
}

uint32_t Board::word(uint32_t address) const {
  uint32_t value = 0;
  std::memcpy(&value, ram_.data() + (address - BOARD_RAM_BASE), sizeof value);
  return value;
}

void Board::set_word(uint32_t address, uint32_t value) {
  std::memcpy(ram_.data() + (address - BOARD_RAM_BASE), &value, sizeof value);
  core_.invalidate_code(address, 4);
}

uint32_t Board::lines_at(uint64_t cycle) const {
  uint32_t lines = levels_;
  if (cycle >= timecmp_) lines |= 1u << 7;
  for (const Pulse& pulse : pulses_) {
    if (cycle >= pulse.begin && cycle < pulse.end) lines |= pulse.lines;
  }
  return lines;
}

uint64_t Board::next_change(uint64_t cycle) const {
  uint64_t next = kNever;
  const auto consider = [&](uint64_t at) {
    if (at > cycle) next = std::min(next, at);
  };
  consider(timecmp_);
  for (const Pulse& pulse : pulses_) {
    consider(pulse.begin);
    consider(pulse.end);
  }
  return next;
}

MmioResult Board::read(uint32_t address, unsigned bytes, uint64_t cycle) {
  log_ += "r" + std::to_string(bytes) + " " + std::to_string(address) + " @" + std::to_string(cycle) + "\n";
  const uint32_t offset = address - BOARD_BASE;
  if ((offset & ~3u) == BOARD_SCRATCH) return {false, scratch_ >> (8 * (offset & 3u)), 0};
  if (bytes != 4) return {true, 0, 0};
  switch (offset) {
    case BOARD_TIMECMP:
      return {false, timecmp_, 0};
    case BOARD_LEVELS:
      return {false, levels_, 0};
    case BOARD_DELAY:
      return {false, delay_, 0};
    case BOARD_LENGTH:
      return {false, length_, 0};
    case BOARD_SLOW:
      return {false, address, BOARD_SLOW_WAIT};
    case BOARD_ERROR:
      return {true, 0, BOARD_ERROR_WAIT};
    case BOARD_CYCLE:
      return {false, static_cast<uint32_t>(cycle), 0};
    default:
      return {true, 0, 0};
  }
}

MmioResult Board::write(uint32_t address, unsigned bytes, uint32_t data, uint64_t cycle) {
  log_ += "w" + std::to_string(bytes) + " " + std::to_string(address) + "=" + std::to_string(data) + " @" +
          std::to_string(cycle) + "\n";
  const uint32_t offset = address - BOARD_BASE;
  if ((offset & ~3u) == BOARD_SCRATCH) {
    const uint32_t shift = 8 * (offset & 3u);
    const uint32_t mask = (0xffffffffu >> (32 - 8 * bytes)) << shift;
    scratch_ = (scratch_ & ~mask) | ((data << shift) & mask);
    return {};
  }
  if (bytes != 4) return {true, 0, 0};
  switch (offset) {
    case BOARD_EXIT:
      exited_ = true;
      exit_code_ = data;
      core_.request_stop();
      return {};
    case BOARD_TIMECMP:
      timecmp_ = data;
      return {};
    case BOARD_LEVELS:
      levels_ = data;
      return {};
    case BOARD_PULSE:
      set_pulse(data, cycle + delay_, length_);
      return {};
    case BOARD_DELAY:
      delay_ = data;
      return {};
    case BOARD_LENGTH:
      length_ = data;
      return {};
    case BOARD_ERROR:
      return {true, 0, BOARD_ERROR_WAIT};
    default:
      return {true, 0, 0};
  }
}

} // namespace dtrmc::cpu::test
