// SPDX-License-Identifier: Apache-2.0
// Loads firmware: ELF32, little-endian, RISC-V without compressed instructions and hardware floating point, statically
// linked. Every error is one std::runtime_error of one line, "<name>: <reason>".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/cpu/ram_view.h"

namespace dtrmc::cpu {

struct ElfSegment {
  uint32_t address = 0;      // physical: where the bytes are loaded
  uint32_t memory_bytes = 0; // the rest beyond file_bytes is zero
  uint32_t file_offset = 0;
  uint32_t file_bytes = 0;
  bool executable = false;
};

struct ElfSymbol {
  std::string_view name; // lives as long as the image
  uint32_t address = 0;
  uint32_t size = 0; // bytes, 0 where the program did not say
  bool function = false;
  bool global = false;
};

class ElfImage {
 public:
  // `name` is what errors call it. The bytes are kept.
  ElfImage(std::string name, std::vector<uint8_t> bytes);
  ElfImage(const ElfImage&) = delete; // symbols point into it
  ElfImage& operator=(const ElfImage&) = delete;
  ElfImage(ElfImage&&) = default;
  ElfImage& operator=(ElfImage&&) = default;

  // Largest file that is read, bytes.
  static constexpr uint64_t kMaxFileBytes = 64u << 20;
  // Throws also for a path that is absent, unreadable, a directory or larger than kMaxFileBytes.
  static ElfImage read(const std::string& path);

  const std::string& name() const { return name_; }
  uint32_t entry() const { return entry_; }
  const std::vector<ElfSegment>& segments() const { return segments_; } // by address, not overlapping
  uint64_t end() const;                                                 // first address after the last segment

  // Defined symbols, empty where the file was stripped; a global one is preferred to a local one of the same name.
  std::optional<ElfSymbol> find_symbol(std::string_view name) const;
  // The same, but absence is an error that says what the symbol is for.
  ElfSymbol require_symbol(std::string_view name, const std::string& purpose) const;
  // Functions by address (then name), for profiles and fault reports.
  const std::vector<ElfSymbol>& functions() const { return functions_; }
  // The function that `address` lies in: the last one that starts at or before it and, where it has a size, does not
  // end before it.
  std::optional<ElfSymbol> function_at(uint32_t address) const;

  // Copies all segments and clears what follows them. Throws, with the RAM that would be needed, where one does not
  // fit; RAM is then unchanged.
  void load_into(const RamView& ram) const;

 private:
  struct SectionHeader;

  [[noreturn]] void fail(const std::string& reason) const;
  uint16_t half(uint64_t offset) const;
  uint32_t word(uint64_t offset) const;
  bool in_file(uint64_t offset, uint64_t bytes) const;
  void read_header();
  void read_segments();
  void check_entry() const;
  void read_symbols();
  SectionHeader section(uint32_t table, uint32_t index) const;
  void read_symbol_table(const SectionHeader& table, const SectionHeader& strings);

  std::string name_;
  std::vector<uint8_t> bytes_;
  uint32_t entry_ = 0;
  std::vector<ElfSegment> segments_;
  std::vector<ElfSymbol> symbols_;   // by name, global first
  std::vector<ElfSymbol> functions_; // by address
};

// What remains to be known of an image once it lies in RAM.
struct LoadedElf {
  uint32_t entry = 0;
  std::shared_ptr<const ElfImage> image;

  // Address of a defined symbol.
  std::optional<uint32_t> symbol(std::string_view name) const;
};

// Reads the ELF file of `size` bytes at `bytes`, called `name` in errors, and loads it into the RAM of `ram_bytes`
// bytes at address `ram_base`.
LoadedElf load_elf(const uint8_t* bytes, std::size_t size, const std::string& name, uint8_t* ram, uint32_t ram_base,
                   uint32_t ram_bytes);

} // namespace dtrmc::cpu
