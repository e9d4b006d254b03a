// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/cpu_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "firmware/protocol.h"
#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

CpuModule::CpuModule(sc_core::sc_module_name name, const cpu::TimingProfile& profile, const ClockDomain& clock,
                     const Options& options)
    : sc_module(name), socket("socket"), clock_(clock), options_(options), profile_(profile) {
  socket.register_invalidate_direct_mem_ptr(this, &CpuModule::invalidate_direct_mem_ptr);
  SC_HAS_PROCESS(CpuModule);
  SC_THREAD(run);
}

void CpuModule::connect(unsigned number, sc_core::sc_export<InterruptLineIf>& line) {
  lines_.push_back({number, &line});
}

cpu::RamView CpuModule::ask_for_ram() {
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  payload.set_address(DTRMC_RAM_BASE);
  payload.set_read();
  if (!socket->get_direct_mem_ptr(payload, dmi) || !dmi.is_read_write_allowed() ||
      dmi.get_start_address() != DTRMC_RAM_BASE) {
    throw std::runtime_error("cpu: the bus gives no direct access to the RAM at DTRMC_RAM_BASE");
  }
  const auto size = static_cast<std::uint32_t>(dmi.get_end_address() - dmi.get_start_address() + 1);
  const std::uint64_t wait_states = clock_.cycle_from(dmi.get_read_latency());
  return {dmi.get_dmi_ptr(), DTRMC_RAM_BASE, size, static_cast<std::uint32_t>(wait_states)};
}

void CpuModule::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) { dmi_lost_ = true; }

void CpuModule::ask_again_for_ram() {
  dmi_lost_ = false;
  const cpu::RamView now = ask_for_ram();
  if (now.data != ram_.data || now.size != ram_.size) throw std::runtime_error("cpu: the RAM may not move");
  if (now.wait_states != ram_.wait_states && !processor_->set_ram_wait_states(now.wait_states)) {
    throw std::runtime_error("cpu: this CPU cannot change the RAM's wait states while it runs");
  }
  ram_ = now;
}

void CpuModule::end_of_elaboration() {
  wake_events_ |= finish_event_;
  for (const Line& line : lines_) wake_events_ |= (*line.source)->changed();
  const cpu::RamView ram = ram_ = ask_for_ram();
  dmi_lost_ = false;
  if (options_.make) {
    processor_ = options_.make(ram, *this);
  } else {
    auto core = std::make_unique<cpu::Core>(profile_, ram, *this);
    core->set_fault_policy(cpu::FaultPolicy::kExceptions); // no firmware here expects one
    core->set_stack_limit(options_.stack_limit);
    core_ = core.get();
    processor_ = std::move(core);
  }
  processor_->reset(options_.entry_pc);
}

debug::CpuPort CpuModule::debug_port() {
  debug::CpuPort port;
  port.core = core_;
  port.advance = [this](std::uint64_t until) {
    return options_.steps == nullptr ? core_->run(until) : profile::run_stepped(*core_, until, *options_.steps);
  };
  port.synchronise = [this] { sync(core_->cycle()); };
  port.bus = [this](std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, bool write) {
    return debug_access(address, data, bytes, write);
  };
  return port;
}

bool CpuModule::debug_access(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, bool write) {
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  return socket->transport_dbg(payload) == bytes;
}

void CpuModule::finish() {
  finished_ = true;
  processor_->request_stop();
  finish_event_.notify(sc_core::SC_ZERO_TIME);
}

void CpuModule::sync(std::uint64_t cycle) {
  const sc_core::sc_time target = clock_.at(cycle);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (target > now) wait(target - now);
}

std::uint32_t CpuModule::levels() {
  std::uint32_t result = 0;
  for (const Line& line : lines_) {
    if ((*line.source)->level()) result |= 1u << line.number;
  }
  return result;
}

std::uint64_t CpuModule::next_change_cycle() {
  sc_core::sc_time next = sc_core::sc_max_time();
  for (const Line& line : lines_) next = std::min(next, (*line.source)->next_change());
  return next == sc_core::sc_max_time() ? ~std::uint64_t{0} : clock_.cycle_from(next);
}

