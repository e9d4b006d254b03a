// SPDX-License-Identifier: Apache-2.0
#include "systemc/profile/function_map.h"

#include <algorithm>

namespace dtrmc::profile {

FunctionMap::FunctionMap(const cpu::ElfImage& image) {
  // Functions that share an address (aliases) count as the first of them.
  for (const cpu::ElfSymbol& function : image.functions()) {
    if (!addresses_.empty() && addresses_.back() == function.address) continue;
    addresses_.push_back(function.address);
    // The folded format separates frames by ';' and the count by a space; and an ELF file may hold any bytes.
    std::string name(function.name);
    std::replace(name.begin(), name.end(), ';', ':');
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c <= ' ' || c > '~'; }, '_');
    names_.push_back(std::move(name));
  }
  names_.emplace_back("(no_symbol)");
  addresses_.push_back(0);

  std::uint32_t end = 0;
  bool first = true;
  for (const cpu::ElfSegment& segment : image.segments()) {
    if (!segment.executable) continue;
    // Only what the file holds can be code that is known beforehand.
    if (first) base_ = segment.address;
    first = false;
    end = segment.address + segment.file_bytes;
  }
  by_word_.assign((end - base_ + 3) / 4, unknown());
  for (std::uint32_t word = 0; word < by_word_.size(); ++word) {
    const std::uint32_t address = base_ + 4 * word;
    const auto function = image.function_at(address);
    if (!function) continue;
    const auto found = std::lower_bound(addresses_.begin(), addresses_.end() - 1, function->address);
    by_word_[word] = static_cast<FunctionId>(found - addresses_.begin());
  }
}

} // namespace dtrmc::profile
