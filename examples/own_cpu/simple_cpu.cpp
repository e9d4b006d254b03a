// SPDX-License-Identifier: Apache-2.0
#include "simple_cpu.h"

#include <algorithm>
#include <cstring>

using dtrmc::cpu::Stop;

namespace {

constexpr std::uint32_t kIllegal = 2, kMisalignedLoad = 4, kLoadFault = 5, kMisalignedStore = 6, kStoreFault = 7;
constexpr std::uint32_t kMie = 0x304, kMtvec = 0x305, kWfi = 0x10500073;

std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}
std::uint32_t extend(std::uint32_t value, unsigned bits) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits));
}
std::int32_t sign(std::uint32_t value) { return static_cast<std::int32_t>(value); }

} // namespace

void SimpleCpu::reset(std::uint32_t pc) {
  x_ = {};
  pc_ = pc;
  mie_ = mtvec_ = activity_ = 0;
  cycle_ = instructions_ = activity_since_ = 0;
  activity_cycles_ = {};
  waiting_ = stop_ = faulted_ = false;
}

Stop SimpleCpu::run(std::uint64_t until) {
  while (!faulted_ && !waiting_ && !stop_ && cycle_ < until) step();
  if (faulted_) return Stop::kFault;
  if (waiting_) return Stop::kWaitForInterrupt;
  if (stop_) {
    stop_ = false;
    return Stop::kRequested;
  }
  return Stop::kCycleLimit;
}

void SimpleCpu::wake(std::uint64_t cycle) {
  idle_until(cycle);
  waiting_ = false;
}

void SimpleCpu::idle_until(std::uint64_t cycle) { cycle_ = std::max(cycle_, cycle); }

std::array<std::uint64_t, DTRMC_ACTIVITY_COUNT> SimpleCpu::activity_cycles() const {
  auto result = activity_cycles_;
  result[activity_ % DTRMC_ACTIVITY_COUNT] += cycle_ - activity_since_;
  return result;
}

void SimpleCpu::fail(std::uint32_t cause, std::uint32_t value) {
  faulted_ = true;
  fault_ = {pc_, cause, value, dtrmc::cpu::fault_text(pc_, cause, value)};
}

void SimpleCpu::step() {
  const std::uint32_t offset = pc_ - ram_.base;
  if (offset >= ram_.size) return fail(1, pc_);
  std::uint32_t word;
  std::memcpy(&word, ram_.data + offset, sizeof word);
  next_pc_ = pc_ + 4;
  const std::uint64_t begin = cycle_;
  execute(word);
  x_[0] = 0;
  if (faulted_) return;
  if (cycle_ == begin) cycle_ += 2;
  pc_ = next_pc_;
  ++instructions_;
}

void SimpleCpu::execute(std::uint32_t word) {
  const std::uint32_t a = x_[field(word, 19, 15)], b = x_[field(word, 24, 20)];
  std::uint32_t& rd = x_[field(word, 11, 7)];
  const std::uint32_t function = field(word, 14, 12);
  const std::uint32_t immediate = extend(word >> 20, 12);
  switch (word & 0x7f) {
    case 0x37: // LUI
      rd = word & 0xfffff000;
      return;
    case 0x17: // AUIPC
      rd = pc_ + (word & 0xfffff000);
      return;
    case 0x6f: { // JAL
      const std::uint32_t to =
          field(word, 31, 31) << 20 | field(word, 19, 12) << 12 | field(word, 20, 20) << 11 | field(word, 30, 21) << 1;
      next_pc_ = pc_ + extend(to, 21);
      rd = pc_ + 4;
      return;
    }
    case 0x67: // JALR
      next_pc_ = (a + immediate) & ~1u;
      rd = pc_ + 4;
      return;
    case 0x63: { // branches
      const bool taken[] = {a == b, a != b, false, false, sign(a) < sign(b), sign(a) >= sign(b), a < b, a >= b};
      const std::uint32_t to =
          field(word, 31, 31) << 12 | field(word, 7, 7) << 11 | field(word, 30, 25) << 5 | field(word, 11, 8) << 1;
      if (taken[function]) next_pc_ = pc_ + extend(to, 13);
      return;
    }
    case 0x03: { // loads
      std::uint32_t value = 0;
      const unsigned bytes = 1u << (function & 3);
      if (bytes > 4) return fail(kIllegal, word);
      if (!load(a + immediate, bytes, value)) return;
      rd = function < 4 ? extend(value, 8 * bytes) : value;
      return;
    }
    case 0x23: // stores
      if (function > 2) return fail(kIllegal, word);
      store(a + extend(field(word, 31, 25) << 5 | field(word, 11, 7), 12), 1u << function, b);
      return;
    case 0x13:
      rd = arithmetic(word, a, immediate, true);
      return;
    case 0x33:
      rd = arithmetic(word, a, b, false);
      return;
    case 0x0f: // FENCE: there is nothing to order
      return;
    case 0x73:
      if (word == kWfi) {
        waiting_ = true;
      } else if (function != 0) {
        rd = csr(word >> 20, function, (function & 4) != 0 ? field(word, 19, 15) : a);
      } else {
        fail(kIllegal, word);
      }
      return;
    default:
      fail(kIllegal, word);
  }
}

