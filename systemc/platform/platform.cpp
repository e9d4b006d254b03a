// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <systemc>

#include "host/command/encoder.h"
#include "host/ledger/ledger.h"
#include "systemc/debug/fault_report.h"
#include "systemc/debug/location.h"
#include "systemc/debug/run_control.h"
#include "systemc/platform/accelerator.h"
#include "systemc/platform/controller.h"
#include "systemc/platform/driver.h"
#include "systemc/platform/unit_snapshot.h"

namespace dtrmc::platform {

namespace {

DecisionCycles summarise(std::vector<std::uint64_t>& samples) {
  DecisionCycles result;
  result.count = samples.size();
  if (samples.empty()) return result;
  std::sort(samples.begin(), samples.end());
  // nearest-rank percentiles: the smallest sample that at least p percent do not exceed
  const auto percentile = [&](std::uint64_t p) { return samples[(p * samples.size() + 99) / 100 - 1]; };
  result.min = samples.front();
  result.p50 = percentile(50);
  result.p90 = percentile(90);
  result.p99 = percentile(99);
  result.max = samples.back();
  return result;
}

// The longest command fits the ring.
ControllerConfig with_ring(ControllerConfig config, const trace::Schedule& schedule) {
  config.least_ring_words = std::max(config.least_ring_words, command::least_ring(schedule));
  return config;
}

class Platform : public sc_core::sc_module,
                 public ActionObserverIf,
                 public RunEndIf,
                 public debug::PlatformState,
                 private record::EventSink {
 public:
  Platform(sc_core::sc_module_name name, const trace::Schedule& schedule, const PlatformConfig& config,
           PlatformObserver* observer)
      : sc_module(name),
        schedule_(schedule),
        config_(config),
        observer_(observer),
        ledger_(schedule, config.budget, this),
        controller_("controller", with_ring(config, schedule)),
        clock_(controller_.clock()),
        cpu_(controller_.cpu()),
        accelerator_("accelerator", schedule),
        driver_("driver", schedule, Driver::Ring{controller_.ring_address(), controller_.ring_words()},
                config.queue_depth) {
    command::check_encodable(schedule, controller_.ring_words());
    driver_.socket.bind(controller_.host);
    controller_.actions.bind(accelerator_.socket);
    controller_.queue.bind(accelerator_.queue);
    controller_.set_stopped([] { sc_core::sc_stop(); });
    accelerator_.observer.bind(*this);
    accelerator_.completion.bind(driver_.completion);
    accelerator_.inject = config.inject;
    accelerator_.posted = [this](std::uint32_t word, const sc_core::sc_time& time) { on_posted(word, time); };
    driver_.end.bind(*this);
  }

  std::uint64_t end_ps() { return cpu_.processor().cycle() * clock_.period_ps(); }
  bool time_overflow() const { return accelerator_.time_overflow(); }

  const cpu::ElfImage& image() const override { return *controller_.elf().image; }
  const std::vector<std::uint8_t>& firmware_file() const override { return config_.firmware; }

