// SPDX-License-Identifier: Apache-2.0
// The core's interface to the platform: faults, stops, activity accounting, state access.
#include <catch2/catch.hpp>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "tests/cpu/assembler.h"
#include "tests/cpu/board.h"

namespace dtrmc::cpu::test {
namespace {

constexpr uint32_t kBase = BOARD_RAM_BASE;
constexpr uint64_t kMany = 1000000;

const TimingProfile& small() { return timing_profile("ibex-small"); }

uint64_t sum(const std::array<uint64_t, DTRMC_ACTIVITY_COUNT>& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), uint64_t{0});
}

} // namespace

TEST_CASE("a trap without a handler is a fault that says what and where") {
  struct Case {
    std::vector<uint32_t> words;
    uint32_t cause;
    uint32_t pc;
    uint32_t value;
    const char* text;
  };
  const std::vector<Case> cases = {
      {{nop(), 0x00000000}, 2, kBase + 4, 0, "illegal instruction 0x00000000 at pc 0x80000004"},
      {{lw(a0, zero, 16)}, 5, kBase, 16, "load access fault, address 0x00000010, at pc 0x80000000"},
      {{sw(a0, zero, 16)}, 7, kBase, 16, "store access fault, address 0x00000010, at pc 0x80000000"},
      {{jal(zero, 6)}, 0, kBase, kBase + 6, "jump to a misaligned address, address 0x80000006, at pc 0x80000000"},
      {{jalr(ra, zero, 64)}, 1, 64, 64, "instruction fetch outside RAM, address 0x00000040, at pc 0x00000040"},
      {{nop(), ecall()}, 11, kBase + 4, 0, "environment call (ECALL) at pc 0x80000004"},
      {{ebreak()}, 3, kBase, 0, "breakpoint (EBREAK) at pc 0x80000000"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    Board board(small());
    board.load(c.words);
    CHECK_THROWS_AS(board.core().fault(), std::logic_error);
    REQUIRE(board.core().run(kMany) == Stop::kFault);
    CHECK(board.core().fault().cause == c.cause);
    CHECK(board.core().fault().pc == c.pc);
    CHECK(board.core().fault().value == c.value);
    CHECK(board.core().fault().text == std::string(c.text) + ", no trap handler is set");
    const uint64_t cycle = board.core().cycle();
    CHECK(board.core().run(kMany) == Stop::kFault); // nothing moves any more
    CHECK(board.core().cycle() == cycle);
    board.core().reset(kBase);
    CHECK_FALSE(board.core().faulted());
  }
}

TEST_CASE("running past the end of RAM is a fetch fault") {
  Board board(small());
  const uint32_t last = kBase + BOARD_RAM_BYTES - 4;
  board.load({nop()}, last);
  REQUIRE(board.core().run(kMany) == Stop::kFault);
  CHECK(board.core().fault().cause == cause::kFetchFault);
  CHECK(board.core().fault().pc == last + 4);
  CHECK(board.core().instructions() == 1);
}

TEST_CASE("an interrupt without a handler is a fault, too") {
  Board board(small());
  board.load({nop(), nop()});
  board.core().write_csr(csr::kMie, 1u << 11);
  board.core().write_csr(csr::kMstatus, mstatus::kMie);
  board.set_levels(1u << 11);
  REQUIRE(board.core().run(kMany) == Stop::kFault);
  CHECK(board.core().fault().cause == (cause::kInterrupt | 11u));
  CHECK(board.core().fault().text == "interrupt 11 at pc 0x80000000, no trap handler is set");
}

TEST_CASE("fault policies") {
  const std::vector<uint32_t> words = {ecall(), 0};
  const auto at_handler = [](Board& board) {
    board.load({addi(a0, a0, 1), jal(zero, 0)}, kBase + 0x40);
    board.core().reset(kBase);
    board.core().write_csr(csr::kMtvec, kBase + 0x40);
  };
  SECTION("every exception but ECALL and EBREAK") {
    Board board(small());
    board.load(words);
    at_handler(board);
    board.core().set_fault_policy(FaultPolicy::kExceptions);
    CHECK(board.core().run(20) == Stop::kCycleLimit);
    CHECK(board.core().reg(a0) == 1);
    board.core().set_pc(kBase + 4);
    CHECK(board.core().run(kMany) == Stop::kFault);
    CHECK(board.core().fault().text == "illegal instruction 0x00000000 at pc 0x80000004");
  }
  SECTION("none") {
    Board board(small());
    board.load(words);
    board.core().set_fault_policy(FaultPolicy::kNever);
    CHECK(board.core().run(100) == Stop::kCycleLimit); // fetch faults at 0 for ever, 3 cycles each
    CHECK(board.core().cycle() == 102);
    CHECK(board.core().instructions() == 0);
    CHECK(board.core().read_csr(csr::kMcause) == cause::kFetchFault);
  }
}

TEST_CASE("a stack limit stops the program before anything is stored below it, at no cost in cycles") {
  // frame of 16 bytes, store at its bottom, call of itself; then the same with the frame size in a register
  for (const bool in_register : {false, true}) {
    CAPTURE(in_register);
    const uint32_t bottom = kBase + 0x100;
    const std::vector<uint32_t> words = {lui(sp, kBase),     addi(sp, sp, 0x140), // up: no allocation
                                         addi(t0, zero, 16), in_register ? sub(sp, sp, t0) : addi(sp, sp, -16),
                                         sw(ra, sp, 0),      jal(ra, -8)};
    Board board(small());
    board.load(words);
    board.core().set_stack_limit(bottom);
    REQUIRE(board.core().run(kMany) == Stop::kFault);
    const Fault& fault = board.core().fault();
    CHECK(fault.cause == cause::kStackOverflow);
    CHECK(fault.pc == kBase + 12);
    CHECK(fault.value == bottom - 16);
    CHECK(fault.text == "stack overflow: sp would be 0x800000f0, below its limit 0x80000100, at pc 0x8000000c");
    CHECK(board.core().reg(sp) == bottom); // four frames were fine
    CHECK(board.core().instructions() == 3 + 4 * 3);
    const uint64_t cycle = board.core().cycle();

    Board without(small());
    without.load(words);
    for (int i = 0; i < 3 + 4 * 3; ++i) without.core().run(without.core().cycle() + 1); // one instruction each
    CHECK(without.core().cycle() == cycle);
    CHECK(without.core().reg(sp) == bottom);
    without.core().run(without.core().cycle() + 1);
    CHECK(without.core().reg(sp) == bottom - 16); // no limit, no fault
    without.core().set_stack_limit(bottom);       // decoded code learns of it
    CHECK(without.core().run(kMany) == Stop::kFault);
  }
}

TEST_CASE("cycles are charged to the activity that the firmware names, from the write on") {
  Board board(small());
  std::vector<std::tuple<uint32_t, uint32_t, uint64_t>> seen;
  board.core().set_activity_observer(
      [&seen](uint32_t from, uint32_t to, uint64_t cycle) { seen.emplace_back(from, to, cycle); });
  board.load({
      nop(),                                 // cycle 0: activity 0
      csrrwi(zero, DTRMC_CSR_ACTIVITY, 4),   // cycle 1: its own cycle counts to 4
      mul(a0, a0, a0),                       // cycles 2..4
      addi(a1, zero, DTRMC_IN_DECISION | 6), // cycle 5
      csrrw(a2, DTRMC_CSR_ACTIVITY, a1),     // cycle 6
      csrrs(a3, DTRMC_CSR_ACTIVITY, zero),   // cycle 7: a read changes nothing
      csrrci(zero, DTRMC_CSR_ACTIVITY, 2),   // cycle 8: to 4, still deciding
      lw(a4, zero, 0),                       // load access fault
  });
  CHECK(board.core().run(kMany) == Stop::kFault);
  CHECK(board.core().cycle() == 9);
  CHECK(board.core().activity_cycles() == std::array<uint64_t, 8>{1, 0, 0, 0, 5 + 1, 0, 2, 0});
  CHECK(board.core().reg(a2) == 4);
  CHECK(board.core().reg(a3) == (DTRMC_IN_DECISION | 6));
  CHECK(board.core().activity() == (DTRMC_IN_DECISION | 4));
  const std::vector<std::tuple<uint32_t, uint32_t, uint64_t>> expected = {
      {0, 4, 1}, {4, DTRMC_IN_DECISION | 6, 6}, {DTRMC_IN_DECISION | 6, DTRMC_IN_DECISION | 4, 8}};
  CHECK(seen == expected);
}

TEST_CASE("sleep and trap entry are charged to the activity in force, and the parts add up") {
  Board board(small());
  board.load({csrrwi(zero, DTRMC_CSR_ACTIVITY, 7), wfi(), csrrwi(zero, DTRMC_CSR_ACTIVITY, 1), ecall()});
  board.load({csrrwi(zero, DTRMC_CSR_ACTIVITY, 2), jal(zero, 0)}, kBase + 0x40);
  board.core().reset(kBase);
  board.core().write_csr(csr::kMtvec, kBase + 0x40);
  board.core().write_csr(csr::kMie, 1u << 17);
  CHECK(board.core().run(kMany) == Stop::kWaitForInterrupt);
  board.core().idle_until(60);
  CHECK(board.core().activity_cycles() == std::array<uint64_t, 8>{0, 0, 0, 0, 0, 0, 0, 60});
  board.core().wake(100);
  CHECK(board.core().run(200) == Stop::kCycleLimit);
  CHECK(board.core().activity_cycles() == std::array<uint64_t, 8>{0, 1 + 3, 201 - 106, 0, 0, 0, 0, 102});
  CHECK(sum(board.core().activity_cycles()) == board.core().cycle());
}

TEST_CASE("a stop can be requested from a device access, an interrupt sample or outside") {
  class Stopper : public Environment {
   public:
    Core* core = nullptr;
    MmioResult read(uint32_t, unsigned, uint64_t) override { return {}; }
    MmioResult write(uint32_t, unsigned, uint32_t, uint64_t) override {
      core->request_stop();
      return {};
    }
    uint32_t interrupt_lines(uint64_t) override {
      core->request_stop();
      return 0;
    }
  };
  std::vector<uint8_t> ram(64);
  const std::vector<uint32_t> words = {nop(), sw(a0, zero, 0), nop(), csrrs(a1, csr::kMip, zero), wfi(), nop()};
  std::copy_n(reinterpret_cast<const uint8_t*>(words.data()), words.size() * 4, ram.begin());
  Stopper stopper;
  Core core(small(), RamView{ram.data(), kBase, 64, 0}, stopper);
  stopper.core = &core;
  core.request_stop();
  CHECK(core.run(kMany) == Stop::kRequested);
  CHECK(core.pc() == kBase);
  CHECK(core.run(kMany) == Stop::kRequested);
  CHECK(core.pc() == kBase + 8); // behind the store
  CHECK(core.instructions() == 2);
  CHECK(core.run(kMany) == Stop::kRequested);
  CHECK(core.pc() == kBase + 16); // behind the read of mip
  CHECK(core.run(kMany) == Stop::kRequested);
  CHECK(core.waiting());                      // asleep, and told to stop
  CHECK(core.run(kMany) == Stop::kRequested); // the sample itself asks again
}

TEST_CASE("an exception thrown by a device leaves the core at the start of the access") {
  class Thrower : public Environment {
   public:
    MmioResult read(uint32_t, unsigned, uint64_t) override { throw std::runtime_error("device"); }
    MmioResult write(uint32_t, unsigned, uint32_t, uint64_t) override { return {}; }
    uint32_t interrupt_lines(uint64_t) override { return 0; }
  };
  std::vector<uint8_t> ram(64);
  const std::vector<uint32_t> words = {nop(), nop(), lw(a0, zero, 0)};
  std::copy_n(reinterpret_cast<const uint8_t*>(words.data()), words.size() * 4, ram.begin());
  Thrower thrower;
  Core core(small(), RamView{ram.data(), kBase, 64, 0}, thrower);
  CHECK_THROWS_WITH(core.run(kMany), "device");
  CHECK(core.pc() == kBase + 8);
  CHECK(core.cycle() == 2);
  CHECK(core.instructions() == 2);
}

TEST_CASE("the run returns when the bound on its length must be found anew") {
  Board board(small());
  board.load({nop(), sw(zero, s1, BOARD_SCRATCH), csrrsi(zero, csr::kMstatus, 8), nop(), csrrs(zero, csr::kMie, a0),
              nop(), sw(zero, s1, BOARD_SCRATCH), nop(), csrrci(zero, csr::kMstatus, 8), nop(),
              csrrsi(zero, csr::kMstatus, 8), mret()});
  Core& core = board.core();
  core.set_reg(s1, BOARD_BASE);
  core.set_reg(a0, 1u << 16);
  core.write_csr(csr::kMtvec, kBase + 0x100);
  core.write_csr(csr::kMepc, kBase);
  const auto stops_behind = [&core](uint32_t index) {
    CHECK(core.run(kMany) == Stop::kCycleLimit);
    CHECK(core.pc() == kBase + 4 * index);
  };
  stops_behind(5);  // mie, with MIE set: newly interruptible; neither the store nor MIE alone did that
  stops_behind(7);  // a device access while interruptible
  stops_behind(11); // MIE again
  core.write_csr(csr::kMstatus, mstatus::kMpie);
  stops_behind(0); // MRET
  CHECK(core.interruptible());
}

TEST_CASE("a store is seen by the next fetch, whatever its size, also without FENCE.I") {
  // The target `addi a0, a0, 1` runs, is changed while it is decoded already, and runs again.
  struct Case {
    uint32_t store;
    uint32_t value;
    uint32_t second; // what the changed instruction adds
  };
  const std::vector<Case> cases = {
      {sb(a1, s0, 3), 0x02, 0x21},             // bits 31:24
      {sh(a1, s0, 2), 0x0305, 0x30},           // bits 31:16, of which 19:16 belong to rs1
      {sh(a1, s0, 1), 0x2505, 2},              // misaligned within the word
      {sw(a1, s0, 0), addi(a0, a0, 100), 100}, //
      {sw(a1, s0, 2), (addi(s1, s1, -1) << 16) | (addi(a0, a0, 9) >> 16), 9}, // across two instructions
  };
  for (const Case& c : cases) {
    CAPTURE(c.store);
    Board board(small());
    board.load({jal(zero, 8), c.store, addi(a0, a0, 1), addi(s1, s1, -1), bne(s1, zero, -12), ebreak()});
    Core& core = board.core();
    core.set_reg(s0, kBase + 8);
    core.set_reg(s1, 2);
    core.set_reg(a1, c.value);
    CHECK(core.run(kMany) == Stop::kFault);
    CHECK(core.fault().cause == cause::kBreakpoint);
    CHECK(core.reg(a0) == 1 + c.second);
    CHECK(core.instructions() == 8);
  }
}

TEST_CASE("state access for debuggers") {
  Board board(small());
  board.load({addi(a0, a0, 1), jal(zero, -4)});
  Core& core = board.core();
  core.set_reg(0, 5);
  CHECK(core.reg(0) == 0);
  CHECK_THROWS(core.reg(33));
  CHECK_THROWS_AS(core.set_reg(32, 1), std::invalid_argument);
  CHECK_THROWS_AS(core.set_pc(kBase + 2), std::invalid_argument);
  CHECK_THROWS_AS(core.wake(5), std::logic_error);
  CHECK_THROWS_AS(core.idle_until(5), std::logic_error);
  CHECK_FALSE(core.read_csr(0x100).has_value());
  CHECK_FALSE(core.write_csr(csr::kMhartid, 0));
  CHECK(core.write_csr(csr::kMcycle, 500));
  CHECK(core.read_csr(csr::kMcycle) == 500u);
  CHECK(core.cycle() == 0);
  // A change of code from outside is seen once it is announced.
  CHECK(board.core().run(30) == Stop::kCycleLimit);
  CHECK(core.reg(a0) == 10);
  board.set_word(kBase, addi(a0, zero, 0));
  CHECK(board.core().run(60) == Stop::kCycleLimit);
  CHECK(core.reg(a0) == 0);
  core.invalidate_code(0, 0xffffffffu); // any range is allowed
  core.invalidate_code(kBase + 4, 0);
  CHECK(board.core().run(90) == Stop::kCycleLimit);
}

TEST_CASE("a RAM that the core cannot use is refused") {
  Board board(small());
  std::vector<uint8_t> ram(64);
  const auto make = [&](RamView view) { return Core(small(), view, board).cycle(); };
  CHECK(make({ram.data(), 0, 64, 0}) == 0);
  CHECK(make({ram.data(), 0xffffffc0u, 64, 0}) == 0);
  CHECK_THROWS_AS(make({nullptr, 0, 64, 0}), std::invalid_argument);
  CHECK_THROWS_AS(make({ram.data(), 0, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(make({ram.data(), 2, 64, 0}), std::invalid_argument);
  CHECK_THROWS_AS(make({ram.data(), 0, 63, 0}), std::invalid_argument);
  CHECK_THROWS_AS(make({ram.data(), 0xffffffc4u, 64, 0}), std::invalid_argument);
  CHECK_THROWS_AS(make({ram.data(), 0, 0x80000004u, 0}), std::invalid_argument);
}

} // namespace dtrmc::cpu::test
