// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/iss_engine.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "firmware/config.h"
#include "systemc/cpu/core.h"
#include "systemc/cpu/elf_loader.h"

namespace dtrmc::test {

namespace {

constexpr std::uint8_t kStackFill = 0xa5;
constexpr std::uint32_t kUnitWindow = 1u << 20;

class Hardware : public cpu::Environment {
 public:
  Hardware(const dtrmc_host_hal& hal, std::uint8_t* ring, std::uint64_t tick_step)
      : hal_(hal), ring_(ring), tick_step_(tick_step) {}

  cpu::MmioResult read(std::uint32_t address, unsigned bytes, std::uint64_t) override {
    cpu::MmioResult result;
    result.wait_cycles = kWaitStates;
    if (bytes != 4) return refused();
    if (address == DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_COMMANDS) {
      result.data = hal_.commands(hal_.context);
      copy_ring();
    } else if (address == DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_OUTSTANDING) {
      result.data = hal_.outstanding(hal_.context);
    } else if (tick_step_ != 0 && address - DTRMC_TIMER_BASE - DTRMC_TIMER_TICKS_LO <= 4) {
      ticks_ += tick_step_;
      result.data =
          static_cast<std::uint32_t>(address == DTRMC_TIMER_BASE + DTRMC_TIMER_TICKS_LO ? ticks_ : ticks_ >> 32);
    } else if (address == DTRMC_TIMER_BASE + DTRMC_TIMER_TICKS_LO) {
      result.data = static_cast<std::uint32_t>(ticks_);
    } else if (address == DTRMC_TIMER_BASE + DTRMC_TIMER_TICKS_HI) {
      // The high word is read before and after the low one: both belong to one reading of the host's clock.
      if (!between_) ticks_ = hal_.ticks(hal_.context);
      between_ = !between_;
      result.data = static_cast<std::uint32_t>(ticks_ >> 32);
    } else if (address - DTRMC_UNIT_BASE < kUnitWindow) {
      result.data = hal_.unit_read(hal_.context, address - DTRMC_UNIT_BASE);
    } else {
      return refused();
    }
    return result;
  }

  cpu::MmioResult write(std::uint32_t address, unsigned bytes, std::uint32_t data, std::uint64_t) override {
    cpu::MmioResult result;
    result.wait_cycles = kWaitStates;
    if (bytes != 4) return refused();
    if (address == DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_TAKE) {
      hal_.take(hal_.context);
    } else if (address == DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_ACTION) {
      hal_.action(hal_.context, data);
    } else if (address == DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_THRESHOLD) {
      hal_.threshold(hal_.context, data);
    } else if (address - DTRMC_UNIT_BASE < kUnitWindow) {
      hal_.unit_write(hal_.context, address - DTRMC_UNIT_BASE, data);
    } else {
      return refused();
    }
    return result;
  }

  // Lines are asked for only when the core sleeps (see run below).
  std::uint32_t interrupt_lines(std::uint64_t) override { return 0; }

  // The driver writes the ring in host memory.
  void copy_ring() {
    std::memcpy(ring_, reinterpret_cast<const std::uint8_t*>(hal_.shared) + sizeof(dtrmc_shared),
                std::size_t{hal_.shared->ring_words} * 4);
  }

 private:
  static cpu::MmioResult refused() {
    cpu::MmioResult result;
    result.error = true;
    return result;
  }