void CpuModule::run() {
  while (!finished_ && !fault_) {
    sync(processor_->cycle());
    if (finished_) break;
    if (dmi_lost_) ask_again_for_ram();
    std::uint64_t limit = processor_->cycle() + options_.quantum;
    // A line may be taken as an interrupt only where it is enabled; elsewhere the program looks at it through mip or
    // WFI, which synchronise. So the run need not stop for it.
    if (processor_->interruptible()) {
      limit = std::max(processor_->cycle() + 1, std::min(limit, next_change_cycle()));
    }
    if (options_.watchdog != 0) limit = std::min(limit, watchdog_cycle());
    switch (advance(limit)) {
      case cpu::Stop::kCycleLimit:
      case cpu::Stop::kRequested:
        break;
      case cpu::Stop::kWaitForInterrupt:
        sleep();
        break;
      case cpu::Stop::kFault: {
        fault_ = fmt::format("firmware fault: {}", processor_->fault().text);
        break;
      }
    }
    if (options_.run_control != nullptr && options_.run_control->killed()) fault_ = "the debugger ended the run";
    if (options_.watchdog != 0 && !fault_ && !finished_ && processor_->cycle() >= watchdog_cycle()) look_at_watchdog();
  }
  sync(processor_->cycle());
  if (stopped) return stopped();
  if (fault_) SC_REPORT_ERROR("dtrmc/controller", fault_->c_str());
}

cpu::Stop CpuModule::advance(std::uint64_t limit) {
  if (options_.run_control != nullptr) return options_.run_control->run(limit);
  if (options_.steps != nullptr && core_ != nullptr) return profile::run_stepped(*core_, limit, *options_.steps);
  return processor_->run(limit);
}

// The first cycle at which the watchdog has something to look at. Runs end there, so that the quantum does not matter.
std::uint64_t CpuModule::watchdog_cycle() const {
  const std::uint64_t since = std::min(last_access_cycle_, last_progress_cycle_);
  return options_.watchdog > ~std::uint64_t{0} - since - 1 ? ~std::uint64_t{0} : since + options_.watchdog + 1;
}

void CpuModule::look_at_watchdog() {
  if (processor_->cycle() - last_access_cycle_ > options_.watchdog) {
    fault_ = fmt::format("firmware makes no progress: {} cycles without a bus access, pc {:#010x}", options_.watchdog,
                         processor_->pc());
    return;
  }
  // It does look at its registers. That may be waiting, as long as something outside is still going to change.
  sync(processor_->cycle());
  if (next_change_cycle() != ~std::uint64_t{0}) {
    last_progress_cycle_ = processor_->cycle();
    return;
  }
  fault_ = fmt::format(
      "firmware makes no progress: {} cycles without taking a command or posting an action while nothing is pending, "
      "pc {:#010x}",
      options_.watchdog, processor_->pc());
}

void CpuModule::sleep() {
  sync(processor_->cycle());
  while (!finished_ && (levels() & processor_->mie()) == 0) wait(wake_events_);
  const std::uint64_t cycle = std::max(processor_->cycle(), clock_.cycle_from(sc_core::sc_time_stamp()));
  sync(cycle);
  last_access_cycle_ = cycle;
  last_progress_cycle_ += cycle - processor_->cycle(); // sleep does not count
  processor_->wake(cycle);
}

std::uint32_t CpuModule::interrupt_lines(std::uint64_t cycle) {
  sync(cycle);
  return levels();
}

cpu::MmioResult CpuModule::transport(tlm::tlm_command command, std::uint32_t address, unsigned bytes,
                                     std::uint32_t data, std::uint64_t cycle) {
  last_access_cycle_ = cycle;
  if (bytes != 4) return {true, 0, 0}; // the platform's registers are words
  sync(cycle);
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  sc_core::sc_time delay;
  const tlm::tlm_response_status status = access_word(socket, command, address, data, delay);
  // A target may let time pass, or tell how much does, or both.
  return {status != tlm::TLM_OK_RESPONSE, data, clock_.cycle_from(sc_core::sc_time_stamp() - before + delay)};
}

cpu::MmioResult CpuModule::read(std::uint32_t address, unsigned bytes, std::uint64_t cycle) {
  return transport(tlm::TLM_READ_COMMAND, address, bytes, 0, cycle);
}

cpu::MmioResult CpuModule::write(std::uint32_t address, unsigned bytes, std::uint32_t data, std::uint64_t cycle) {
  const std::uint32_t offset = address - DTRMC_MAILBOX_BASE;
  if (offset == DTRMC_MAILBOX_TAKE || offset == DTRMC_MAILBOX_ACTION) last_progress_cycle_ = cycle;
  return transport(tlm::TLM_WRITE_COMMAND, address, bytes, data, cycle);
}

} // namespace dtrmc::platform
