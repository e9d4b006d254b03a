// SPDX-License-Identifier: Apache-2.0
#include "bench/unicorn_engine.h"

#include <unicorn/unicorn.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cpu_seconds.h"
#include "firmware/batch.h"
#include "systemc/cpu/decode.h"

namespace dtrmc::bench {

namespace {

struct Counter {
  std::uint64_t total = 0;
  std::vector<std::uint8_t> cycles; // by word of RAM
  std::uint32_t end = 0;
};

void check(uc_err error, const char* what) {
  if (error != UC_ERR_OK) throw std::runtime_error(std::string("Unicorn: ") + what + ": " + uc_strerror(error));
}

void on_block(uc_engine*, std::uint64_t, std::uint32_t bytes, void* counter) {
  static_cast<Counter*>(counter)->total += bytes / 4;
}

void on_instruction(uc_engine*, std::uint64_t address, std::uint32_t, void* context) {
  auto* const counter = static_cast<Counter*>(context);
  counter->total += counter->cycles[(address - DTRMC_RAM_BASE) / 4];
}

// The store that ends the run goes to memory that is not there. A hook on all stores would slow each of them down.
bool on_unmapped(uc_engine* engine, uc_mem_type, std::uint64_t address, int, std::int64_t value, void* counter) {
  if (address == DTRMC_BATCH_END) static_cast<Counter*>(counter)->end = static_cast<std::uint32_t>(value);
  uc_emu_stop(engine);
  return false;
}

// Of the instruction at a word of RAM; branches not taken.
std::uint8_t usual_cycles(std::uint32_t word, std::uint32_t pc, const cpu::RamView& ram) {
  switch (cpu::decode(word, pc, ram).op) {
    case cpu::Op::kLb:
    case cpu::Op::kLh:
    case cpu::Op::kLw:
    case cpu::Op::kLbu:
    case cpu::Op::kLhu:
    case cpu::Op::kSb:
    case cpu::Op::kSh:
    case cpu::Op::kSw:
    case cpu::Op::kJal:
    case cpu::Op::kJalr:
      return 2;
    case cpu::Op::kMul:
      return 3;
    case cpu::Op::kMulh:
    case cpu::Op::kMulhsu:
    case cpu::Op::kMulhu:
      return 4;
    case cpu::Op::kDiv:
    case cpu::Op::kDivu:
    case cpu::Op::kRem:
    case cpu::Op::kRemu:
      return 37;
    default:
      return 1;
  }
}

} // namespace

UnicornRun run_on_unicorn(batch::Ram& ram, Hook hook) {
  uc_engine* raw = nullptr;
  check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &raw), "open");
  const std::unique_ptr<uc_engine, uc_err (*)(uc_engine*)> engine(raw, uc_close);
  const cpu::RamView view = ram.view();
  check(uc_mem_map_ptr(raw, view.base, view.size, UC_PROT_ALL, view.data), "map RAM");
  Counter counter;
  uc_hook handle = 0;
  uc_hook end_handle = 0;
  check(uc_hook_add(raw, &end_handle, UC_HOOK_MEM_WRITE_UNMAPPED, reinterpret_cast<void*>(on_unmapped), &counter, 1, 0),
        "hook the end word");
  if (hook == Hook::kBlock) {
    check(uc_hook_add(raw, &handle, UC_HOOK_BLOCK, reinterpret_cast<void*>(on_block), &counter, 1, 0), "hook blocks");
  } else if (hook == Hook::kInstruction) {
    counter.cycles.resize(view.size / 4);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(view.data);
    constexpr std::uint32_t kCodeWords = 16384; // the image is far smaller; the rest is never executed
    for (std::uint32_t i = 0; i < kCodeWords && i < view.size / 4; ++i) {
      counter.cycles[i] = usual_cycles(words[i], view.base + 4 * i, view);
    }
    check(uc_hook_add(raw, &handle, UC_HOOK_CODE, reinterpret_cast<void*>(on_instruction), &counter, 1, 0),
          "hook instructions");
  }
  const double begin = cpu_seconds();
  const uc_err error = uc_emu_start(raw, ram.entry(), 0, 0, 0);
  const double seconds = cpu_seconds() - begin;
  if (counter.end == 0) {
    check(error, "run");
    throw std::runtime_error("Unicorn: the image did not end");
  }
  return {counter.total, counter.end, seconds};
}

} // namespace dtrmc::bench
