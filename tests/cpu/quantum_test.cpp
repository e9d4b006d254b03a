// SPDX-License-Identifier: Apache-2.0
// How time is cut into runs must not show: same cycles, same instructions, same device accesses at the same cycles,
// same final state.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/cpu/assembler.h"
#include "tests/cpu/board.h"

namespace dtrmc::cpu::test {
namespace {

constexpr uint32_t kBase = BOARD_RAM_BASE;
constexpr uint32_t kHandler = BOARD_RAM_BASE + 0x2000;
constexpr uint32_t kData = BOARD_RAM_BASE + 0x4000;

struct Cut {
  uint64_t quantum;
  uint64_t nap;
  bool vary;
};
const std::vector<Cut> cuts = {{1, 0, false}, {1, 1, false},  {2, 3, false},   {3, 0, false},     {7, 100, true},
                               {64, 0, true}, {64, 17, true}, {1000, 0, true}, {10000, 0, false}, {10000, 0, true}};

// Everything that could differ.
struct Outcome {
  Board::End end;
  uint64_t cycle;
  uint64_t instructions;
  uint32_t pc;
  std::vector<uint32_t> registers;
  std::array<uint64_t, DTRMC_ACTIVITY_COUNT> activities;
  std::string log;
  std::vector<uint8_t> ram;

