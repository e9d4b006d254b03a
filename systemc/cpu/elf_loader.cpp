// SPDX-License-Identifier: Apache-2.0
#include "systemc/cpu/elf_loader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <utility>

namespace dtrmc::cpu {
namespace {

// Field offsets and values of the ELF specification and its RISC-V supplement.
constexpr uint64_t kHeaderBytes = 52;
constexpr uint64_t kProgramHeaderBytes = 32;
constexpr uint64_t kSectionHeaderBytes = 40;
constexpr uint64_t kSymbolBytes = 16;
constexpr uint8_t kMagic[4] = {0x7f, 'E', 'L', 'F'};
constexpr uint16_t kMachineRiscv = 243;
constexpr uint16_t kTypeExecutable = 2;
constexpr uint32_t kFlagCompressed = 1;
constexpr uint32_t kFlagFloatAbi = 6;
constexpr uint32_t kSegmentLoad = 1;
constexpr uint32_t kSegmentDynamic = 2;
constexpr uint32_t kSegmentInterpreter = 3;
constexpr uint32_t kSegmentExecutable = 1;
constexpr uint32_t kSectionSymbols = 2;
constexpr uint32_t kSectionStrings = 3;
constexpr uint16_t kSectionUndefined = 0;
// Both bound the time that hostile symbol tables can take.
constexpr uint32_t kMaxSymbolName = 1023;
constexpr uint32_t kMaxSymbols = 1u << 18;

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string machine_name(uint16_t machine) {
  switch (machine) {
    case 3:
      return "Intel 80386";
    case 8:
      return "MIPS";
    case 20:
      return "PowerPC";
    case 21:
      return "64-bit PowerPC";
    case 40:
      return "ARM";
    case 62:
      return "x86-64";
    case 83:
      return "AVR";
    case 94:
      return "Xtensa";
    case 183:
      return "AArch64";
    case 243:
      return "RISC-V";
    case 258:
      return "LoongArch";
    default:
      return "machine number " + std::to_string(machine);
  }
}

std::string type_name(uint16_t type) {
  switch (type) {
    case 0:
      return "a file without type";
    case 1:
      return "a relocatable object file";
    case 3:
      return "a shared object or position-independent executable";
    case 4:
      return "a core dump";
    default:
      return "a file of unknown type " + std::to_string(type);
  }
}

} // namespace

struct ElfImage::SectionHeader {
  uint32_t type;
  uint32_t offset;
  uint32_t size;
  uint32_t link;
  uint32_t entry_size;
};

ElfImage::ElfImage(std::string name, std::vector<uint8_t> bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {
  read_header();
  read_segments();
  check_entry();
  read_symbols();
}

ElfImage ElfImage::read(const std::string& path) {
  namespace fs = std::filesystem;
  const auto refuse = [&path](const std::string& reason) { throw std::runtime_error(path + ": " + reason); };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse("no such file (firmware ELF)");
  if (fs::is_directory(status)) refuse("is a directory, not an ELF file");
  if (!fs::is_regular_file(status)) refuse("is not a regular file");
  const uint64_t size = fs::file_size(path, error);
  if (error) refuse("cannot be read: " + error.message());
  if (size > kMaxFileBytes) refuse("is larger than 64 MiB: not a firmware image");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  std::vector<uint8_t> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<uint64_t>(file.gcount()) != size) refuse("could not be read to its end");
  return ElfImage(path, std::move(bytes));
}

void ElfImage::fail(const std::string& reason) const { throw std::runtime_error(name_ + ": " + reason); }

bool ElfImage::in_file(uint64_t offset, uint64_t bytes) const {
  return offset <= bytes_.size() && bytes <= bytes_.size() - offset;
}

uint16_t ElfImage::half(uint64_t offset) const {
  return static_cast<uint16_t>(bytes_[offset] | (bytes_[offset + 1] << 8));
}

uint32_t ElfImage::word(uint64_t offset) const { return half(offset) | (uint32_t{half(offset + 2)} << 16); }

void ElfImage::read_header() {
  if (bytes_.empty()) fail("is empty, not an ELF file");
  if (bytes_.size() < 4 || std::memcmp(bytes_.data(), kMagic, 4) != 0) fail("is not an ELF file");
  if (bytes_.size() < 20) fail("is truncated within the ELF header");
  const uint8_t elf_class = bytes_[4];
  const uint8_t encoding = bytes_[5];
  if (elf_class != 1 && elf_class != 2) fail("has an unknown ELF class " + std::to_string(elf_class));
  if (encoding == 2) fail("is a big-endian ELF file; needed: 32-bit little-endian RISC-V");
  if (encoding != 1) fail("has an unknown ELF data encoding " + std::to_string(encoding));
  const std::string machine = machine_name(half(18));
  if (elf_class == 2) fail("is a 64-bit ELF file for " + machine + "; needed: 32-bit RISC-V (rv32im)");
  if (half(18) != kMachineRiscv) fail("is for another machine, " + machine + "; needed: 32-bit RISC-V (rv32im)");
  if (bytes_.size() < kHeaderBytes) fail("is truncated within the ELF header");
  if (bytes_[6] != 1 || word(20) != 1) fail("has an unknown ELF version");
  if (half(16) != kTypeExecutable) fail("is " + type_name(half(16)) + ", not a linked executable");
  const uint32_t flags = word(36);
  if ((flags & kFlagCompressed) != 0) {
    fail("contains compressed instructions (EF_RISCV_RVC); build it with -march=rv32im_zicsr");
  }
  if ((flags & kFlagFloatAbi) != 0) fail("uses a hardware floating-point ABI; build it with -mabi=ilp32");
  entry_ = word(24);
}

void ElfImage::read_segments() {
  const uint32_t table = word(28);
  const uint32_t entry_size = half(42);
  const uint32_t count = half(44);
  if (count == 0) fail("has no program headers: nothing to load");
  if (count == 0xffff) fail("has more program headers than are supported");
  if (entry_size != kProgramHeaderBytes) {
    fail("has program headers of " + std::to_string(entry_size) + " bytes instead of 32");
  }
  if (!in_file(table, count * kProgramHeaderBytes)) fail("is truncated: its program headers lie beyond its end");
  for (uint32_t index = 0; index < count; ++index) {
    const uint64_t header = table + index * kProgramHeaderBytes;
    const uint32_t type = word(header);
    if (type == kSegmentDynamic || type == kSegmentInterpreter) fail("is dynamically linked; link it statically");
    if (type != kSegmentLoad) continue;
    ElfSegment segment;
    segment.file_offset = word(header + 4);
    segment.address = word(header + 12);
    segment.file_bytes = word(header + 16);
    segment.memory_bytes = word(header + 20);
    segment.executable = (word(header + 24) & kSegmentExecutable) != 0;
    const std::string what = "segment " + std::to_string(index) + " at " + hex(segment.address);
    if (segment.file_bytes > segment.memory_bytes) fail(what + " has more bytes in the file than in memory");
    if (segment.memory_bytes == 0) continue;
    if (!in_file(segment.file_offset, segment.file_bytes)) fail("is truncated: " + what + " lies beyond its end");
    if (uint64_t{segment.address} + segment.memory_bytes > (uint64_t{1} << 32)) {
      fail(what + " reaches beyond the 32-bit address space");
    }
    segments_.push_back(segment);
  }
  if (segments_.empty()) fail("has no loadable segment");
  std::sort(segments_.begin(), segments_.end(),
            [](const ElfSegment& a, const ElfSegment& b) { return a.address < b.address; });
  for (std::size_t index = 1; index < segments_.size(); ++index) {
    const ElfSegment& before = segments_[index - 1];
    if (uint64_t{before.address} + before.memory_bytes > segments_[index].address) {
      fail("segments at " + hex(before.address) + " and " + hex(segments_[index].address) + " overlap");
    }
  }
}

void ElfImage::check_entry() const {
  if (entry_ == 0) fail("has no entry point (link with ENTRY(...) or -e)");
  if ((entry_ & 3u) != 0) fail("entry point " + hex(entry_) + " is not a multiple of 4");
  const bool inside = std::any_of(segments_.begin(), segments_.end(), [this](const ElfSegment& segment) {
    return segment.executable && entry_ >= segment.address && entry_ - segment.address < segment.file_bytes;
  });
  if (!inside) fail("entry point " + hex(entry_) + " lies in no executable segment");
}

ElfImage::SectionHeader ElfImage::section(uint32_t table, uint32_t index) const {
  const uint64_t header = table + index * kSectionHeaderBytes;
  return {word(header + 4), word(header + 16), word(header + 20), word(header + 24), word(header + 36)};
}

void ElfImage::read_symbols() {
  const uint32_t table = word(32);
  const uint32_t entry_size = half(46);
  const uint32_t count = half(48);
  if (table == 0 || count == 0) return; // stripped
  if (entry_size != kSectionHeaderBytes) {
    fail("has section headers of " + std::to_string(entry_size) + " bytes instead of 40");
  }
  if (!in_file(table, count * kSectionHeaderBytes)) fail("is truncated: its section headers lie beyond its end");
  bool found = false;
  for (uint32_t index = 0; index < count; ++index) {
    const SectionHeader header = section(table, index);
    if (header.type != kSectionSymbols) continue;
    if (found) fail("has more than one symbol table");
    found = true;
    if (header.entry_size != kSymbolBytes || header.size % kSymbolBytes != 0) fail("has a malformed symbol table");
    if (!in_file(header.offset, header.size)) fail("is truncated: its symbol table lies beyond its end");
    if (header.link >= count) fail("has a symbol table without strings");
    const SectionHeader strings = section(table, header.link);
    if (strings.type != kSectionStrings) fail("has a symbol table without strings");
    if (!in_file(strings.offset, strings.size)) fail("is truncated: its symbol names lie beyond its end");
    read_symbol_table(header, strings);
  }
}

void ElfImage::read_symbol_table(const SectionHeader& table, const SectionHeader& strings) {
  if (table.size / kSymbolBytes > kMaxSymbols) fail("has more than 262144 symbols");
  const auto* text = reinterpret_cast<const char*>(bytes_.data());
  for (uint64_t offset = table.offset; offset < uint64_t{table.offset} + table.size; offset += kSymbolBytes) {
    const uint32_t name = word(offset);
    const uint8_t info = bytes_[offset + 12];
    const uint8_t type = info & 0xfu;
    if (half(offset + 14) == kSectionUndefined || name == 0) continue;
    if (type > 2) continue; // sections, files, thread-local: not for us
    if (name >= strings.size) fail("has a symbol whose name lies outside the string table");
    const char* begin = text + strings.offset + name;
    const std::size_t limit = std::min<std::size_t>(strings.size - name, kMaxSymbolName + 1);
    const void* end = std::memchr(begin, 0, limit);
    if (end == nullptr) fail("has a symbol name that is not terminated or longer than 1023 bytes");
    ElfSymbol symbol;
    symbol.name = std::string_view(begin, static_cast<std::size_t>(static_cast<const char*>(end) - begin));
    symbol.address = word(offset + 4);
    symbol.size = word(offset + 8);
    symbol.function = type == 2;
    symbol.global = (info >> 4) != 0;
    symbols_.push_back(symbol);
    if (symbol.function) functions_.push_back(symbol);
  }
  std::stable_sort(symbols_.begin(), symbols_.end(), [](const ElfSymbol& a, const ElfSymbol& b) {
    return std::tie(a.name, b.global) < std::tie(b.name, a.global);
  });
  std::stable_sort(functions_.begin(), functions_.end(), [](const ElfSymbol& a, const ElfSymbol& b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
}

uint64_t ElfImage::end() const { return uint64_t{segments_.back().address} + segments_.back().memory_bytes; }

std::optional<ElfSymbol> ElfImage::find_symbol(std::string_view name) const {
  const auto found = std::lower_bound(symbols_.begin(), symbols_.end(), name,
                                      [](const ElfSymbol& symbol, std::string_view key) { return symbol.name < key; });
  if (found == symbols_.end() || found->name != name) return std::nullopt;
  return *found;
}

ElfSymbol ElfImage::require_symbol(std::string_view name, const std::string& purpose) const {
  const auto found = find_symbol(name);
  if (!found) fail("has no symbol '" + std::string(name) + "' (" + purpose + ")");
  return *found;
}

std::optional<ElfSymbol> ElfImage::function_at(uint32_t address) const {
  const auto after = std::upper_bound(functions_.begin(), functions_.end(), address,
                                      [](uint32_t key, const ElfSymbol& symbol) { return key < symbol.address; });
  if (after == functions_.begin()) return std::nullopt;
  const ElfSymbol& symbol = *std::prev(after);
  if (symbol.size != 0 && address - symbol.address >= symbol.size) return std::nullopt;
  return symbol;
}

void ElfImage::load_into(const RamView& ram) const {
  for (const ElfSegment& segment : segments_) {
    if (segment.address < ram.base) {
      fail("segment at " + hex(segment.address) + " lies below RAM, which starts at " + hex(ram.base));
    }
  }
  const uint64_t needed = end() - ram.base;
  if (needed > ram.size) {
    fail("needs " + std::to_string(needed) + " bytes of RAM from " + hex(ram.base) + ", but there are only " +
         std::to_string(ram.size));
  }
  for (const ElfSegment& segment : segments_) {
    uint8_t* to = ram.data + (segment.address - ram.base);
    std::copy_n(bytes_.begin() + segment.file_offset, segment.file_bytes, to);
    std::fill_n(to + segment.file_bytes, segment.memory_bytes - segment.file_bytes, uint8_t{0});
  }
}

std::optional<uint32_t> LoadedElf::symbol(std::string_view name) const {
  const auto found = image->find_symbol(name);
  return found ? std::optional<uint32_t>(found->address) : std::nullopt;
}

LoadedElf load_elf(const uint8_t* bytes, std::size_t size, const std::string& name, uint8_t* ram, uint32_t ram_base,
                   uint32_t ram_bytes) {
  auto image = std::make_shared<const ElfImage>(name, std::vector<uint8_t>(bytes, bytes + size));
  image->load_into(RamView{ram, ram_base, ram_bytes, 0});
  const uint32_t entry = image->entry();
  return {entry, std::move(image)};
}

} // namespace dtrmc::cpu