std::uint32_t SimpleCpu::arithmetic(std::uint32_t word, std::uint32_t a, std::uint32_t b, bool immediate) {
  const std::uint32_t function = field(word, 14, 12);
  if (!immediate && field(word, 31, 25) == 1) {
    cycle_ += 16;
    return multiply_divide(function, a, b);
  }
  const bool other = field(word, 30, 30) != 0;
  switch (function) {
    case 0:
      return other && !immediate ? a - b : a + b;
    case 1:
      return a << (b & 31);
    case 2:
      return sign(a) < sign(b) ? 1 : 0;
    case 3:
      return a < b ? 1 : 0;
    case 4:
      return a ^ b;
    case 5:
      return other ? static_cast<std::uint32_t>(sign(a) >> (b & 31)) : a >> (b & 31);
    case 6:
      return a | b;
    default:
      return a & b;
  }
}

std::uint32_t SimpleCpu::multiply_divide(std::uint32_t function, std::uint32_t a, std::uint32_t b) {
  const std::int64_t sa = sign(a), sb = sign(b);
  switch (function) {
    case 0:
      return a * b;
    case 1:
      return static_cast<std::uint32_t>((sa * sb) >> 32);
    case 2:
      return static_cast<std::uint32_t>((sa * static_cast<std::int64_t>(b)) >> 32);
    case 3:
      return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
    case 4:
      return b == 0 ? ~0u : static_cast<std::uint32_t>(sa / sb);
    case 5:
      return b == 0 ? ~0u : a / b;
    case 6:
      return b == 0 ? a : static_cast<std::uint32_t>(sa % sb);
    default:
      return b == 0 ? a : a % b;
  }
}

bool SimpleCpu::load(std::uint32_t address, unsigned bytes, std::uint32_t& value) {
  if (address % bytes != 0) return fail(kMisalignedLoad, address), false;
  const std::uint32_t offset = address - ram_.base;
  if (offset < ram_.size) {
    std::memcpy(&value, ram_.data + offset, bytes);
    cycle_ += 4 + ram_.wait_states;
    return true;
  }
  const dtrmc::cpu::MmioResult result = bus_.read(address, bytes, cycle_);
  if (result.error) return fail(kLoadFault, address), false;
  value = result.data;
  cycle_ += 4 + result.wait_cycles;
  return true;
}

bool SimpleCpu::store(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  if (address % bytes != 0) return fail(kMisalignedStore, address), false;
  const std::uint32_t offset = address - ram_.base;
  if (offset < ram_.size) {
    std::memcpy(ram_.data + offset, &value, bytes);
    cycle_ += 4 + ram_.wait_states;
    return true;
  }
  const dtrmc::cpu::MmioResult result = bus_.write(address, bytes, value, cycle_);
  if (result.error) return fail(kStoreFault, address), false;
  cycle_ += 4 + result.wait_cycles;
  return true;
}

std::uint32_t SimpleCpu::csr(std::uint32_t number, std::uint32_t function, std::uint32_t operand) {
  std::uint32_t* place = number == kMie                 ? &mie_
                         : number == kMtvec             ? &mtvec_
                         : number == DTRMC_CSR_ACTIVITY ? &activity_
                                                        : nullptr;
  if (place == nullptr) return fail(kIllegal, number), 0;
  const std::uint32_t old = *place;
  const std::uint32_t fresh = (function & 3) == 1 ? operand : (function & 3) == 2 ? old | operand : old & ~operand;
  if (place == &activity_) {
    activity_cycles_[old % DTRMC_ACTIVITY_COUNT] += cycle_ - activity_since_;
    activity_since_ = cycle_;
    if (observer_) observer_(old, fresh, cycle_);
  }
  *place = fresh;
  return old;
}
