// SPDX-License-Identifier: Apache-2.0
// The core against an independent simulator, Unicorn: random programs over all RV32IM instructions with corner
// operands; all registers, the program counter, the number of instructions and a window of memory are compared after
// each program. A difference is traced to its first instruction by stepping both.
//
// DTRMC_UNICORN_INSTRUCTIONS (compile time): how many instructions to run. A failure prints its seed;
// DTRMC_UNICORN_SEED=<seed> (environment) runs that one program again.
#include <unicorn/unicorn.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "systemc/cpu/core.h"
#include "tests/cpu/assembler.h"

namespace dtrmc::cpu::test {
namespace {

constexpr uint32_t kBase = 0x80000000u;
constexpr uint32_t kRamBytes = 0x10000;
constexpr uint32_t kWindow = 0x8000; // offset of the memory that programs load and store, ...
constexpr uint32_t kWindowBytes = 0x2000;
constexpr uint32_t kWindowMiddle = kWindow + kWindowBytes / 2; // ... reached from here by any 12-bit offset
constexpr unsigned kProgramLength = 40;
// Registers that hold addresses and are never written: s0 the middle of the window, s1 near it and misaligned.
constexpr uint32_t kReservedA = s0;
constexpr uint32_t kReservedB = s1;

struct Instruction {
  const char* name;
  uint32_t word;
};

struct Program {
  std::vector<Instruction> code; // the end is behind the last one
  std::array<uint32_t, 32> registers{};
  std::vector<uint8_t> window;
};

uint32_t corner(std::mt19937& random) {
  static constexpr std::array<uint32_t, 16> corners = {
      0,          1,          2,          31,         32,         0xffffffffu, 0xfffffffeu, 0x80000000u,
      0x80000001, 0x7fffffff, 0x7ffffffe, 0x0000ffff, 0x00010000, 0xffff0000u, 0x55555555u, 0xaaaaaaaau};
  const auto value = static_cast<uint32_t>(random());
  switch (random() % 4) {
    case 0:
      return value;
    case 1:
      return value >> (random() % 32); // small numbers, all sizes
    default:
      return corners[value % corners.size()];
  }
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  Program program() {
    Program program;
    for (uint32_t& value : program.registers) value = corner(random_);
    program.registers[0] = 0;
    program.registers[kReservedA] = kBase + kWindowMiddle;
    program.registers[kReservedB] = kBase + kWindowMiddle - 500 + below(1000);
    program.window.resize(kWindowBytes);
    for (uint8_t& byte : program.window) byte = static_cast<uint8_t>(random_());
    while (program.code.size() < kProgramLength) add_instruction(program.code);
    // Targets of jumps near the end.
    for (int i = 0; i < 6; ++i) program.code.push_back({"addi", nop()});
    return program;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  uint32_t source() { return below(32); }
  uint32_t destination() {
    uint32_t r = below(32);
    while (r == kReservedA || r == kReservedB) r = below(32);
    return r;
  }
  int32_t immediate() {
    static constexpr std::array<int32_t, 6> corners = {0, 1, -1, 2047, -2048, 31};
    return below(2) == 0 ? corners[below(6)] : static_cast<int32_t>(below(4096)) - 2048;
  }
  int32_t forward() { return 4 * static_cast<int32_t>(1 + below(5)); }
  uint32_t address() { return below(2) == 0 ? kReservedA : kReservedB; }
  // Offsets over the whole range, or close together, so that stores and loads meet.
  int32_t offset() { return below(2) == 0 ? static_cast<int32_t>(below(16)) : 4 * static_cast<int32_t>(below(300)); }

  void add_instruction(std::vector<Instruction>& code) {
    const uint32_t rd = destination();
    const uint32_t rs1 = source();
    const uint32_t rs2 = source();
    const int32_t imm = immediate();
    const uint32_t amount = below(32);
    switch (below(55)) {
      case 0:
        code.push_back({"lui", lui(rd, static_cast<uint32_t>(random_()))});
        break;
      case 1:
        code.push_back({"auipc", auipc(rd, static_cast<uint32_t>(random_()))});
        break;
      case 2:
        code.push_back({"addi", addi(rd, rs1, imm)});
        break;
      case 3:
        code.push_back({"slti", slti(rd, rs1, imm)});
        break;
      case 4:
        code.push_back({"sltiu", sltiu(rd, rs1, imm)});
        break;
      case 5:
        code.push_back({"xori", xori(rd, rs1, imm)});
        break;
      case 6:
        code.push_back({"ori", ori(rd, rs1, imm)});
        break;
      case 7:
        code.push_back({"andi", andi(rd, rs1, imm)});
        break;
      case 8:
        code.push_back({"slli", slli(rd, rs1, amount)});
        break;
      case 9:
        code.push_back({"srli", srli(rd, rs1, amount)});
        break;
      case 10:
        code.push_back({"srai", srai(rd, rs1, amount)});
        break;
      case 11:
        code.push_back({"add", add(rd, rs1, rs2)});
        break;
      case 12:
        code.push_back({"sub", sub(rd, rs1, rs2)});
        break;
      case 13:
        code.push_back({"sll", sll(rd, rs1, rs2)});
        break;
      case 14:
        code.push_back({"slt", slt(rd, rs1, rs2)});
        break;
      case 15:
        code.push_back({"sltu", sltu(rd, rs1, rs2)});
        break;
      case 16:
        code.push_back({"xor", xor_(rd, rs1, rs2)});
        break;
      case 17:
        code.push_back({"srl", srl(rd, rs1, rs2)});
        break;
      case 18:
        code.push_back({"sra", sra(rd, rs1, rs2)});
        break;
      case 19:
        code.push_back({"or", or_(rd, rs1, rs2)});
        break;
      case 20:
        code.push_back({"and", and_(rd, rs1, rs2)});
        break;
      case 21:
        code.push_back({"mul", mul(rd, rs1, rs2)});
        break;
      case 22:
        code.push_back({"mulh", mulh(rd, rs1, rs2)});
        break;
      case 23:
        code.push_back({"mulhsu", mulhsu(rd, rs1, rs2)});
        break;
      case 24:
        code.push_back({"mulhu", mulhu(rd, rs1, rs2)});
        break;
      case 25:
        code.push_back({"div", div(rd, rs1, rs2)});
        break;
      case 26:
        code.push_back({"divu", divu(rd, rs1, rs2)});
        break;
      case 27:
        code.push_back({"rem", rem(rd, rs1, rs2)});
        break;
      case 28:
        code.push_back({"remu", remu(rd, rs1, rs2)});
        break;
      case 29:
        code.push_back({"lb", lb(rd, address(), offset())});
        break;
      case 30:
        code.push_back({"lbu", lbu(rd, address(), offset())});
        break;
      case 31:
        code.push_back({"lh", lh(rd, address(), offset())});
        break;
      case 32:
        code.push_back({"lhu", lhu(rd, address(), offset())});
        break;
      case 33:
      case 34:
        code.push_back({"lw", lw(rd, address(), offset())});
        break;
      case 35:
        code.push_back({"sb", sb(rs2, address(), offset())});
        break;
      case 36:
        code.push_back({"sh", sh(rs2, address(), offset())});
        break;
      case 37:
      case 38:
        code.push_back({"sw", sw(rs2, address(), offset())});
        break;
      case 39:
        code.push_back({"sw", sw(rs2, address(), imm)});
        break;
      case 40:
        code.push_back({"lw", lw(rd, address(), imm)});
        break;
      case 41:
        code.push_back({"beq", beq(rs1, below(2) == 0 ? rs1 : rs2, forward())});
        break;
      case 42:
        code.push_back({"bne", bne(rs1, below(2) == 0 ? rs1 : rs2, forward())});
        break;
      case 43:
        code.push_back({"blt", blt(rs1, rs2, forward())});
        break;
      case 44:
        code.push_back({"bge", bge(rs1, rs2, forward())});
        break;
      case 45:
        code.push_back({"bltu", bltu(rs1, rs2, forward())});
        break;
      case 46:
        code.push_back({"bgeu", bgeu(rs1, rs2, forward())});
        break;
      case 47:
        code.push_back({"jal", jal(rd, forward())});
        break;
      case 48:
        add_jalr(code, rd);
        break;
      case 49:
        code.push_back({"fence", fence()});
        break;
      case 50:
        code.push_back({"fence.i", fence_i()});
        break;
      case 51:
        add_loop(code);
        break;
      case 52:
        add_division_corner(code, rd);
        break;
      case 53:
        code.push_back({"csrrw", csrrw(rd, csr::kMscratch, rs1)});
        break;
      default:
        add_csr(code, rd, rs1, amount);
        break;
    }
  }

  void add_csr(std::vector<Instruction>& code, uint32_t rd, uint32_t rs1, uint32_t imm) {
    switch (below(5)) {
      case 0:
        code.push_back({"csrrs", csrrs(rd, csr::kMscratch, rs1)});
        break;
      case 1:
        code.push_back({"csrrc", csrrc(rd, csr::kMscratch, rs1)});
        break;
      case 2:
        code.push_back({"csrrwi", csrrwi(rd, csr::kMscratch, imm)});
        break;
      case 3:
        code.push_back({"csrrsi", csrrsi(rd, csr::kMscratch, imm)});
        break;
      default:
        code.push_back({"csrrci", csrrci(rd, csr::kMscratch, imm)});
        break;
    }
  }

  // AUIPC, then JALR forward, sometimes with the lowest bit set, which is ignored; base and link may be the same.
  // Nothing jumps between the two: the pair is preceded by enough NOPs for every branch before it to land on.
  void add_jalr(std::vector<Instruction>& code, uint32_t rd) {
    pad(code);
    uint32_t base = destination();
    while (base == 0) base = destination();
    code.push_back({"auipc", auipc(base, 0)});
    const int32_t odd = below(3) == 0 ? 1 : 0;
    code.push_back({"jalr", jalr(below(4) == 0 ? base : rd, base, 4 + forward() + odd)});
  }

  // A loop of a few rounds with a backward branch.
  void add_loop(std::vector<Instruction>& code) {
    pad(code);
    uint32_t counter = destination();
    while (counter == 0) counter = destination();
    uint32_t sum = destination();
    while (sum == counter) sum = destination();
    code.push_back({"addi", addi(counter, zero, static_cast<int32_t>(1 + below(6)))});
    code.push_back({"add", add(sum, sum, counter)});
    code.push_back({"addi", addi(counter, counter, -1)});
    code.push_back({"bne", bne(counter, zero, -8)});
  }

  // INT_MIN / -1 and division by zero, whatever the registers hold.
  void add_division_corner(std::vector<Instruction>& code, uint32_t rd) {
    uint32_t dividend = destination();
    while (dividend == 0) dividend = destination();
    uint32_t divisor = destination();
    while (divisor == dividend || divisor == 0) divisor = destination();
    code.push_back({"lui", lui(dividend, 0x80000000u)});
    code.push_back({"addi", addi(divisor, zero, -static_cast<int32_t>(below(2)))});
    switch (below(4)) {
      case 0:
        code.push_back({"div", div(rd, dividend, divisor)});
        break;
      case 1:
        code.push_back({"rem", rem(rd, dividend, divisor)});
        break;
      case 2:
        code.push_back({"divu", divu(rd, dividend, divisor)});
        break;
      default:
        code.push_back({"remu", remu(rd, dividend, divisor)});
        break;
    }
  }

  void pad(std::vector<Instruction>& code) {
    for (int i = 0; i < 4; ++i) code.push_back({"addi", nop()});
  }

  std::mt19937 random_;
};

struct State {
  std::array<uint32_t, 32> registers{};
  uint32_t pc = 0;
  uint64_t instructions = 0;
  std::vector<uint8_t> window;

  bool operator==(const State& other) const {
    return registers == other.registers && pc == other.pc && instructions == other.instructions &&
           window == other.window;
  }
};

std::string difference(const State& ours, const State& theirs) {
  std::string text;
  char line[96];
  const auto note = [&](const std::string& what, uint64_t a, uint64_t b) {
    if (a == b) return;
    std::snprintf(line, sizeof line, "  %s: dtrmc 0x%08llx, unicorn 0x%08llx\n", what.c_str(),
                  static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
    text += line;
  };
  for (unsigned i = 0; i < 32; ++i) note("x" + std::to_string(i), ours.registers[i], theirs.registers[i]);
  note("pc", ours.pc, theirs.pc);
  note("instructions", ours.instructions, theirs.instructions);
  for (std::size_t i = 0; i < ours.window.size(); ++i) {
    note("byte at window + " + std::to_string(i), ours.window[i], theirs.window[i]);
  }
  return text;
}

class Unicorn {
 public:
  Unicorn() : ram_(kRamBytes) {
    check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &engine_));
    check(uc_mem_map(engine_, kBase, kRamBytes, UC_PROT_ALL));
    check(uc_hook_add(engine_, &hook_, UC_HOOK_CODE, reinterpret_cast<void*>(&Unicorn::on_instruction), this, 1, 0));
  }
  ~Unicorn() { uc_close(engine_); }
  Unicorn(const Unicorn&) = delete;
  Unicorn& operator=(const Unicorn&) = delete;

  void load(const Program& program) {
    std::vector<uint32_t> words;
    for (const Instruction& instruction : program.code) words.push_back(instruction.word);
    words.push_back(ebreak());
    check(uc_mem_write(engine_, kBase, words.data(), words.size() * 4));
    check(uc_ctl_remove_cache(engine_, kBase, kBase + 0x1000)); // a write alone leaves translated code in use
    check(uc_mem_write(engine_, kBase + kWindow, program.window.data(), kWindowBytes));
    for (unsigned i = 1; i < 32; ++i) {
      uint64_t value = program.registers[i];
      check(uc_reg_write(engine_, UC_RISCV_REG_X0 + static_cast<int>(i), &value));
    }
    uint64_t scratch = 0;
    check(uc_reg_write(engine_, UC_RISCV_REG_MSCRATCH, &scratch));
    end_ = kBase + 4 * static_cast<uint32_t>(program.code.size());
    pc_ = kBase;
    program_ = &program;
    instructions_ = 0;
  }

  // All of the program, or `count` instructions of it.
  void run(std::size_t count = 0) {
    check(uc_emu_start(engine_, pc_, end_, 0, count));
    uint64_t pc = 0;
    check(uc_reg_read(engine_, UC_RISCV_REG_PC, &pc));
    pc_ = static_cast<uint32_t>(pc);
  }

  State state() {
    State state;
    for (unsigned i = 1; i < 32; ++i) {
      uint64_t value = 0;
      check(uc_reg_read(engine_, UC_RISCV_REG_X0 + static_cast<int>(i), &value));
      state.registers[i] = static_cast<uint32_t>(value);
    }
    state.pc = pc_;
    state.instructions = instructions_;
    state.window.resize(kWindowBytes);
    check(uc_mem_read(engine_, kBase + kWindow, state.window.data(), kWindowBytes));
    return state;
  }

  // How often each instruction was executed, in all programs.
  const std::map<std::string, uint64_t>& executed() const { return executed_; }

 private:
  static void on_instruction(uc_engine* /*engine*/, uint64_t address, uint32_t /*size*/, void* self) {
    auto& unicorn = *static_cast<Unicorn*>(self);
    ++unicorn.instructions_;
    ++unicorn.executed_[unicorn.program_->code.at((static_cast<uint32_t>(address) - kBase) / 4).name];
  }
  static void check(uc_err error) {
    if (error != UC_ERR_OK) throw std::runtime_error(std::string("unicorn: ") + uc_strerror(error));
  }

  std::vector<uint8_t> ram_;
  uc_engine* engine_ = nullptr;
  uc_hook hook_ = 0;
  const Program* program_ = nullptr;
  uint32_t pc_ = 0;
  uint32_t end_ = 0;
  uint64_t instructions_ = 0;
  std::map<std::string, uint64_t> executed_;
};

// Programs touch nothing outside RAM.
class NoDevices : public Environment {
 public:
  MmioResult read(uint32_t, unsigned, uint64_t) override { return {true, 0, 0}; }
  MmioResult write(uint32_t, unsigned, uint32_t, uint64_t) override { return {true, 0, 0}; }
  uint32_t interrupt_lines(uint64_t) override { return 0; }
};

class Ours {
 public:
  explicit Ours(const std::string& profile)
      : ram_(kRamBytes), core_(timing_profile(profile), RamView{ram_.data(), kBase, kRamBytes, 0}, none_) {}

