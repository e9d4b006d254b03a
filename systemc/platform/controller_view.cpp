// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/controller_view.h"

#include <cstring>

#include "firmware/protocol.h"

namespace dtrmc::platform {

std::optional<ControllerView> ControllerView::make(const std::uint8_t* ram, std::uint32_t size, std::uint32_t layout) {
  const std::uint64_t offset = std::uint64_t{layout} - DTRMC_RAM_BASE;
  if (layout < DTRMC_RAM_BASE || offset + sizeof(dtrmc_debug_layout) > size) return std::nullopt;
  dtrmc_debug_layout copy;
  std::memcpy(&copy, ram + offset, sizeof copy);
  if (copy.magic != DTRMC_DEBUG_LAYOUT_MAGIC || copy.bytes != sizeof copy) return std::nullopt;
  return ControllerView(ram, size, copy);
}

std::uint64_t ControllerView::read(std::uint64_t address, unsigned bytes) const {
  const std::uint64_t offset = address - DTRMC_RAM_BASE;
  if (address < DTRMC_RAM_BASE || offset + bytes > size_) return 0;
  std::uint64_t value = 0;
  std::memcpy(&value, ram_ + offset, bytes);
  return value;
}

std::uint64_t ControllerView::clock() const { return read(state(layout_.state_clock), 8); }
std::uint64_t ControllerView::memory() const { return read(state(layout_.state_memory), 8); }
std::uint32_t ControllerView::pool_count() const { return word(state(layout_.state_pool_count)); }
std::uint32_t ControllerView::nesting() const { return word(state(layout_.state_nesting)); }

std::uint64_t ControllerView::pool_bytes() const {
  std::uint64_t bytes = 0;
  std::uint32_t left = pool_count(); // bounds the walk, whatever the links are
  for (std::uint32_t s = word(state(layout_.state_pool_head)); s != 0 && left != 0; --left) {
    bytes += read(std::uint64_t{s} + layout_.storage_size, 8);
    s = word(std::uint64_t{s} + layout_.storage_next);
  }
  return bytes;
}

void ControllerView::candidates(std::vector<sim::Candidate>& pool) const {
  pool.clear();
  const std::uint64_t now = clock();
  const std::uint64_t heuristic = word(state(layout_.state_heuristic));
  const bool uses_size = read(heuristic + layout_.heuristic_uses_size, 1) != 0;
  const bool uses_staleness = read(heuristic + layout_.heuristic_uses_staleness, 1) != 0;
  std::uint32_t left = pool_count();
  for (std::uint32_t s = word(state(layout_.state_pool_head)); s != 0 && left != 0; --left) {
    const std::uint64_t at = s;
    sim::Candidate candidate;
    candidate.storage = word(at + layout_.storage_id);
    candidate.cost = static_cast<std::int64_t>(read(at + layout_.storage_cost, 8));
    if (uses_size) candidate.size = read(at + layout_.storage_size, 8);
    if (uses_staleness) {
      const std::uint64_t last = read(at + layout_.storage_last_access, 8);
      candidate.staleness = now > last ? now - last : 0;
    }
    pool.push_back(candidate);
    s = word(at + layout_.storage_next);
  }
}

} // namespace dtrmc::platform
