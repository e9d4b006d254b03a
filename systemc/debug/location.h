// SPDX-License-Identifier: Apache-2.0
// From an address to function and source line of the firmware.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "systemc/cpu/elf_loader.h"

namespace dtrmc::debug {

class Locator {
 public:
  // `file`: the ELF file that `image` was read from. Both outlive the locator.
  Locator(const cpu::ElfImage& image, const std::vector<std::uint8_t>& file);
  ~Locator();
  Locator(const Locator&) = delete;
  Locator& operator=(const Locator&) = delete;

  // "fw_pin+0x14 (firmware/graph.c:57)"; without the line where the file has no line information (or this program
  // was built without libdw); "no function" where no symbol covers the address.
  std::string describe(std::uint32_t address) const;

 private:
  struct Lines;
  const cpu::ElfImage& image_;
  std::unique_ptr<Lines> lines_;
};

} // namespace dtrmc::debug