  debug::Snapshot snapshot() override {
    const cpu::Processor& core = cpu_.processor();
    debug::Snapshot s;
    s.device_time_ps = ClockDomain::to_ps(sc_core::sc_time_stamp());
    s.cycles = core.cycle();
    s.instructions = core.instructions();
    s.activity = core.activity();
    s.activity_cycles = core.activity_cycles();
    s.schedule = &schedule_;
    s.issued = driver_.issued();
    s.completed = ledger_.commands_completed();
    // The mailbox counts modulo 2^32, the driver does not.
    s.taken =
        s.issued - static_cast<std::uint32_t>(static_cast<std::uint32_t>(s.issued) - controller_.mailbox().taken());
    for (const auto& [word, time] : accelerator_.posted_actions()) s.queued.push_back({word, ClockDomain::to_ps(time)});
    if (const auto until = accelerator_.busy_until()) s.busy_until_ps = ClockDomain::to_ps(*until);
    const std::uint64_t count = std::min<std::uint64_t>(actions_, recent_.size());
    for (std::uint64_t i = actions_ - count; i < actions_; ++i) s.recent.push_back(recent_[i % recent_.size()]);
    s.clock = ledger_.clock();
    s.budget = config_.budget;
    s.memory = ledger_.memory();
    s.max_memory = ledger_.max_memory();
    s.residency = ledger_.residency();
    if (const ControllerView* const view = controller_.view()) {
      s.pool = debug::Snapshot::Pool{view->pool_count(), view->pool_bytes(), view->nesting()};
    }
    const auto line = [&](unsigned number, const char* line_name, bool level) {
      s.lines.push_back({number, line_name, level, (core.mie() >> number & 1u) != 0});
    };
    line(DTRMC_IRQ_TIMER, "timer", controller_.timer().level());
    line(DTRMC_IRQ_COMMAND, "command", controller_.mailbox().command_line->level());
    line(DTRMC_IRQ_ACCELERATOR, "accelerator", controller_.mailbox().accelerator_line->level());
    if (UnitModule* const unit = controller_.unit()) {
      line(DTRMC_IRQ_UNIT, "unit", unit->level());
      s.unit = unit_snapshot(unit->unit());
    }
    return s;
  }

  // For the debugger, once the run has broken off.
  int failure_signal() {
    const cpu::Core* const core = cpu_.core();
    return core != nullptr && core->faulted() ? debug::signal_of(core->fault().cause) : debug::signal::kAbort;
  }

  PlatformResult result() {
    PlatformResult result;
    const cpu::Processor& core = cpu_.processor();
    if (violation_) {
      result.failure_rule = ledger::to_string(violation_->rule);
      result.failure = fmt::format("ledger: rule {}: {} at device time {} ns", result.failure_rule, violation_->text,
                                   ClockDomain::to_ps(violation_time_) / 1000);
    } else if (cpu_.fault()) {
      result.failure = fmt::format("{} in {} at device time {} ns", *cpu_.fault(), locate(core.pc()),
                                   ClockDomain::to_ps(sc_core::sc_time_stamp()) / 1000);
    } else if (!fail_) {
      result.failure =
          fmt::format("deadlock: the firmware sleeps and nothing is pending, {} commands complete, pc {:#x} in {}",
                      ledger_.commands_completed(), core.pc(), locate(core.pc()));
    }
    if (!result.failure.empty() && cpu_.core() != nullptr) {
      result.failure_details =
          debug::fault_report(*cpu_.core(), debug::Locator(*controller_.elf().image, config_.firmware), snapshot());
    }
    result.fail_reason = fail_.value_or(0);
    result.clock = ledger_.clock();
    result.max_memory = ledger_.max_memory();
    result.device_time_ps = core.cycle() * clock_.period_ps();
    result.accelerator_busy_ns = accelerator_.busy_ns();
    result.cycles = core.cycle();
    result.instructions = core.instructions();
    const auto activity = core.activity_cycles();
    for (int i = 0; i < DTRMC_ACTIVITY_COUNT; ++i) result.activity_cycles[i] = activity[i];
    result.stall = stall_.finish(result.device_time_ps);
    result.decisions = summarise(decisions_);
    result.firmware = controller_.shared();
    if (controller_.unit() != nullptr) {
      const unit::UnitInfo& info = controller_.unit()->unit().info();
      result.unit_lanes = info.lanes;
      result.unit_depth = info.depth;
      result.unit_arithmetic = info.arithmetic;
      result.unit_search = info.search;
      result.unit_traffic = controller_.unit()->traffic();
    }
    return result;
  }

 private:
  std::string locate(std::uint32_t address) const {
    return debug::Locator(*controller_.elf().image, config_.firmware).describe(address);
  }

