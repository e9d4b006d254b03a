// SPDX-License-Identifier: Apache-2.0
// Running whole blocks and running one instruction at a time is the same: registers, memory, cycles, instructions, at
// every limit, for every profile.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "systemc/cpu/csr.h"
#include "tests/cpu/assembler.h"
#include "tests/cpu/board.h"
#include "tests/cpu/board_map.h"

namespace dtrmc::cpu::test {

namespace {

constexpr uint32_t kBase = BOARD_RAM_BASE;
constexpr uint32_t kCode = 0x100; // offset of the random code
constexpr uint32_t kWords = 400;
constexpr uint32_t kData = kBase + 0x8000;

using Random = std::mt19937;

uint32_t below(Random& random, uint32_t bound) { return static_cast<uint32_t>(random()) % bound; }

// Code that branches within itself, calls, accesses data (aligned or not), devices, its own text, and now and then an
// address that nothing answers.
std::vector<uint32_t> random_code(Random& random) {
  std::vector<uint32_t> words;
  const auto reg = [&] { return below(random, 4) == 0 ? uint32_t{zero} : uint32_t{a0} + below(random, 6); };
  for (uint32_t i = 0; i < kWords; ++i) {
    const auto target = [&](uint32_t reach) {
      const uint32_t to = below(random, 4) == 0 ? below(random, kWords) : i + 1 + below(random, reach);
      return 4 * (static_cast<int32_t>(std::min(to, kWords)) - static_cast<int32_t>(i));
    };
    const auto offset = [&](int32_t width) {
      const auto word = static_cast<int32_t>(below(random, 64)) * 4;
      return below(random, 8) == 0 ? word + static_cast<int32_t>(below(random, 4)) : word / width * width;
    };
    switch (below(random, 40)) {
      case 0:
        words.push_back(lui(reg(), static_cast<uint32_t>(random())));
        break;
      case 1:
        words.push_back(div(reg(), reg(), reg()));
        break;
      case 2:
        words.push_back(remu(reg(), reg(), reg()));
        break;
      case 3:
        words.push_back(mulhu(reg(), reg(), reg()));
        break;
      case 4:
        words.push_back(mul(reg(), reg(), reg()));
        break;
      case 5:
      case 6:
        words.push_back(sub(reg(), reg(), reg()));
        break;
      case 7:
        words.push_back(srl(reg(), reg(), reg()));
        break;
      case 8:
        words.push_back(or_(reg(), reg(), reg()));
        break;
      case 9:
        words.push_back(sltu(reg(), reg(), reg()));
        break;
      case 10:
      case 11:
      case 12:
      case 13:
      case 14:
        words.push_back(lw(reg(), s0, offset(4)));
        break;
      case 15:
        words.push_back(lbu(reg(), s0, offset(1)));
        break;
      case 16:
        words.push_back(lh(reg(), s0, offset(2)));
        break;
      case 17:
      case 18:
      case 19:
        words.push_back(sw(reg(), s0, offset(4)));
        break;
      case 20:
        words.push_back(sh(reg(), s0, offset(2)));
        break;
      case 21:
        words.push_back(sb(reg(), s0, offset(1)));
        break;
      case 22:
        words.push_back(beq(reg(), reg(), target(8)));
        break;
      case 23:
      case 24:
        words.push_back(bne(reg(), reg(), target(8)));
        break;
      case 25:
        words.push_back(blt(reg(), reg(), target(8)));
        break;
      case 26:
        words.push_back(bltu(reg(), reg(), target(8)));
        break;
      case 27:
        words.push_back(bgeu(reg(), reg(), target(8)));
        break;
      case 28:
        words.push_back(jal(below(random, 2) == 0 ? uint32_t{ra} : uint32_t{zero}, target(12)));
        break;
      case 29:
        words.push_back(jalr(zero, ra, 0));
        break;
      case 30:
        words.push_back(lw(reg(), s1, BOARD_SLOW));
        break;
      case 31:
        words.push_back(sw(reg(), s1, BOARD_SCRATCH));
        break;
      case 32:
        words.push_back(csrrw(reg(), csr::kMscratch, reg()));
        break;
      case 33:
        words.push_back(csrr(reg(), csr::kMcycle));
        break;
      case 34:
        words.push_back(below(random, 4) == 0 ? fence_i() : fence());
        break;
      case 35: // a store over the code: another instruction, copied from elsewhere
        words.push_back(lw(t0, s2, static_cast<int32_t>(4 * below(random, kWords))));
        words.push_back(sw(t0, s2, static_cast<int32_t>(4 * below(random, kWords))));
        ++i;
        break;
      case 36:
        words.push_back(below(random, 6) == 0 ? lw(a0, zero, 64) : ecall());
        break;
      default:
        words.push_back(addi(reg(), reg(), static_cast<int32_t>(below(random, 64)) - 32));
        break;
    }
  }
  words.resize(kWords);
  return words;
}

void set_up(Board& board, const std::vector<uint32_t>& code, bool blocks) {
  // The handler goes on behind the faulting instruction.
  board.load({csrr(t1, csr::kMepc), addi(t1, t1, 4), csrrw(zero, csr::kMepc, t1), mret()}, kBase + 0x20);
  std::vector<uint32_t> words = code;
  words.push_back(jal(zero, -4 * static_cast<int32_t>(kWords))); // again from the start
  board.load(words, kBase + kCode);
  Core& core = board.core();
  core.set_blocks(blocks);
  core.set_fault_policy(FaultPolicy::kNever);
  core.write_csr(csr::kMtvec, kBase + 0x20);
  core.set_reg(s0, kData);
  core.set_reg(s1, BOARD_BASE);
  core.set_reg(s2, kBase + kCode);
  core.set_reg(ra, kBase + kCode);
  for (unsigned i = 0; i < 6; ++i) core.set_reg(a0 + i, 0x01234567u * (i + 1));
}

bool same(Board& a, Board& b) {
  for (unsigned i = 0; i < 32; ++i) {
    if (a.core().reg(i) != b.core().reg(i)) return false;
  }
  return a.core().pc() == b.core().pc() && a.core().cycle() == b.core().cycle() &&
         a.core().instructions() == b.core().instructions() && a.log() == b.log();
}

bool same_memory(const Board& a, const Board& b) {
  for (uint32_t offset = 0; offset < BOARD_RAM_BYTES; offset += 4) {
    if (a.word(kBase + offset) != b.word(kBase + offset)) return false;
  }
  return true;
}

} // namespace

TEST_CASE("blocks and single instructions agree at every limit, for every profile") {
  for (const TimingProfile* profile : timing_profiles()) {
    for (uint32_t wait_states : {0u, 2u}) {
      for (unsigned seed = 0; seed < 25; ++seed) {
        CAPTURE(profile->name(), wait_states, seed);
        Random random(seed);
        const std::vector<uint32_t> code = random_code(random);
        Board blocks(*profile, wait_states);
        Board single(*profile, wait_states);
        set_up(blocks, code, true);
        set_up(single, code, false);
        bool equal = true;
        uint64_t limit = 0;
        for (int runs = 0; runs < 200 && equal; ++runs) {
          limit += 1 + below(random, 8) * below(random, 400);
          const Stop stop_blocks = blocks.core().run(limit);
          const Stop stop_single = single.core().run(limit);
          equal = stop_blocks == stop_single && same(blocks, single);
        }
        CHECK(equal);
        CHECK(same_memory(blocks, single));
        CHECK(blocks.core().instructions() > 1000);
      }
    }
  }
}

TEST_CASE("a straight line longer than any block runs alike") {
  for (const bool blocks : {true, false}) {
    Board board(timing_profile("ibex-small"));
    std::vector<uint32_t> words(10000, addi(a0, a0, 1));
    words.push_back(jal(zero, 0));
    board.load(words);
    board.core().set_blocks(blocks);
    board.core().run(10001);
    CHECK(board.core().reg(a0) == 10000);
    CHECK(board.core().instructions() == 10001);
    CHECK(board.core().cycle() == 10002);
  }
}

} // namespace dtrmc::cpu::test
