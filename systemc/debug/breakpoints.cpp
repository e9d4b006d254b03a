// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/breakpoints.h"

#include <algorithm>
#include <cstring>

namespace dtrmc::debug {

std::optional<Access> next_access(const cpu::Core& core) {
  const cpu::RamView& ram = core.ram();
  const std::uint32_t offset = core.pc() - ram.base;
  if (offset >= ram.size) return std::nullopt;
  std::uint32_t word = 0;
  std::memcpy(&word, ram.data + offset, sizeof word);
  const cpu::Decoded d = cpu::decode(word, core.pc(), ram);
  const auto access = [&](std::uint32_t bytes, bool write) {
    return Access{core.reg(d.rs1) + static_cast<std::uint32_t>(d.imm), bytes, write};
  };
  switch (d.op) {
    case cpu::Op::kLb:
    case cpu::Op::kLbu:
      return access(1, false);
    case cpu::Op::kLh:
    case cpu::Op::kLhu:
      return access(2, false);
    case cpu::Op::kLw:
      return access(4, false);
    case cpu::Op::kSb:
      return access(1, true);
    case cpu::Op::kSh:
      return access(2, true);
    case cpu::Op::kSw:
      return access(4, true);
    default:
      return std::nullopt;
  }
}

bool Breakpoints::add(std::uint32_t address, bool hardware) {
  const auto same = [=](const Point& p) { return p.address == address && p.hardware == hardware; };
  if (std::any_of(addresses_.begin(), addresses_.end(), same)) return true;
  if (addresses_.size() == kMost) return false;
  addresses_.push_back({address, hardware});
  return true;
}

void Breakpoints::remove(std::uint32_t address, bool hardware) {
  const auto same = [=](const Point& p) { return p.address == address && p.hardware == hardware; };
  addresses_.erase(std::remove_if(addresses_.begin(), addresses_.end(), same), addresses_.end());
}

bool Breakpoints::add_watch(const Watch& watch) {
  remove_watch(watch);
  if (watches_.size() == kMost) return false;
  watches_.push_back(watch);
  return true;
}

void Breakpoints::remove_watch(const Watch& watch) {
  const auto same = [&](const Watch& w) {
    return w.kind == watch.kind && w.address == watch.address && w.bytes == watch.bytes;
  };
  watches_.erase(std::remove_if(watches_.begin(), watches_.end(), same), watches_.end());
}

void Breakpoints::clear() {
  addresses_.clear();
  watches_.clear();
}

std::optional<Breakpoints::Stop> Breakpoints::at(std::uint32_t pc) const {
  for (const Point& point : addresses_) {
    if (point.address == pc) return Stop{point.hardware};
  }
  return std::nullopt;
}

std::optional<Breakpoints::Hit> Breakpoints::hit(const Access& access) const {
  for (const Watch& watch : watches_) {
    if (watch.kind == WatchKind::kWrite && !access.write) continue;
    if (watch.kind == WatchKind::kRead && access.write) continue;
    const std::uint64_t begin = std::max(access.address, watch.address);
    const std::uint64_t end =
        std::min(std::uint64_t{access.address} + access.bytes, std::uint64_t{watch.address} + watch.bytes);
    if (begin < end) return Hit{watch.kind, static_cast<std::uint32_t>(begin)};
  }
  return std::nullopt;
}

} // namespace dtrmc::debug
