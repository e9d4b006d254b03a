// SPDX-License-Identifier: Apache-2.0
#include "tests/cpu_rtl/snippets.h"

#include "firmware/protocol.h"
#include "systemc/cpu/csr.h"
#include "tests/cpu/assembler.h"
#include "tests/cpu_rtl/marks_board.h"

namespace dtrmc::test {

using namespace cpu::test;
namespace csr = cpu::csr;

namespace {

using Words = std::vector<uint32_t>;

// Registers: s0 bus, s1 data (in the upper half of RAM), s2..s5 operands, s8 handler; a* and t* scratch.
Words load_constant(uint32_t reg, uint32_t value) {
  const uint32_t high = value + 0x800u;
  return {lui(reg, high), addi(reg, reg, static_cast<int32_t>(value << 20) >> 20)};
}

void append(Words& to, const Words& from) { to.insert(to.end(), from.begin(), from.end()); }

Words operands(uint32_t a, uint32_t b) {
  Words words = load_constant(s2, a);
  append(words, load_constant(s3, b));
  return words;
}

std::vector<Snippet> make() {
  std::vector<Snippet> all;
  const auto add_snippet = [&](std::string name, Words setup, Words body) {
    const bool misaligned = name.find("misaligned") != name.npos || name.find("across") != name.npos;
    all.push_back({std::move(name), std::move(setup), std::move(body), {}, {}, false, misaligned});
  };
  const auto add_privileged = [&](std::string name, Words setup, Words body, Words handler = {},
                                  Words timer_handler = {}) {
    all.push_back({std::move(name), std::move(setup), std::move(body), std::move(handler), std::move(timer_handler),
                   true, false});
  };

  add_snippet("addi", {}, {addi(a0, a0, 1)});
  add_snippet("lui, auipc", {}, {lui(a0, 0x12345000), auipc(a1, 0x1000)});
  add_snippet("shifts", operands(0x89abcdef, 13), {sll(a0, s2, s3), srl(a1, s2, s3), sra(a2, s2, s3), slli(a3, a0, 7)});
  add_snippet("comparisons", operands(5, 0xfffffff0), {slt(a0, s2, s3), sltu(a1, s2, s3), slti(a2, s2, 4)});

  add_snippet("lw", {}, {lw(a0, s1, 0)});
  add_snippet("lb, lbu, lh, lhu", {}, {lb(a0, s1, 1), lbu(a1, s1, 3), lh(a2, s1, 2), lhu(a3, s1, 0)});
  add_snippet("lw, use", {}, {lw(a0, s1, 0), addi(a1, a0, 1)});
  add_snippet("lw, use as rs2", {}, {lw(a0, s1, 0), add(a1, s2, a0)});
  add_snippet("lw, other, use", {}, {lw(a0, s1, 0), addi(a2, a2, 1), addi(a1, a0, 1)});
  add_snippet("lw, lw by its result", {sw(s1, s1, 0)}, {lw(a0, s1, 0), lw(a1, a0, 0)});
  add_snippet("lw, sw of its result", {}, {lw(a0, s1, 0), sw(a0, s1, 8)});
  add_snippet("lw, sw by its result", {sw(s1, s1, 0)}, {lw(a0, s1, 0), sw(s2, a0, 8)});
  add_snippet("lw, mul of its result", {}, {lw(a0, s1, 0), mul(a1, a0, a0)});
  add_snippet("lw, div of its result", {}, {lw(a0, s1, 0), div(a1, s1, a0)});
  add_snippet("lw, bnez of its result", {}, {lw(a0, s1, 0), bne(a0, zero, 8), nop()});
  add_snippet("lw, beqz of its result", {}, {lw(a0, s1, 0), beq(a0, zero, 8), nop()});
  add_snippet("lw, beqz of another", {}, {lw(a0, s1, 0), beq(zero, zero, 8), nop()});
  add_snippet("lw, jal", {}, {lw(a0, s1, 0), jal(zero, 8), nop()});
  add_snippet("lw to x0, use of x0", {}, {lw(zero, s1, 0), add(a1, zero, zero)});
  add_snippet("lw, overwritten", {}, {lw(a0, s1, 0), addi(a0, zero, 1)});
  add_snippet("lw misaligned", {}, {lw(a0, s1, 2)});
  add_snippet("lh across a word", {}, {lh(a0, s1, 3)});
  add_snippet("lh misaligned in a word", {}, {lh(a0, s1, 1)});
  add_snippet("lw misaligned, use", {}, {lw(a0, s1, 1), addi(a1, a0, 1)});
  add_snippet("sw", {}, {sw(s2, s1, 0)});
  add_snippet("sb, sh", {}, {sb(s2, s1, 1), sh(s2, s1, 2)});
  add_snippet("sw, lw", {}, {sw(s2, s1, 0), lw(a0, s1, 0)});
  add_snippet("sw, addi", {}, {sw(s2, s1, 0), addi(a0, a0, 1)});
  add_snippet("sw, branch taken", {}, {sw(s2, s1, 0), beq(zero, zero, 8), nop()});
  add_snippet("sw misaligned", {}, {sw(s2, s1, 3)});
  add_snippet("sh across a word", {}, {sh(s2, s1, 3)});
  add_snippet("sw, sw, lw, lw", {}, {sw(s2, s1, 0), sw(s3, s1, 4), lw(a0, s1, 0), lw(a1, s1, 4)});

  const Words odd = operands(0x12345677, 0xfffffff1);
  add_snippet("mul", odd, {mul(a0, s2, s3)});
  add_snippet("mulh", odd, {mulh(a0, s2, s3)});
  add_snippet("mulhsu", odd, {mulhsu(a0, s2, s3)});
  add_snippet("mulhu", odd, {mulhu(a0, s2, s3)});
  add_snippet("mul, use", odd, {mul(a0, s2, s3), add(a1, a0, a0)});
  add_snippet("mulhu, mul", odd, {mulhu(a0, s2, s3), mul(a1, s2, s3)});
  add_snippet("mul, sw", odd, {mul(a0, s2, s3), sw(a0, s1, 0)});
  add_snippet("mul, branch taken", odd, {mul(a0, s2, s3), beq(zero, zero, 8), nop()});
  add_snippet("lw, mulh", odd, {lw(a0, s1, 0), mulh(a1, s2, s3)});
  const struct {
    const char* name;
    uint32_t a, b;
  } divisions[] = {{"7 / 3", 7, 3},
                   {"-7 / 3", 0xfffffff9, 3},
                   {"large / 1", 0xfffffffe, 1},
                   {"3 / large", 3, 0x7fffffff},
                   {"least / -1", 0x80000000, 0xffffffff},
                   {"0 / 5", 0, 5},
                   {"x / 0", 1234, 0}};
  for (const auto& division : divisions) {
    const Words setup = operands(division.a, division.b);
    add_snippet(std::string("div ") + division.name, setup, {div(a0, s2, s3)});
    add_snippet(std::string("divu ") + division.name, setup, {divu(a0, s2, s3)});
    add_snippet(std::string("rem ") + division.name, setup, {rem(a0, s2, s3)});
    add_snippet(std::string("remu ") + division.name, setup, {remu(a0, s2, s3)});
  }
  add_snippet("div, use", operands(7, 3), {div(a0, s2, s3), add(a1, a0, a0)});

  add_snippet("branch not taken", {}, {bne(zero, zero, 8)});
  add_snippet("branch taken", {}, {beq(zero, zero, 4)});
  add_snippet("branch taken over one", {}, {beq(zero, zero, 8), nop()});
  add_snippet("branches signed, unsigned", operands(5, 0xfffffff0),
              {blt(s3, s2, 8), nop(), bltu(s3, s2, 8), bge(s2, s3, 4)});
  add_snippet("addi, branch on it", {}, {addi(a0, zero, 1), bne(a0, zero, 8), nop()});
  add_snippet("branch not taken, taken", {}, {bne(zero, zero, 8), beq(zero, zero, 8), nop()});
  add_snippet("loop of 5", {}, {addi(a0, zero, 5), addi(a0, a0, -1), bne(a0, zero, -4)});
  add_snippet("branch back and forth", {}, {beq(zero, zero, 8), beq(zero, zero, 8), beq(zero, zero, -4)});
  add_snippet("jal", {}, {jal(ra, 4)});
  add_snippet("jal over one", {}, {jal(ra, 8), nop()});
  add_snippet("jalr", {}, {auipc(t0, 0), jalr(ra, t0, 8)});
  add_snippet("jalr over two", {}, {auipc(t0, 0), jalr(ra, t0, 16), nop(), nop()});
  add_snippet("lw, jalr of its result", {},
              {auipc(t0, 0), addi(t0, t0, 20), sw(t0, s1, 0), lw(t1, s1, 0), jalr(ra, t1, 0)});
  add_snippet("call and return", {}, {jal(ra, 8), jal(zero, 12), addi(a0, a0, 1), jalr(zero, ra, 0)});
  add_snippet("jal, lw", {}, {jal(ra, 8), nop(), lw(a0, s1, 0)});
  add_snippet("jal, jal", {}, {jal(ra, 8), nop(), jal(ra, 8), nop()});
  add_snippet(
      "lw, add, mul, sw, addi, bnez", {addi(s4, zero, 1)},
      {lw(a0, s1, 0), add(a1, a0, s2), mul(a2, a1, s2), sw(a2, s1, 4), addi(a3, a3, 1), bne(s4, zero, 8), nop()});
  add_snippet("fence", {}, {fence()});

  add_privileged("fence.i", {}, {fence_i()});
  add_privileged("fence.i, lw", {}, {fence_i(), lw(a0, s1, 0)});
  add_privileged("lw, fence.i", {}, {lw(a0, s1, 0), fence_i()});
  add_privileged("csrr mscratch", {}, {csrr(a0, csr::kMscratch)});
  add_privileged("csrw mscratch", {}, {csrw(csr::kMscratch, s2)});
  add_privileged("csrrw mscratch, use", {}, {csrrw(a0, csr::kMscratch, s2), addi(a1, a0, 1)});
  add_privileged("lw, csrw of its result", {}, {lw(a0, s1, 0), csrw(csr::kMscratch, a0)});
  add_privileged("lw, csrr", {}, {lw(a0, s1, 0), csrr(a1, csr::kMscratch)});
  add_privileged("csrr mstatus", {}, {csrr(a0, csr::kMstatus)});
  add_privileged("csrw mstatus", {}, {csrw(csr::kMstatus, zero)});
  add_privileged("csrsi mstatus", {}, {csrrsi(zero, csr::kMstatus, 8)});
  add_privileged("csrci mstatus", {}, {csrrci(zero, csr::kMstatus, 8)});
  add_privileged("csrr mie", {}, {csrr(a0, csr::kMie)});
  add_privileged("csrw mie", {}, {csrw(csr::kMie, zero)});
  add_privileged("csrs mie", {}, {csrrs(zero, csr::kMie, s2)});
  add_privileged("csrc mie", {}, {csrrc(zero, csr::kMie, s2)});
  add_privileged("lw, csrw mie", {}, {lw(a0, s1, 0), csrw(csr::kMie, zero)});
  add_privileged("csrr mip", {}, {csrr(a0, csr::kMip)});
  add_privileged("csrw mepc", {}, {csrw(csr::kMepc, s1)});
  add_privileged("csrw mcause", {}, {csrw(csr::kMcause, zero)});
  add_privileged("csrr mcycle", {}, {csrr(a0, csr::kMcycle)});
  add_privileged("csrr minstret", {}, {csrr(a0, csr::kMinstret)});
  add_privileged("csrw activity", {}, {csrrwi(zero, DTRMC_CSR_ACTIVITY, 1), csrrwi(zero, DTRMC_CSR_ACTIVITY, 0)});
  // The handler: back behind the four bytes of the trapping instruction.
  const Words skip{csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), mret()};
  add_privileged("ecall", {}, {ecall()}, skip);
  add_privileged("ebreak", {}, {ebreak()}, skip);
  add_privileged("illegal instruction", {}, {0xffffffffu}, skip);
  add_privileged("lw, ecall", {}, {lw(a0, s1, 0), ecall()}, skip);
  add_privileged("addi, ecall, addi", {}, {addi(a0, a0, 1), ecall(), addi(a0, a0, 1)}, skip);
  add_privileged("lw from nowhere", {}, {lw(a0, zero, 64)}, skip);
  add_privileged("sw to nowhere", {}, {sw(a0, zero, 64)}, skip);

