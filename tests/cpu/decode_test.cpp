// SPDX-License-Identifier: Apache-2.0
// Which encodings exist: all combinations of opcode, funct3 and funct7 against a list written from the ISA manual.
// What the instructions do is compared with Unicorn, which knows more extensions than this core.
#include "systemc/cpu/decode.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/cpu/assembler.h"

namespace dtrmc::cpu::test {
namespace {

constexpr uint32_t kBase = 0x80000000u;

bool is_legal(uint32_t word) {
  const RamView ram{nullptr, kBase, 0x10000, 0};
  return decode(word, kBase + 0x8000, ram).op != Op::kIllegal;
}

} // namespace

TEST_CASE("an encoding is legal exactly where the manual defines it") {
  // Words with the register fields 0 except where they select the instruction; immediates in funct7 are free.
  const auto expected = [](uint32_t opcode, uint32_t funct3, uint32_t funct7) {
    switch (opcode) {
      case 0x37:
      case 0x17:
      case 0x6f:
        return true;
      case 0x67:
        return funct3 == 0;
      case 0x63:
        return funct3 != 2 && funct3 != 3;
      case 0x03:
        return funct3 == 0 || funct3 == 1 || funct3 == 2 || funct3 == 4 || funct3 == 5;
      case 0x23:
        return funct3 <= 2;
      case 0x13:
        return (funct3 != 1 && funct3 != 5) || funct7 == 0 || (funct3 == 5 && funct7 == 0x20);
      case 0x33:
        return funct7 == 0 || funct7 == 1 || (funct7 == 0x20 && (funct3 == 0 || funct3 == 5));
      case 0x0f:
        return funct3 <= 1;
      // Registers and immediate 0: ECALL alone. CSR numbers are looked at when executed.
      case 0x73:
        return funct3 == 0 ? funct7 == 0 : funct3 != 4;
      default:
        return false;
    }
  };
  unsigned legal = 0;
  for (uint32_t opcode = 0; opcode < 128; ++opcode) {
    for (uint32_t funct3 = 0; funct3 < 8; ++funct3) {
      for (uint32_t funct7 = 0; funct7 < 128; ++funct7) {
        const uint32_t word = (funct7 << 25) | (funct3 << 12) | opcode;
        const bool want = expected(opcode, funct3, funct7);
        legal += want ? 1 : 0;
        if (is_legal(word) != want) {
          CAPTURE(opcode, funct3, funct7);
          CHECK(is_legal(word) == want);
        }
      }
    }
  }
  CHECK(legal > 0);
}

TEST_CASE("of the privileged instructions without operands exactly four exist") {
  const std::set<uint32_t> known = {ecall(), ebreak(), mret(), wfi()};
  for (uint32_t upper = 0; upper < (1u << 20); ++upper) { // funct3 0 cleared below: bits 31:12
    const uint32_t word = (upper << 12) | 0x73u;
    if ((word & 0x7000u) != 0) continue;
    if (is_legal(word) != (known.count(word) == 1)) {
      CAPTURE(word);
      CHECK(is_legal(word) == (known.count(word) == 1));
    }
  }
  CHECK_FALSE(is_legal(ecall() | (1u << 7))); // rd must be 0
}

TEST_CASE("fences with reserved fields are fences") {
  CHECK(is_legal(0xffff8f8fu)); // FENCE with every field set
  CHECK(is_legal(0x8330000fu)); // FENCE.TSO
  CHECK(is_legal(0x0100000fu)); // PAUSE, a hint
  CHECK(is_legal(0xffff9f8fu)); // FENCE.I
}

} // namespace dtrmc::cpu::test