  void start_of_simulation() override {
    if (config_.run_control) config_.run_control->attach(cpu_.debug_port(), *this);
    cpu_.processor().set_activity_observer([this](std::uint32_t before, std::uint32_t after, std::uint64_t cycle) {
      on_activity(before, after, cycle);
      if (config_.probe != nullptr) {
        config_.probe->on_activity(before, after, cycle * clock_.period_ps(),
                                   ClockDomain::to_ps(sc_core::sc_time_stamp()));
      }
    });
    if (config_.probe != nullptr) config_.probe->on_start(controller_.view());
  }

  // Follows a decision from the write that begins it to the one that ends it.
  void on_activity(std::uint32_t before, std::uint32_t after, std::uint64_t cycle) {
    stall_.on_activity(after, cycle * clock_.period_ps());
    const bool was = (before & DTRMC_IN_DECISION) != 0;
    const bool is = (after & DTRMC_IN_DECISION) != 0;
    if (was) decision_.parts[before & (DTRMC_ACTIVITY_COUNT - 1)] += cycle - activity_since_;
    activity_since_ = cycle;
    if (was == is) return;
    if (is) {
      const std::uint64_t ended = decision_.begin + decision_.cycles; // the one before
      decision_ = Decision{};
      decision_.index = decisions_.size();
      decision_.begin = cycle;
      decision_.between = cycle - ended;
      return;
    }
    decision_.cycles = cycle - decision_.begin;
    decision_.begin_ps = decision_.begin * clock_.period_ps();
    decision_.end_ps = cycle * clock_.period_ps();
    decisions_.push_back(decision_.cycles);
    decided_ = true;
  }

  // The controller posts an action; its MMIO access is in step with SystemC time.
  void on_posted(std::uint32_t word, const sc_core::sc_time& time) {
    const std::uint32_t kind = DTRMC_ACTION_KIND(word);
    const bool event = kind >= DTRMC_ACTION_EXECUTE_FIRST && kind <= DTRMC_ACTION_EVICT_EAGER;
    if (kind == DTRMC_ACTION_EVICT_POLICY && decided_) {
      decided_ = false;
      const dtrmc_shared& block = controller_.shared();
      Decision decision = decision_;
      decision.event = posted_events_;
      decision.victim = DTRMC_ACTION_ID(word);
      decision.candidates = block.candidates - counted_.candidates;
      const std::uint64_t table_writes = controller_.unit() != nullptr ? controller_.unit()->traffic().table_writes : 0;
      decision.table_writes = table_writes - counted_.table_writes;
      decision.overflow_scan = block.overflow_scans != counted_.overflow_scans;
      decision.redecided = block.redecided != counted_.redecided;
      counted_ = {block.candidates, table_writes, block.overflow_scans, block.redecided};
      const ControllerView* const view = controller_.view();
      if (view != nullptr && observer_ != nullptr && observer_->wants_pools()) view->candidates(decision.pool);
      if (config_.probe != nullptr) config_.probe->on_decided(decision, ClockDomain::to_ps(time));
      if (observer_ != nullptr) pending_.push_back(std::move(decision));
    }
    if (config_.probe != nullptr) config_.probe->on_posted(word, ClockDomain::to_ps(time));
    if (event) ++posted_events_;
  }

  bool on_action(std::uint32_t word, const sc_core::sc_time& time) override {
    action_time_ = time;
    const std::uint32_t kind = DTRMC_ACTION_KIND(word);
    if (kind == DTRMC_ACTION_EXECUTE_FIRST || kind == DTRMC_ACTION_EXECUTE_REMAT) {
      const std::uint64_t start = ClockDomain::to_ps(time);
      if (DTRMC_ACTION_ID(word) < schedule_.operators.size()) { // otherwise the ledger ends the run
        stall_.on_execute(start, start + schedule_.operators[DTRMC_ACTION_ID(word)].cost * 1000);
      }
    }
    recent_[actions_++ % recent_.size()] = {word, ClockDomain::to_ps(time)};
    if (config_.probe != nullptr) config_.probe->on_action(word, ClockDomain::to_ps(time));
    violation_ = ledger_.on_action(word);
    if (config_.probe != nullptr && !violation_) config_.probe->on_memory(ledger_.memory(), ClockDomain::to_ps(time));
    if (!violation_) return true;
    violation_time_ = time;
    cpu_.finish();
    return false;
  }