  // Interrupts stay disabled: WFI goes on behind itself.
  const Words enable_timer{addi(t0, zero, 128), csrw(csr::kMie, t0)};
  Words pending = enable_timer;
  append(pending, {addi(t1, zero, 1), sw(t1, s0, 8), nop(), nop(), nop()});
  add_privileged("wfi, line high", pending, {wfi()});
  add_privileged("wfi, line high, lw", pending, {wfi(), lw(a0, s1, 0)});
  add_privileged("lw, wfi, line high", pending, {lw(a0, s1, 0), wfi()});
  for (const int32_t delay : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 100}) {
    add_privileged("wfi, timer in " + std::to_string(delay), enable_timer,
                   {addi(t1, zero, delay), sw(t1, s0, 8), wfi(), sw(zero, s0, 12)});
  }
  add_privileged("csrw mie, wfi, timer in 50", {},
                 {addi(t1, zero, 50), sw(t1, s0, 8), addi(t0, zero, 128), csrw(csr::kMie, t0), wfi(),
                  csrw(csr::kMie, zero), sw(zero, s0, 12)});
  // Taken by a handler that stops the timer.
  Words interrupted = enable_timer;
  append(interrupted, {addi(t2, zero, 8), csrw(csr::kMstatus, t2)});
  const Words acknowledge{sw(zero, s0, 12), mret()};
  add_privileged("wfi, interrupt in 30", interrupted, {addi(t1, zero, 30), sw(t1, s0, 8), wfi(), nop()}, {},
                 acknowledge);
  // No WFI: the line rises in the middle of single-cycle instructions.
  Words waiting{addi(t1, zero, 20), sw(t1, s0, 8)};
  for (int i = 0; i < 40; ++i) waiting.push_back(nop());
  add_privileged("interrupt in 20", interrupted, waiting, {}, acknowledge);
  // Line high before it is enabled.
  add_privileged("interrupt by csrsi mstatus", enable_timer,
                 {csrrci(zero, csr::kMstatus, 8), addi(t1, zero, 1), sw(t1, s0, 8), nop(), nop(), nop(),
                  csrrsi(zero, csr::kMstatus, 8), nop()},
                 {}, acknowledge);
  // Entry and return apart: back by JALR.
  add_privileged("ecall, back by jalr", {}, {auipc(t5, 0), ecall(), nop()}, {jalr(zero, t5, 8)});
  add_privileged("lw from nowhere, back by jalr", {}, {auipc(t5, 0), lw(a0, zero, 64), nop()}, {jalr(zero, t5, 8)});
  // Ibex has user mode: without MPP set, MRET would go there.
  add_privileged("mret", load_constant(s4, 0x1800),
                 {auipc(t5, 0), addi(t5, t5, 20), csrw(csr::kMepc, t5), csrrs(zero, csr::kMstatus, s4), mret()});
  return all;
}

} // namespace

const std::vector<Snippet>& snippets() {
  static const std::vector<Snippet> all = make();
  return all;
}

std::vector<uint32_t> program(const Snippet& snippet, unsigned repeats) {
  constexpr uint32_t kHandler = 0x4000; // from the start of RAM
  Words words = load_constant(s0, MarksBoard::kMark);
  append(words, load_constant(s1, MarksBoard::kRamBase + MarksBoard::kRamBytes / 2));
  if (snippet.privileged) {
    append(words, load_constant(t0, MarksBoard::kRamBase + kHandler));
    append(words, {addi(t0, t0, 1), csrw(csr::kMtvec, t0)}); // vectored: the only mode of Ibex
  }
  append(words, snippet.setup);
  append(words, {nop(), nop(), sw(zero, s0, 0), nop(), nop()});
  for (unsigned i = 0; i < repeats; ++i) append(words, snippet.body);
  append(words, {nop(), nop(), sw(zero, s0, 0), sw(zero, s0, 4), jal(zero, 0)});
  words.resize(kHandler / 4, nop());
  append(words, snippet.handler);
  words.resize(kHandler / 4 + 7, nop()); // cause 7
  append(words, snippet.timer_handler);
  return words;
}

} // namespace dtrmc::test
