// SPDX-License-Identifier: Apache-2.0
// The ELF loader: a good file, and every way in which a file can be bad.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "systemc/cpu/elf_loader.h"
#include "tests/cpu/board_map.h"

namespace dtrmc::cpu::test {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

constexpr uint32_t kBase = BOARD_RAM_BASE;

void put16(Bytes& bytes, std::size_t at, uint32_t value) {
  bytes.at(at) = static_cast<uint8_t>(value);
  bytes.at(at + 1) = static_cast<uint8_t>(value >> 8);
}
void put32(Bytes& bytes, std::size_t at, uint32_t value) {
  put16(bytes, at, value & 0xffffu);
  put16(bytes, at + 2, value >> 16);
}

// A small executable made by hand: header, two program headers (text; data with bss), contents, symbols, names,
// section headers. Offsets are fixed, so that the tests below can break single fields.
constexpr std::size_t kPhdr0 = 52;
constexpr std::size_t kPhdr1 = 84;
constexpr std::size_t kText = 116;    // 8 bytes
constexpr std::size_t kData = 124;    // 4 bytes
constexpr std::size_t kSymbols = 128; // 6 of 16 bytes
constexpr std::size_t kNames = 224;   // 32 bytes
constexpr std::size_t kShdrs = 256;   // 3 of 40 bytes
constexpr std::size_t kEnd = kShdrs + 120;

Bytes good_elf() {
  Bytes b(kEnd);
  const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  std::copy(std::begin(ident), std::end(ident), b.begin());
  put16(b, 16, 2);   // executable
  put16(b, 18, 243); // RISC-V
  put32(b, 20, 1);
  put32(b, 24, kBase + 4); // entry
  put32(b, 28, kPhdr0);
  put32(b, 32, kShdrs);
  put16(b, 40, 52);
  put16(b, 42, 32);
  put16(b, 44, 2);
  put16(b, 46, 40);
  put16(b, 48, 3);
  put16(b, 50, 2);
  const auto program_header = [&b](std::size_t at, uint32_t offset, uint32_t address, uint32_t file_bytes,
                                   uint32_t memory_bytes, uint32_t flags) {
    put32(b, at, 1);
    put32(b, at + 4, offset);
    put32(b, at + 8, address);
    put32(b, at + 12, address);
    put32(b, at + 16, file_bytes);
    put32(b, at + 20, memory_bytes);
    put32(b, at + 24, flags);
    put32(b, at + 28, 4);
  };
  program_header(kPhdr0, kText, kBase, 8, 8, 5);
  program_header(kPhdr1, kData, kBase + 0x100, 4, 16, 6);
  for (std::size_t i = 0; i < 8; ++i) b[kText + i] = static_cast<uint8_t>(0x10 + i);
  for (std::size_t i = 0; i < 4; ++i) b[kData + i] = static_cast<uint8_t>(0x20 + i);
  const char names[] = "\0_start\0shared\0helper\0missing";
  std::memcpy(&b[kNames], names, sizeof names);
  const auto symbol = [&b](std::size_t index, uint32_t name, uint32_t value, uint32_t size, uint32_t info,
                           uint32_t section) {
    const std::size_t at = kSymbols + 16 * index;
    put32(b, at, name);
    put32(b, at + 4, value);
    put32(b, at + 8, size);
    b[at + 12] = static_cast<uint8_t>(info);
    put16(b, at + 14, section);
  };
  symbol(1, 15, kBase + 0x200, 4, 0x01, 1); // local object "helper"
  symbol(2, 15, kBase, 4, 0x12, 1);         // global function "helper"
  symbol(3, 1, kBase + 4, 0, 0x12, 1);      // global function "_start", size not given
  symbol(4, 8, kBase + 0x100, 16, 0x11, 1); // global object "shared"
  symbol(5, 22, 0, 0, 0x10, 0);             // undefined "missing"
  const auto section = [&b](std::size_t index, uint32_t type, uint32_t offset, uint32_t size, uint32_t link,
                            uint32_t entry) {
    const std::size_t at = kShdrs + 40 * index;
    put32(b, at + 4, type);
    put32(b, at + 16, offset);
    put32(b, at + 20, size);
    put32(b, at + 24, link);
    put32(b, at + 36, entry);
  };
  section(1, 2, kSymbols, 96, 2, 16);
  section(2, 3, kNames, 32, 0, 0);
  return b;
}

// The error, or nothing.
std::string error_of(const Bytes& bytes, uint32_t ram_bytes = 0x1000) {
  try {
    std::vector<uint8_t> ram(ram_bytes);
    ElfImage("fw.elf", bytes).load_into(RamView{ram.data(), kBase, ram_bytes, 0});
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

template <typename Change>
std::string error_with(Change change) {
  Bytes bytes = good_elf();
  change(bytes);
  return error_of(bytes);
}

// Loads without crashing; an error is one line that starts with the name.
void check_survives(const Bytes& bytes) {
  const std::string error = error_of(bytes);
  if (error.empty()) return;
  CHECK(error.rfind("fw.elf: ", 0) == 0);
  CHECK(error.find('\n') == std::string::npos);
  CHECK(error.size() < 300);
}

} // namespace

TEST_CASE("a good file is loaded, with its symbols") {
  const ElfImage image("fw.elf", good_elf());
  CHECK(image.entry() == kBase + 4);
  CHECK(image.segments().size() == 2);
  CHECK(image.end() == kBase + 0x110);
  std::vector<uint8_t> ram(0x200, 0xee);
  image.load_into(RamView{ram.data(), kBase, 0x200, 0});
  CHECK(ram[0] == 0x10);
  CHECK(ram[7] == 0x17);
  CHECK(ram[8] == 0xee);
  CHECK(ram[0x100] == 0x20);
  CHECK(ram[0x103] == 0x23);
  CHECK(ram[0x104] == 0); // bss
  CHECK(ram[0x10f] == 0);
  CHECK(ram[0x110] == 0xee);

  REQUIRE(image.find_symbol("shared"));
  CHECK(image.find_symbol("shared")->address == kBase + 0x100);
  CHECK(image.find_symbol("shared")->size == 16);
  CHECK_FALSE(image.find_symbol("shared")->function);
  CHECK(image.find_symbol("helper")->address == kBase); // the global one
  CHECK_FALSE(image.find_symbol("missing"));
  CHECK_FALSE(image.find_symbol("share"));
  CHECK_FALSE(image.find_symbol(""));
  CHECK(image.require_symbol("shared", "x").address == kBase + 0x100);
  CHECK_THROWS_WITH(image.require_symbol("dtrmc_shared", "the platform's configuration block"),
                    "fw.elf: has no symbol 'dtrmc_shared' (the platform's configuration block)");

  REQUIRE(image.functions().size() == 2);
  CHECK(image.functions()[0].name == "helper");
  CHECK(image.functions()[1].name == "_start");
  CHECK_FALSE(image.function_at(kBase - 4));
  CHECK(image.function_at(kBase)->name == "helper");
  CHECK(image.function_at(kBase + 4)->name == "_start");
  CHECK(image.function_at(kBase + 400)->name == "_start"); // no size, so up to the next one

  std::vector<uint8_t> more(0x1000);
  const Bytes bytes = good_elf();
  const LoadedElf loaded = load_elf(bytes.data(), bytes.size(), "fw.elf", more.data(), kBase, 0x1000);
  CHECK(loaded.entry == kBase + 4);
  CHECK(loaded.symbol("shared") == kBase + 0x100);
  CHECK_FALSE(loaded.symbol("nothing"));
  CHECK(more[0x100] == 0x20);
}

TEST_CASE("a stripped file is loaded") {
  Bytes bytes = good_elf();
  put32(bytes, 32, 0);
  put16(bytes, 48, 0);
  const ElfImage image("fw.elf", bytes);
  CHECK(image.functions().empty());
  CHECK_FALSE(image.find_symbol("shared"));
  CHECK_FALSE(image.function_at(kBase));
}

TEST_CASE("every bad field has its own message") {
  CHECK(error_of({}) == "fw.elf: is empty, not an ELF file");
  CHECK(error_of(Bytes(100, 'x')) == "fw.elf: is not an ELF file");
  CHECK(error_of({0x7f, 'E', 'L'}) == "fw.elf: is not an ELF file");
  CHECK(error_of({0x7f, 'E', 'L', 'F'}) == "fw.elf: is truncated within the ELF header");
  CHECK(error_with([](Bytes& b) { b[4] = 2; }) ==
        "fw.elf: is a 64-bit ELF file for RISC-V; needed: 32-bit RISC-V (rv32im)");
  CHECK(error_with([](Bytes& b) { b[4] = 3; }) == "fw.elf: has an unknown ELF class 3");
  CHECK(error_with([](Bytes& b) { b[5] = 2; }) ==
        "fw.elf: is a big-endian ELF file; needed: 32-bit little-endian RISC-V");
  CHECK(error_with([](Bytes& b) { b[5] = 0; }) == "fw.elf: has an unknown ELF data encoding 0");
  CHECK(error_with([](Bytes& b) { b[6] = 0; }) == "fw.elf: has an unknown ELF version");
  CHECK(error_with([](Bytes& b) { put16(b, 18, 40); }) ==
        "fw.elf: is for another machine, ARM; needed: 32-bit RISC-V (rv32im)");
  CHECK(error_with([](Bytes& b) { put16(b, 18, 999); }) ==
        "fw.elf: is for another machine, machine number 999; needed: 32-bit RISC-V (rv32im)");
  CHECK(error_with([](Bytes& b) { put16(b, 16, 1); }) ==
        "fw.elf: is a relocatable object file, not a linked executable");
  CHECK(error_with([](Bytes& b) { put16(b, 16, 3); }) ==
        "fw.elf: is a shared object or position-independent executable, not a linked executable");
  CHECK(error_with([](Bytes& b) { put32(b, 36, 1); }) ==
        "fw.elf: contains compressed instructions (EF_RISCV_RVC); build it with -march=rv32im_zicsr");
  for (const uint32_t abi : {2u, 4u, 6u}) {
    CHECK(error_with([abi](Bytes& b) { put32(b, 36, abi); }) ==
          "fw.elf: uses a hardware floating-point ABI; build it with -mabi=ilp32");
  }
  CHECK(error_with([](Bytes& b) { put16(b, 44, 0); }) == "fw.elf: has no program headers: nothing to load");
  CHECK(error_with([](Bytes& b) { put16(b, 44, 0xffff); }) == "fw.elf: has more program headers than are supported");
  CHECK(error_with([](Bytes& b) { put16(b, 44, 1000); }) ==
        "fw.elf: is truncated: its program headers lie beyond its end");
  CHECK(error_with([](Bytes& b) { put32(b, 28, 0xffffffff); }) ==
        "fw.elf: is truncated: its program headers lie beyond its end");
  CHECK(error_with([](Bytes& b) { put16(b, 42, 56); }) == "fw.elf: has program headers of 56 bytes instead of 32");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr0, 2); }) == "fw.elf: is dynamically linked; link it statically");
  CHECK(error_with([](Bytes& b) {
          put32(b, kPhdr0, 4);
          put32(b, kPhdr1, 4);
        }) == "fw.elf: has no loadable segment");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 20, 3); }) ==
        "fw.elf: segment 1 at 0x80000100 has more bytes in the file than in memory");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 4, kEnd - 3); }) ==
        "fw.elf: is truncated: segment 1 at 0x80000100 lies beyond its end");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 4, 0xfffffffe); }) ==
        "fw.elf: is truncated: segment 1 at 0x80000100 lies beyond its end");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 20, 0xffffffff); }) ==
        "fw.elf: segment 1 at 0x80000100 reaches beyond the 32-bit address space");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 12, kBase + 4); }) ==
        "fw.elf: segments at 0x80000000 and 0x80000004 overlap");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 12, kBase - 8); }) ==
        "fw.elf: segments at 0x7ffffff8 and 0x80000000 overlap");
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 12, kBase - 16); }) ==
        "fw.elf: segment at 0x7ffffff0 lies below RAM, which starts at 0x80000000");
  CHECK(error_of(good_elf(), 0x10c) == "fw.elf: needs 272 bytes of RAM from 0x80000000, but there are only 268");
  CHECK(error_of(good_elf(), 0x110).empty());
  CHECK(error_with([](Bytes& b) { put32(b, kPhdr1 + 20, 0x7fffff00); }) ==
        "fw.elf: needs 2147483648 bytes of RAM from 0x80000000, but there are only 4096");
  CHECK(error_with([](Bytes& b) { put32(b, 24, 0); }) == "fw.elf: has no entry point (link with ENTRY(...) or -e)");
  CHECK(error_with([](Bytes& b) { put32(b, 24, kBase + 2); }) ==
        "fw.elf: entry point 0x80000002 is not a multiple of 4");
  CHECK(error_with([](Bytes& b) { put32(b, 24, kBase + 8); }) ==
        "fw.elf: entry point 0x80000008 lies in no executable segment");
  CHECK(error_with([](Bytes& b) { put32(b, 24, kBase + 0x100); }) ==
        "fw.elf: entry point 0x80000100 lies in no executable segment"); // data
  CHECK(error_with([](Bytes& b) { put16(b, 46, 64); }) == "fw.elf: has section headers of 64 bytes instead of 40");
  CHECK(error_with([](Bytes& b) { put16(b, 48, 4); }) ==
        "fw.elf: is truncated: its section headers lie beyond its end");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 80 + 4, 2); }) == "fw.elf: has a symbol table without strings");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 4, 2); }) == "fw.elf: has a malformed symbol table");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 40 + 20, 95); }) == "fw.elf: has a malformed symbol table");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 40 + 36, 24); }) == "fw.elf: has a malformed symbol table");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 40 + 16, kEnd); }) ==
        "fw.elf: is truncated: its symbol table lies beyond its end");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 40 + 24, 3); }) == "fw.elf: has a symbol table without strings");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 80 + 16, kEnd); }) ==
        "fw.elf: is truncated: its symbol names lie beyond its end");
  CHECK(error_with([](Bytes& b) { put32(b, kShdrs + 80 + 20, 20); }) ==
        "fw.elf: has a symbol name that is not terminated or longer than 1023 bytes");
  CHECK(error_with([](Bytes& b) { put32(b, kSymbols + 16, 32); }) ==
        "fw.elf: has a symbol whose name lies outside the string table");
  CHECK(error_with([](Bytes& b) { std::copy_n(b.begin() + kShdrs + 40, 40, b.begin() + kShdrs); }) ==
        "fw.elf: has more than one symbol table");
}

