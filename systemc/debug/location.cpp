// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/location.h"

#include <fmt/format.h>

#ifdef DTRMC_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <libelf.h>
#endif

namespace dtrmc::debug {

#ifdef DTRMC_HAVE_LIBDW

struct Locator::Lines {
  explicit Lines(const std::vector<std::uint8_t>& file) : bytes(file.begin(), file.end()) {
    if (elf_version(EV_CURRENT) == EV_NONE) return;
    elf = elf_memory(bytes.data(), bytes.size()); // takes a writable pointer: a copy
    if (elf != nullptr) dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  }
  ~Lines() {
    if (dwarf != nullptr) dwarf_end(dwarf);
    if (elf != nullptr) elf_end(elf);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::string at(std::uint32_t address) const {
    if (dwarf == nullptr) return "";
    // Compilation units are few and this is asked once a fault, so they are all looked at; assembler files have no
    // address table that would lead to them.
    Dwarf_Off offset = 0;
    Dwarf_Off next = 0;
    std::size_t header = 0;
    while (dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
      Dwarf_Die unit;
      if (dwarf_offdie(dwarf, offset + header, &unit) != nullptr && dwarf_haspc(&unit, address) == 1) {
        Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
        int number = 0;
        const char* const source = line != nullptr ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
        if (source != nullptr && dwarf_lineno(line, &number) == 0) return fmt::format("{}:{}", source, number);
      }
      if (next <= offset) break; // malformed
      offset = next;
    }
    return "";
  }

  std::vector<char> bytes;
  Elf* elf = nullptr;
  Dwarf* dwarf = nullptr;
};

#else

struct Locator::Lines {
  explicit Lines(const std::vector<std::uint8_t>&) {}
  std::string at(std::uint32_t) const { return ""; }
};

#endif

Locator::Locator(const cpu::ElfImage& image, const std::vector<std::uint8_t>& file)
    : image_(image), lines_(std::make_unique<Lines>(file)) {}

Locator::~Locator() = default;

std::string Locator::describe(std::uint32_t address) const {
  const auto function = image_.function_at(address);
  const std::string line = lines_->at(address);
  std::string text = "no function";
  if (function) {
    text = std::string(function->name);
    if (address != function->address) text += fmt::format("+{:#x}", address - function->address);
  }
  return line.empty() ? text : fmt::format("{} ({})", text, line);
}

} // namespace dtrmc::debug
