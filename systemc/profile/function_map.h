// SPDX-License-Identifier: Apache-2.0
// From an address to the function that it lies in, at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systemc/cpu/elf_loader.h"

namespace dtrmc::profile {

using FunctionId = std::uint32_t;

class FunctionMap {
 public:
  explicit FunctionMap(const cpu::ElfImage& image);

  // Id of the function at `address`; the last id, "(no symbol)", where no function's symbol covers it.
  FunctionId at(std::uint32_t address) const {
    const std::uint32_t word = (address - base_) / 4;
    return word < by_word_.size() ? by_word_[word] : unknown();
  }
  FunctionId unknown() const { return static_cast<FunctionId>(names_.size() - 1); }
  std::size_t size() const { return names_.size(); }
  const std::string& name(FunctionId id) const { return names_[id]; }
  std::uint32_t address(FunctionId id) const { return addresses_[id]; }

 private:
  std::uint32_t base_ = 0;
  std::vector<FunctionId> by_word_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> addresses_;
};

} // namespace dtrmc::profile