  void load(const Program& program) {
    for (std::size_t i = 0; i < program.code.size(); ++i) std::memcpy(&ram_[4 * i], &program.code[i].word, 4);
    const uint32_t stop = ebreak(); // without a trap handler it ends the run there
    std::memcpy(&ram_[4 * program.code.size()], &stop, 4);
    std::copy(program.window.begin(), program.window.end(), ram_.begin() + kWindow);
    core_.reset(kBase);
    for (unsigned i = 1; i < 32; ++i) core_.set_reg(i, program.registers[i]);
  }

  void run() {
    // In pieces, so that programs are left and entered anywhere.
    for (uint64_t piece = 1; core_.run(core_.cycle() + piece) == Stop::kCycleLimit; piece = piece % 50 + 7) {
    }
  }
  void step() { core_.run(core_.cycle() + 1); }

  State state() const {
    State state;
    for (unsigned i = 0; i < 32; ++i) state.registers[i] = core_.reg(i);
    state.pc = core_.pc();
    state.instructions = core_.instructions();
    state.window.assign(ram_.begin() + kWindow, ram_.begin() + kWindow + kWindowBytes);
    return state;
  }

 private:
  std::vector<uint8_t> ram_;
  NoDevices none_;
  Core core_;
};

// Steps both until they differ; says at which instruction.
std::string first_difference(const Program& program, Ours& ours, Unicorn& unicorn) {
  ours.load(program);
  unicorn.load(program);
  const uint32_t end = kBase + 4 * static_cast<uint32_t>(program.code.size());
  for (int count = 0; count < 10000; ++count) {
    const State before = ours.state();
    if (before.pc == end) return "no difference when stepped one by one\n";
    const std::size_t index = (before.pc - kBase) / 4;
    ours.step();
    unicorn.run(1);
    const State a = ours.state();
    const State b = unicorn.state();
    if (a == b) continue;
    const Instruction& instruction = program.code.at(index);
    char line[160];
    std::snprintf(line, sizeof line, "instruction %d, %s (0x%08x) at 0x%08x, rs1 = 0x%08x, rs2 = 0x%08x\n", count,
                  instruction.name, instruction.word, before.pc, before.registers[(instruction.word >> 15) & 31u],
                  before.registers[(instruction.word >> 20) & 31u]);
    return line + difference(a, b);
  }
  return "no end\n";
}

} // namespace

TEST_CASE("random programs leave the same state in dtrmc and in Unicorn") {
  Unicorn unicorn;
  Ours small("ibex-small");
  Ours maxperf("ibex-maxperf"); // the other instance of the fast loop
  uint64_t instructions = 0;
  uint32_t seed = 1;
  const char* only = std::getenv("DTRMC_UNICORN_SEED");
  if (only != nullptr) seed = static_cast<uint32_t>(std::strtoul(only, nullptr, 10));
  for (; instructions < DTRMC_UNICORN_INSTRUCTIONS; ++seed) {
    const Program program = Generator(seed).program();
    Ours& ours = seed % 2 == 0 ? small : maxperf;
    ours.load(program);
    unicorn.load(program);
    ours.run();
    unicorn.run();
    const State a = ours.state();
    const State b = unicorn.state();
    if (!(a == b)) {
      FAIL("seed " << seed << " (DTRMC_UNICORN_SEED=" << seed << " runs it alone)\nat the end:\n"
                   << difference(a, b) << "first: " << first_difference(program, ours, unicorn));
    }
    // Stepping must agree as well, now and then.
    if (seed % 64 == 0 || only != nullptr) {
      INFO("seed " << seed);
      CHECK(first_difference(program, ours, unicorn) == "no difference when stepped one by one\n");
    }
    instructions += a.instructions;
    if (only != nullptr) return;
  }
  std::cout << instructions << " instructions in " << seed - 1 << " programs agree\n";
  for (const char* name :
       {"lui",  "auipc",  "addi",    "slti",  "sltiu", "xori",  "ori",    "andi",   "slli",  "srli", "srai",
        "add",  "sub",    "sll",     "slt",   "sltu",  "xor",   "srl",    "sra",    "or",    "and",  "mul",
        "mulh", "mulhsu", "mulhu",   "div",   "divu",  "rem",   "remu",   "lb",     "lbu",   "lh",   "lhu",
        "lw",   "sb",     "sh",      "sw",    "beq",   "bne",   "blt",    "bge",    "bltu",  "bgeu", "jal",
        "jalr", "fence",  "fence.i", "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"}) {
    CAPTURE(name);
    const auto found = unicorn.executed().find(name);
    REQUIRE(found != unicorn.executed().end());
    CHECK(found->second > DTRMC_UNICORN_INSTRUCTIONS / 2000);
  }
}

} // namespace dtrmc::cpu::test
