// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rtl/generated/scoring_unit_regs.h"
#include "systemc/cpu/timing_profile.h"
#include "systemc/platform/pinned_unit_module.h"
#include "systemc/platform/scoring_unit_module.h"

namespace dtrmc::platform {

namespace {

constexpr std::uint64_t kRegisterWindow = 0x1000; // bytes, mailbox and timer

// Address of the firmware's exported block inside the loaded image, as the CPU sees it.
std::uint32_t find_shared(const cpu::LoadedElf& elf, Ram& ram, const std::string& name) {
  const auto symbol = elf.symbol("dtrmc_shared");
  if (!symbol) {
    throw InputError(fmt::format("{}: no symbol dtrmc_shared; this is not a dtrmc firmware image", name));
  }
  const std::uint64_t offset = std::uint64_t{*symbol} - DTRMC_RAM_BASE;
  if (*symbol < DTRMC_RAM_BASE || *symbol % alignof(dtrmc_shared) != 0 || offset + DTRMC_RING_OFFSET > ram.size()) {
    throw InputError(fmt::format("{}: dtrmc_shared at {:#x} does not lie in RAM", name, *symbol));
  }
  const auto* block = reinterpret_cast<const dtrmc_shared*>(ram.data() + offset);
  if (block->magic != DTRMC_PROTOCOL_MAGIC || block->version != DTRMC_PROTOCOL_VERSION) {
    throw InputError(
        fmt::format("{}: speaks protocol version {} (magic {:#x}), this platform speaks {}; rebuild the firmware", name,
                    block->version, block->magic, DTRMC_PROTOCOL_VERSION));
  }
  return *symbol;
}

// Of the ring behind the block, which ends at `offset` in RAM.
std::uint32_t choose_ring_words(const ControllerConfig& config, std::uint32_t suggested, std::uint64_t offset) {
  constexpr std::uint32_t kShare = 16; // of the RAM, for the ring
  const std::uint32_t words = std::max(config.least_ring_words, std::min(suggested, config.ram_bytes / kShare / 4));
  if (offset + 4 * std::uint64_t{words} > config.ram_bytes) {
    throw InputError(fmt::format(
        "controller RAM of {} bytes: no room for the firmware image and a command ring of {} words; give it more",
        config.ram_bytes, words));
  }
  return words;
}

// The stack's lower end, where the image tells it.
std::uint32_t stack_limit(const cpu::LoadedElf& elf) { return elf.symbol("dtrmc_stack_bottom").value_or(0); }

ControllerConfig checked(ControllerConfig config) {
  const auto refuse = [](const std::string& text) { throw InputError(text); };
  if (!(config.controller_mhz >= 0.001 && config.controller_mhz <= 100000)) {
    refuse(fmt::format("controller frequency {} MHz: must lie between 0.001 and 100000", config.controller_mhz));
  }
  if (config.unit_mhz != 0 && !(config.unit_mhz >= 0.001 && config.unit_mhz <= 100000)) {
    refuse(fmt::format("scoring unit frequency {} MHz: must lie between 0.001 and 100000", config.unit_mhz));
  }
  if (config.make_cpu && (config.steps != nullptr || config.run_control)) {
    refuse(fmt::format("CPU {}: instruction traces, profiles and the debugger need the instruction-set simulator",
                       config.cpu));
  }
  const auto check_wait = [&](const char* what, std::uint32_t cycles) {
    if (cycles > kMostWaitStates) refuse(fmt::format("{} {} wait states: at most {}", cycles, what, kMostWaitStates));
  };
  check_wait("RAM", config.ram_wait_states);
  check_wait("MMIO", config.mmio_wait_states);
  check_wait("scoring unit", config.unit_wait_states);
  if (config.queue_depth < 1 || config.queue_depth > DTRMC_MAILBOX_ACTION_SLOTS) {
    refuse(fmt::format("queue depth {}: must lie between 1 and {}", config.queue_depth, DTRMC_MAILBOX_ACTION_SLOTS));
  }
  if (config.ram_bytes < kSmallestRam || config.ram_bytes > kLargestRam || config.ram_bytes % 16 != 0) {
    refuse(fmt::format("controller RAM of {} bytes: must be a multiple of 16 between {} and {}", config.ram_bytes,
                       kSmallestRam, kLargestRam));
  }
  if (config.tick_ns < 1 || config.tick_ns > kLongestTick) {
    refuse(fmt::format("a tick of {} ns: must lie between 1 and {}", config.tick_ns, kLongestTick));
  }
  if (config.quantum < 1) refuse("quantum 0: must be at least 1 cycle");
  return config;
}

std::unique_ptr<UnitModule> make_unit_module(const ControllerConfig& config) {
  const auto make = config.make_unit                ? config.make_unit
                    : config.scorer == Scorer::kTlm ? unit::make_behavioural_unit
                                                    : unit::make_unit;
  const ClockDomain clock(config.unit_mhz != 0 ? config.unit_mhz : config.controller_mhz);
  if (config.scorer == Scorer::kRtlPins) {
    return std::make_unique<PinnedUnitModule>("scoring_unit", make(config.unit), clock);
  }
  return std::make_unique<ScoringUnitModule>("scoring_unit", make(config.unit), clock);
}

} // namespace

Controller::Controller(sc_core::sc_module_name name, ControllerConfig config)
    : sc_module(name),
      host("host"),
      device("device"),
      actions("actions"),
      queue("queue"),
      config_(checked(std::move(config))),
      clock_(config_.controller_mhz),
      ram_("ram", config_.ram_bytes, clock_.at(config_.ram_wait_states)),
      elf_(cpu::load_elf(config_.firmware.data(), config_.firmware.size(), config_.firmware_name, ram_.data(),
                         DTRMC_RAM_BASE, config_.ram_bytes)),
      shared_address_(find_shared(elf_, ram_, config_.firmware_name)),
      shared_(reinterpret_cast<dtrmc_shared*>(ram_.data() + (shared_address_ - DTRMC_RAM_BASE))),
      bus_("bus", regions()),
      mailbox_("mailbox"),
      timer_("timer", clock_, config_.tick_ns),
      cpu_("cpu", cpu::timing_profile(config_.cpu_profile), clock_,
           CpuModule::Options{elf_.entry, config_.quantum, config_.steps, config_.watchdog, stack_limit(elf_),
                              config_.run_control.get(), config_.make_cpu}) {
  if (has_unit(config_.scorer)) {
    unit_ = make_unit_module(config_);
    unit_->probe = config_.probe;
  }
  host.bind(bus_.driver);
  device.bind(bus_.device);
  cpu_.socket.bind(bus_.cpu);
  bus_.target(0).bind(ram_.socket);
  bus_.target(1).bind(mailbox_.socket);
  bus_.target(2).bind(timer_.socket);
  if (unit_) bus_.target(3).bind(unit_->target());
  mailbox_.actions.bind(actions);
  mailbox_.queue.bind(queue);
  mailbox_.probe = config_.probe;
  cpu_.connect(DTRMC_IRQ_COMMAND, mailbox_.command_line);
  cpu_.connect(DTRMC_IRQ_ACCELERATOR, mailbox_.accelerator_line);
  cpu_.connect(DTRMC_IRQ_TIMER, timer_.line);
  if (unit_) cpu_.connect(DTRMC_IRQ_UNIT, unit_->line);
  if (const auto layout = elf_.symbol("dtrmc_debug_layout")) {
    view_ = ControllerView::make(ram_.data(), ram_.size(), *layout);
  }
  configure();
}

std::vector<Bus::Region> Controller::regions() const {
  const sc_core::sc_time mmio = clock_.at(config_.mmio_wait_states);
  std::vector<Bus::Region> result{{"ram_port", DTRMC_RAM_BASE, config_.ram_bytes, sc_core::SC_ZERO_TIME},
                                  {"mailbox_port", DTRMC_MAILBOX_BASE, kRegisterWindow, mmio},
                                  {"timer_port", DTRMC_TIMER_BASE, kRegisterWindow, mmio}};
  if (has_unit(config_.scorer)) {
    result.push_back({"unit_port", DTRMC_UNIT_BASE, SCORING_UNIT_WINDOW_BYTES, clock_.at(config_.unit_wait_states)});
  }
  return result;
}

void Controller::configure() {
  shared_->ring_words = choose_ring_words(config_, shared_->ring_words,
                                          shared_address_ - DTRMC_RAM_BASE + std::uint64_t{DTRMC_RING_OFFSET});
  shared_->ram_bytes = config_.ram_bytes;
  shared_->heuristic = config_.heuristic;
  shared_->scorer = has_unit(config_.scorer) ? DTRMC_SCORER_UNIT : DTRMC_SCORER_FIRMWARE;
  shared_->queue_depth = config_.queue_depth;
  shared_->time = config_.time;
  shared_->tick_ns = static_cast<std::uint32_t>(config_.tick_ns);
  shared_->budget = config_.budget;
  shared_->remat_limit = config_.remat_limit;
}

} // namespace dtrmc::platform