  bool operator==(const Outcome& other) const {
    return end == other.end && cycle == other.cycle && instructions == other.instructions && pc == other.pc &&
           registers == other.registers && activities == other.activities && log == other.log && ram == other.ram;
  }
};

Outcome outcome(Board& board, Board::End end) {
  Outcome result{end,
                 board.core().cycle(),
                 board.core().instructions(),
                 board.core().pc(),
                 {},
                 board.core().activity_cycles(),
                 board.log(),
                 board.ram()};
  for (unsigned i = 0; i < 32; ++i) result.registers.push_back(board.core().reg(i));
  for (const uint32_t number : {csr::kMstatus, csr::kMie, csr::kMepc, csr::kMcause, csr::kMtval, csr::kMcycle,
                                csr::kMinstret, csr::kMip, csr::kMscratch}) {
    result.registers.push_back(board.core().read_csr(number).value());
  }
  return result;
}

// A random program without end, full of what interacts with time: device accesses, CSR accesses, WFI, traps,
// hazards, and loops; interrupts come from random pulses, from lines it writes itself and from the timer.
std::vector<uint32_t> random_program(std::mt19937& random, unsigned length) {
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const auto reg = [&] { return a0 + below(6); };
  std::vector<uint32_t> words;
  while (words.size() < length) {
    switch (below(24)) {
      case 0:
        words.push_back(lw(reg(), s0, static_cast<int32_t>(below(64))));
        break;
      case 1:
        words.push_back(sw(reg(), s0, static_cast<int32_t>(below(64))));
        break;
      case 2:
        words.push_back(mul(reg(), reg(), reg()));
        break;
      case 3:
        words.push_back(divu(reg(), reg(), reg()));
        break;
      case 4:
        words.push_back(lw(reg(), s1, BOARD_SLOW));
        break;
      case 5:
        words.push_back(lw(reg(), s1, BOARD_ERROR));
        break;
      case 6:
        words.push_back(lw(reg(), s1, BOARD_CYCLE));
        break;
      case 7:
        words.push_back(sw(reg(), s1, BOARD_LEVELS));
        break;
      case 8: // a pulse some time from now
        words.push_back(addi(t0, zero, static_cast<int32_t>(below(300))));
        words.push_back(sw(t0, s1, BOARD_DELAY));
        words.push_back(addi(t0, zero, static_cast<int32_t>(1 + below(40))));
        words.push_back(sw(t0, s1, BOARD_LENGTH));
        words.push_back(lui(t0, 1u << (16 + below(16))));
        words.push_back(sw(t0, s1, BOARD_PULSE));
        break;
      case 9: // the timer, some time from now
        words.push_back(csrr(t0, csr::kTime));
        words.push_back(addi(t0, t0, static_cast<int32_t>(below(500))));
        words.push_back(sw(t0, s1, BOARD_TIMECMP));
        break;
      case 10:
        words.push_back(csrrsi(zero, csr::kMstatus, 8));
        break;
      case 11:
        words.push_back(csrrci(zero, csr::kMstatus, 8));
        break;
      case 12:
        words.push_back(csrrw(zero, csr::kMie, reg()));
        break;
      case 13:
        words.push_back(csrr(reg(), csr::kMip));
        break;
      case 14:
        words.push_back(csrr(reg(), csr::kMcycle));
        break;
      case 15: // sleep, with the timer set and enabled so that it ends
        words.push_back(csrr(t0, csr::kTime));
        words.push_back(addi(t0, t0, static_cast<int32_t>(below(400))));
        words.push_back(sw(t0, s1, BOARD_TIMECMP));
        words.push_back(addi(t0, zero, 0x80));
        words.push_back(csrrs(zero, csr::kMie, t0));
        // The interrupt may come before WFI is reached, and its handler switches the timer off.
        words.push_back(csrrci(zero, csr::kMstatus, 8));
        words.push_back(csrr(t0, csr::kTime));
        words.push_back(sw(t0, s1, BOARD_TIMECMP));
        words.push_back(wfi());
        break;
      case 16:
        words.push_back(csrrwi(zero, DTRMC_CSR_ACTIVITY, below(8)));
        break;
      case 17:
        words.push_back(ecall());
        break;
      case 18:
        words.push_back(beq(reg(), reg(), 8));
        break;
      case 19:
        words.push_back(bltu(reg(), reg(), 12));
        break;
      case 20: // a short loop
        words.push_back(addi(t1, zero, static_cast<int32_t>(1 + below(20))));
        words.push_back(addi(t1, t1, -1));
        words.push_back(bne(t1, zero, -4));
        break;
      case 21:
        words.push_back(csrrw(reg(), csr::kMscratch, reg()));
        break;
      case 22:
        words.push_back(csrr(reg(), csr::kMinstret));
        break;
      default:
        words.push_back(add(reg(), reg(), reg()));
        break;
    }
  }
  // Branches near the end land here.
  for (int i = 0; i < 3; ++i) words.push_back(nop());
  words.push_back(jal(zero, -4 * static_cast<int32_t>(words.size())));
  return words;
}

// Switches off what interrupted, and skips what trapped.
std::vector<uint32_t> handler() {
  return {
      csrr(t2, csr::kMcause),
      csrr(t3, csr::kMepc),
      blt(t2, zero, 12),
      addi(t3, t3, 4),
      csrrw(zero, csr::kMepc, t3),
      addi(t4, zero, -1),
      sw(t4, s1, BOARD_TIMECMP),
      sw(zero, s1, BOARD_LEVELS),
      addi(s2, s2, 1),
      mret(),
  };
}

Outcome run_random(uint32_t seed, const std::string& profile, const Cut& cut, uint64_t cycles, uint32_t* interrupts) {
  std::mt19937 random(seed);
  Board board(timing_profile(profile), random() % 3);
  board.load(handler(), kHandler);
  board.load(random_program(random, 300));
  for (uint64_t begin = 0; begin < cycles; begin += 1 + random() % 1000) {
    board.set_pulse(1u << (16 + random() % 16), begin, 1 + random() % 30);
  }
  Core& core = board.core();
  core.set_reg(s0, kData);
  core.set_reg(s1, BOARD_BASE);
  for (unsigned r = a0; r <= a5; ++r) core.set_reg(r, static_cast<uint32_t>(random()));
  core.write_csr(csr::kMtvec, kHandler);
  core.write_csr(csr::kMie, 0xffff0888u);
  core.write_csr(csr::kMstatus, mstatus::kMie);
  const Board::End end = board.run(cut.quantum, cycles, cut.nap, cut.vary);
  if (interrupts != nullptr) *interrupts = core.reg(s2);
  return outcome(board, end);
}

} // namespace

TEST_CASE("programs end alike however time is cut") {
  for (const char* program : {"exceptions", "csrs", "interrupts", "vectored", "wfi", "memory"}) {
    CAPTURE(program);
    const auto run = [program](const Cut& cut) {
      Board board(timing_profile("ibex-small"));
      board.load_program(program);
      const Board::End end = board.run(cut.quantum, 1000000, cut.nap, cut.vary);
      return outcome(board, end);
    };
    const Outcome reference = run({1000000, 0, false});
    CHECK(reference.end == Board::End::kExit);
    for (const Cut& cut : cuts) {
      CAPTURE(cut.quantum, cut.nap, cut.vary);
      CHECK(run(cut) == reference);
    }
  }
}

TEST_CASE("random programs with interrupts, device accesses and WFI do not see the quantum") {
  constexpr uint64_t kCycles = 20000;
  uint64_t interrupts_in_all = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    for (const char* profile : {"ibex-small", "ibex-maxperf", "cv32e40p"}) {
      CAPTURE(seed, profile);
      uint32_t interrupts = 0;
      // Where the last instruction ends depends on the program alone, so even the overshoot must agree.
      const Outcome reference = run_random(seed, profile, {1, 0, false}, kCycles, &interrupts);
      interrupts_in_all += interrupts;
      CHECK(reference.end == Board::End::kCycles);
      CHECK(reference.instructions > 1000);
      for (const Cut& cut : cuts) {
        CAPTURE(cut.quantum, cut.nap, cut.vary);
        const Outcome other = run_random(seed, profile, cut, kCycles, nullptr);
        CHECK(other.cycle == reference.cycle);
        CHECK(other.instructions == reference.instructions);
        CHECK(other.log == reference.log);
        REQUIRE(other == reference);
      }
    }
  }
  CHECK(interrupts_in_all > 2000); // or nothing was tested
}

TEST_CASE("a long quantum does cut time into fewer runs") {
  const auto runs = [](uint64_t quantum) {
    Board board(timing_profile("ibex-small"));
    board.load({addi(a0, a0, 1), jal(zero, -4)}, kBase);
    board.run(quantum, 30000);
    return board.runs();
  };
  CHECK(runs(1) == 20000);
  CHECK(runs(10000) == 3);
}

} // namespace dtrmc::cpu::test