  void on_event(const record::Event& event) override {
    if (observer_ != nullptr) {
      if (event.kind == record::EventKind::kEvictPolicy && !pending_.empty() && pending_.front().victim == event.id) {
        pending_.front().clock = event.clock;
        observer_->on_decision(pending_.front());
        pending_.pop_front();
      }
      observer_->on_event(event, ClockDomain::to_ps(action_time_), ledger_.memory());
    }
  }

  void on_time_overflow() override { cpu_.finish(); }

  void on_end(std::uint32_t fail, const sc_core::sc_time&) override {
    fail_ = fail;
    cpu_.finish();
  }

  const trace::Schedule& schedule_;
  const PlatformConfig& config_;
  PlatformObserver* observer_;
  ledger::Ledger ledger_;
  Controller controller_;
  const ClockDomain& clock_; // the controller's
  CpuModule& cpu_;
  Accelerator accelerator_;
  Driver driver_;
  sc_core::sc_time action_time_;
  StallAccount stall_;
  std::array<debug::TimedAction, debug::kReportedSteps> recent_{}; // the last actions, in a circle
  std::uint64_t actions_ = 0;
  std::optional<ledger::Violation> violation_;
  sc_core::sc_time violation_time_;
  std::optional<std::uint32_t> fail_; // how the run ended: 0 complete, otherwise enum dtrmc_fail

  // Counters of firmware and unit as of the last decision.
  struct Counted {
    std::uint64_t candidates, table_writes, overflow_scans, redecided;
  };
  Counted counted_{};
  Decision decision_;                // in progress, or the last one
  bool decided_ = false;             // its eviction has not been posted
  std::uint64_t activity_since_ = 0; // cycle
  std::uint64_t posted_events_ = 0;
  std::deque<Decision> pending_;         // posted, not carried out
  std::vector<std::uint64_t> decisions_; // cycles of each
};

} // namespace

PlatformResult run_platform(const trace::Schedule& schedule, const PlatformConfig& config, PlatformObserver* observer) {
  static bool used = false;
  if (used) throw std::logic_error("run_platform: SystemC elaborates once per process");
  used = true;
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS)) {
    throw std::logic_error("run_platform: SystemC's time resolution must be 1 ps");
  }
  // sc_stop() is how every run ends; its message says nothing.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  // Every wrong input is found while the platform is put together, except costs that leave SystemC's time.
  std::unique_ptr<Platform> platform;
  try {
    platform = std::make_unique<Platform>("platform", schedule, config, observer);
  } catch (const std::logic_error& error) { // std::invalid_argument: unknown unit or profile
    throw InputError(error.what());
  } catch (const std::runtime_error& error) {
    throw InputError(error.what());
  }
  sc_core::sc_start();
  if (platform->time_overflow()) {
    throw InputError(
        "device time passes 2^63 ps (about 106 days): the trace's costs are too large for the platform; use the "
        "software simulator (dtrmc sim)");
  }
  if (config.probe != nullptr) config.probe->on_end(platform->end_ps());
  PlatformResult result = platform->result();
  if (config.run_control) {
    if (!result.failure.empty()) {
      std::string report = result.failure + "\n";
      for (const std::string& line : result.failure_details) report += line + "\n";
      config.run_control->broke_off(report, platform->failure_signal());
    }
    config.run_control->finished(result.failure.empty() ? 0 : 1);
  }
  return result;
}

} // namespace dtrmc::platform

// libsystemc's main() calls this; dtrmc has its own main() and never enters it.
// Weak: a program with its own top may link this library too.
extern "C" __attribute__((weak)) int sc_main(int, char**) { return 0; }
