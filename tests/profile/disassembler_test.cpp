// SPDX-License-Identifier: Apache-2.0
// The disassembly equals that of GNU objdump: over the whole firmware image, and over random encodings.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "firmware/image.h"
#include "systemc/profile/disassembler.h"
#include "tests/support/skip.h"

using namespace dtrmc;

namespace {

struct Line {
  std::uint32_t address;
  std::uint32_t word;
  std::string text; // without objdump's comments and symbols
};

// objdump's output as lines "address:\tword\tmnemonic\toperands".
std::vector<Line> objdump(const std::string& arguments) {
  const std::string command = std::string(DTRMC_OBJDUMP) + " -M no-aliases " + arguments + " 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::vector<Line> lines;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) {
    unsigned address = 0;
    unsigned word = 0;
    int used = 0;
    if (std::sscanf(buffer, " %x:\t%8x%n", &address, &word, &used) != 2) continue;
    std::string text = buffer + used;
    text.erase(0, text.find_first_not_of(" \t"));
    for (const char* end : {" <", " #", "\n", "\t#"}) {
      const std::size_t at = text.find(end);
      if (at != std::string::npos) text.erase(at);
    }
    for (char& c : text) {
      if (c == '\t') c = ' ';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    lines.push_back({address, word, text});
  }
  CHECK(pclose(pipe) == 0);
  return lines;
}

class TemporaryFile {
 public:
  TemporaryFile(const void* data, std::size_t bytes) {
    std::string name = (std::filesystem::temp_directory_path() / "dtrmc-objdump-XXXXXX").string();
    const int file = mkstemp(name.data());
    REQUIRE(file >= 0);
    std::FILE* stream = fdopen(file, "wb");
    REQUIRE(std::fwrite(data, 1, bytes, stream) == bytes);
    std::fclose(stream);
    path_ = name;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool objdump_absent() {
  if (std::strstr(DTRMC_OBJDUMP, "NOTFOUND") == nullptr) return false;
  std::cout << "SKIPPED: riscv64-unknown-elf-objdump is not installed (binutils-riscv64-unknown-elf)\n";
  test::skipped() = true;
  return true;
}

} // namespace

TEST_CASE("the firmware image disassembles as objdump shows it") {
  if (objdump_absent()) return;
  const firmware::Image image = firmware::image();
  const TemporaryFile file(image.data, image.size);
  const std::vector<Line> lines = objdump("-d " + file.path());
  REQUIRE(lines.size() > 2000);
  std::size_t wrong = 0;
  for (const Line& line : lines) {
    const std::string mine = profile::disassemble(line.word, line.address);
    if (mine == line.text || line.text.find("unimp") == 0) continue;
    if (++wrong <= 5)
      UNSCOPED_INFO(std::hex << line.address << ": " << line.word << ": " << mine << " | " << line.text);
  }
  CHECK(wrong == 0);
}

TEST_CASE("random instructions disassemble as objdump shows them") {
  if (objdump_absent()) return;
  static constexpr std::uint32_t kOpcodes[] = {0x37, 0x17, 0x6f, 0x67, 0x63, 0x03, 0x23, 0x13, 0x33, 0x73};
  std::mt19937 random(20260);
  std::vector<std::uint32_t> words;
  while (words.size() < 20000) {
    std::uint32_t word = static_cast<std::uint32_t>(random());
    word = (word & ~0x7fu) | kOpcodes[random() % std::size(kOpcodes)];
    if ((word & 0x7f) == 0x33) word = (word & 0x01ffffffu) | (random() % 3 == 0 ? 0x02000000u : 0);
    if ((word & 0x7f) == 0x13 && ((word >> 12) & 3) == 1) word &= 0x41ffffffu; // shifts
    // CSR numbers that objdump names and we do not are another matter: take those that we name.
    if ((word & 0x7f) == 0x73) word = (word & 0x000fffffu) | 0x34100000u;
    words.push_back(word);
  }
  const TemporaryFile file(words.data(), words.size() * 4);
  const std::vector<Line> lines = objdump("-D -b binary -m riscv:rv32 " + file.path());
  REQUIRE(lines.size() > 19000);
  std::size_t compared = 0;
  std::size_t wrong = 0;
  for (const Line& line : lines) {
    const std::string mine = profile::disassemble(line.word, line.address);
    if (mine.rfind(".word", 0) == 0) continue; // not in RV32IM; objdump knows more extensions
    ++compared;
    std::string text = line.text;
    const std::uint32_t opcode = line.word & 0x7f;
    // Without symbols objdump writes targets with 0x.
    if (opcode == 0x6f || opcode == 0x63) text.erase(text.rfind("0x"), 2);
    if (mine == text) continue;
    if (++wrong <= 5)
      UNSCOPED_INFO(std::hex << line.address << ": " << line.word << ": " << mine << " | " << line.text);
  }

  CHECK(wrong == 0);
  CHECK(compared > 12000);
}

TEST_CASE("what is no instruction stays a word") {
  CHECK(profile::disassemble(0, 0) == ".word 0x00000000");
  CHECK(profile::disassemble(0xffffffff, 0) == ".word 0xffffffff");
  CHECK(profile::disassemble(0x00006063, 0) == "bltu zero,zero,0"); // and a neighbour that is one
  CHECK(profile::disassemble(0x00002063, 0) == ".word 0x00002063");
}