TEST_CASE("a failed load leaves RAM as it was") {
  std::vector<uint8_t> ram(0x10c, 0xee);
  const ElfImage image("fw.elf", good_elf());
  CHECK_THROWS_AS(image.load_into(RamView{ram.data(), kBase, 0x10c, 0}), std::runtime_error);
  CHECK(ram == std::vector<uint8_t>(0x10c, 0xee));
}

TEST_CASE("paths that are no firmware") {
  const fs::path folder = fs::temp_directory_path() / ("dtrmc-elf-test-" + std::to_string(std::random_device{}()));
  fs::create_directories(folder);
  const std::string path = (folder / "fw.elf").string();
  CHECK_THROWS_WITH(ElfImage::read(path), path + ": no such file (firmware ELF)");
  CHECK_THROWS_WITH(ElfImage::read(folder.string()), folder.string() + ": is a directory, not an ELF file");
  CHECK_THROWS_WITH(ElfImage::read("/dev/null"), "/dev/null: is not a regular file");
  std::ofstream(path).close();
  CHECK_THROWS_WITH(ElfImage::read(path), path + ": is empty, not an ELF file");
  const Bytes bytes = good_elf();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  CHECK(ElfImage::read(path).entry() == kBase + 4);
  fs::resize_file(path, ElfImage::kMaxFileBytes + 1);
  CHECK_THROWS_WITH(ElfImage::read(path), path + ": is larger than 64 MiB: not a firmware image");
  fs::remove_all(folder);
  // A program of this very machine.
  CHECK_THROWS_WITH(ElfImage::read("/proc/self/exe"), Catch::Contains("is a 64-bit ELF file for"));
}