  static constexpr std::uint64_t kWaitStates = 2;
  const dtrmc_host_hal& hal_;
  std::uint8_t* ring_;
  std::uint64_t tick_step_;
  std::uint64_t ticks_ = 0;
  bool between_ = false;
};

} // namespace

dtrmc_firmware_end IssEngine::operator()(const dtrmc_host_hal& hal) {
  const cpu::ElfImage image = cpu::ElfImage::read(elf_);
  const std::uint32_t block_address = image.require_symbol("dtrmc_shared", "the shared block").address;
  const std::uint32_t stack_bottom = image.require_symbol("dtrmc_stack_bottom", "the stack").address;
  const std::uint32_t ring_address = block_address + static_cast<std::uint32_t>(sizeof(dtrmc_shared));
  const std::uint32_t arena = (ring_address + 4 * hal.shared->ring_words + 15) & ~15u;
  const std::uint32_t stack_top = image.require_symbol("dtrmc_stack_top", "the stack").address;
  const std::uint32_t ram_bytes =
      ram_bytes_ != 0 ? ram_bytes_
                      : arena - DTRMC_RAM_BASE + static_cast<std::uint32_t>(hal.arena_bytes & ~std::size_t{3});
  std::vector<std::uint8_t> ram(ram_bytes);
  const cpu::RamView view{ram.data(), DTRMC_RAM_BASE, ram_bytes, 0};
  image.load_into(view);

  // The whole second group comes from the host's block; the image keeps its own ring.
  std::uint8_t* const block_bytes = ram.data() + (block_address - DTRMC_RAM_BASE);
  dtrmc_shared block{};
  std::memcpy(&block, block_bytes, sizeof(block));
  if (block.magic != DTRMC_PROTOCOL_MAGIC || block.version != DTRMC_PROTOCOL_VERSION) {
    throw std::runtime_error("no shared block in " + elf_);
  }
  block.ring_words = hal.shared->ring_words;
  block.ram_bytes = ram_bytes;
  block.heuristic = hal.shared->heuristic;
  block.scorer = hal.shared->scorer;
  block.queue_depth = hal.shared->queue_depth;
  block.time = hal.shared->time;
  block.tick_ns = hal.shared->tick_ns;
  block.budget = hal.shared->budget;
  block.remat_limit = hal.shared->remat_limit;
  std::memcpy(block_bytes, &block, sizeof(block));
  std::uint8_t* const stack_low = ram.data() + (stack_bottom - DTRMC_RAM_BASE);
  std::uint8_t* const stack_high = ram.data() + (stack_top - DTRMC_RAM_BASE);
  std::fill(stack_low, stack_high, kStackFill);

  Hardware hardware(hal, block_bytes + sizeof(dtrmc_shared), tick_step);
  hardware.copy_ring();
  cpu::Core core(cpu::timing_profile("ibex-small"), view, hardware);
  core.set_fault_policy(cpu::FaultPolicy::kExceptions);
  core.set_activity_observer(
      [&](std::uint32_t, std::uint32_t mark, std::uint64_t) { hal.activity(hal.context, mark); });
  core.reset(image.entry());
  dtrmc_firmware_end end = DTRMC_FIRMWARE_STOPPED;
  for (;;) {
    const cpu::Stop stop = core.run(core.cycle() + (std::uint64_t{1} << 40));
    if (stop == cpu::Stop::kFault) throw std::runtime_error("firmware fault: " + core.fault().text);
    if (stop != cpu::Stop::kWaitForInterrupt) continue;
    const std::uint32_t lines = core.mie();
    if (lines == 0) break; // halted
    std::uint32_t line = 0;
    while ((lines >> line & 1) == 0) ++line;
    if (lines >> line != 1) throw std::runtime_error("firmware waits for several lines at once");
    if (hal.wait(hal.context, line) == 0) {
      end = DTRMC_FIRMWARE_STARVED;
      break;
    }
    core.wake(core.cycle());
  }
  cycles = core.cycle();
  instructions = core.instructions();
  activity_cycles = core.activity_cycles();
  stack_used = static_cast<std::uint32_t>(
      stack_high - std::find_if(stack_low, stack_high, [](std::uint8_t byte) { return byte != kStackFill; }));
  std::memcpy(&block, block_bytes, sizeof(block));
  std::memcpy(hal.shared, &block, sizeof(block));
  return end;
}

} // namespace dtrmc::test
