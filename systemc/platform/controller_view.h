// SPDX-License-Identifier: Apache-2.0
// The controller's own idea of the run, read from its RAM through the layout that the firmware image exports
// (firmware/debug_layout.h). Reading takes no device time and changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "firmware/debug_layout.h"
#include "host/sim/candidate.h"

namespace dtrmc::platform {

class ControllerView {
 public:
  // `ram`: `size` bytes from DTRMC_RAM_BASE; `layout`: address of the image's symbol. Nothing where the image was
  // built for another layout.
  static std::optional<ControllerView> make(const std::uint8_t* ram, std::uint32_t size, std::uint32_t layout);

  std::uint64_t clock() const;  // that staleness counts, ticks
  std::uint64_t memory() const; // bytes
  std::uint32_t pool_count() const;
  std::uint32_t nesting() const; // operators being materialised
  std::uint64_t pool_bytes() const;
  // The pool in order, with the scores' terms as the firmware keeps them.
  void candidates(std::vector<sim::Candidate>& pool) const;

 private:
  ControllerView(const std::uint8_t* ram, std::uint32_t size, const dtrmc_debug_layout& layout)
      : ram_(ram), size_(size), layout_(layout) {}
  // 0 for an address outside RAM: a broken firmware shows nonsense, it does not end the platform.
  std::uint64_t read(std::uint64_t address, unsigned bytes) const;
  std::uint32_t word(std::uint64_t address) const { return static_cast<std::uint32_t>(read(address, 4)); }
  std::uint64_t state(std::uint32_t offset) const { return std::uint64_t{layout_.state} + offset; }

  const std::uint8_t* ram_;
  std::uint32_t size_;
  dtrmc_debug_layout layout_;
};

} // namespace dtrmc::platform