TEST_CASE("truncation at every byte is an error, or harmless") {
  const Bytes whole = good_elf();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    const Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    check_survives(bytes);
    CHECK_FALSE(error_of(bytes).empty()); // the section headers come last, so something is always missing
  }
}

TEST_CASE("flipped bytes never crash the loader") {
  const Bytes whole = good_elf();
  std::mt19937 random(20240607);
  for (int round = 0; round < 40000; ++round) {
    Bytes bytes = whole;
    const unsigned flips = 1 + random() % 6;
    for (unsigned i = 0; i < flips; ++i) {
      const uint8_t value = random() % 3 == 0 ? 0xff : static_cast<uint8_t>(random());
      bytes[random() % bytes.size()] = value;
    }
    check_survives(bytes);
  }
  // Each byte on its own, through all values.
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned value = 0; value < 256; value += 5) {
      Bytes bytes = whole;
      bytes[at] = static_cast<uint8_t>(value);
      check_survives(bytes);
    }
  }
}

TEST_CASE("flipped bytes in a linked program never crash the loader") {
  const std::string path = std::string(DTRMC_TEST_PROGRAMS) + "/interrupts.elf";
  std::ifstream file(path, std::ios::binary);
  const Bytes whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  REQUIRE(whole.size() > 1000);
  REQUIRE(error_of(whole).empty());
  std::mt19937 random(77);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes = whole;
    // Mostly within the headers: at the start and, for the sections, at the end.
    const std::size_t at = round % 2 == 0 ? random() % 200 : bytes.size() - 1 - random() % 600;
    bytes[at] = static_cast<uint8_t>(random());
    check_survives(bytes);
    bytes.resize(random() % bytes.size());
    check_survives(bytes);
  }
}

TEST_CASE("a hostile symbol table costs bounded time") {
  // As many symbols as fit, all with the longest name that is accepted.
  Bytes bytes = good_elf();
  const uint32_t symbols = static_cast<uint32_t>(bytes.size());
  const uint32_t count = 1u << 18;
  bytes.resize(bytes.size() + std::size_t{count} * 16);
  const auto names = static_cast<uint32_t>(bytes.size());
  bytes.resize(bytes.size() + 1025, 'n');
  bytes[names + 1024] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const std::size_t at = symbols + std::size_t{i} * 16;
    put32(bytes, at, 1);
    bytes[at + 12] = 2;
    put16(bytes, at + 14, 1);
  }
  put32(bytes, kShdrs + 40 + 16, symbols);
  put32(bytes, kShdrs + 40 + 20, count * 16);
  put32(bytes, kShdrs + 80 + 16, names);
  put32(bytes, kShdrs + 80 + 20, 1025);
  CHECK(error_of(bytes).empty());
  put32(bytes, kShdrs + 40 + 20, (count + 1) * 16);
  CHECK(error_of(bytes) == "fw.elf: has more than 262144 symbols");
}

} // namespace dtrmc::cpu::test
