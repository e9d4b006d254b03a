// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/timer.h"

#include "firmware/protocol.h"
#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

Timer::Timer(sc_core::sc_module_name name, const ClockDomain& clock, std::uint64_t tick_ns)
    : sc_module(name), socket("socket"), line("line"), clock_(clock), tick_ns_(tick_ns) {
  line.bind(*this);
  socket.register_b_transport(this, &Timer::b_transport);
  socket.register_transport_dbg(this, &Timer::transport_dbg);
}

bool Timer::level() { return now() >= compare_; }

sc_core::sc_time Timer::next_change() {
  if (level() || compare_ > ~std::uint64_t{0} / clock_.period_ps()) return sc_core::sc_max_time();
  return clock_.at(compare_);
}

void Timer::schedule() {
  due_.cancel();
  const sc_core::sc_time due = next_change();
  if (due != sc_core::sc_max_time()) due_.notify(due - sc_core::sc_time_stamp());
}

std::optional<std::uint32_t> Timer::peek(std::uint64_t offset) const {
  switch (offset) {
    case DTRMC_TIMER_MTIME_LO:
      return static_cast<std::uint32_t>(now());
    case DTRMC_TIMER_MTIME_HI:
      return static_cast<std::uint32_t>(now() >> 32);
    case DTRMC_TIMER_MTIMECMP_LO:
      return static_cast<std::uint32_t>(compare_);
    case DTRMC_TIMER_MTIMECMP_HI:
      return static_cast<std::uint32_t>(compare_ >> 32);
    case DTRMC_TIMER_TICKS_LO:
      return static_cast<std::uint32_t>(ticks());
    case DTRMC_TIMER_TICKS_HI:
      return static_cast<std::uint32_t>(ticks() >> 32);
    default:
      return std::nullopt;
  }
}

unsigned Timer::transport_dbg(tlm::tlm_generic_payload& payload) {
  return debug_read(payload, [this](std::uint64_t offset) { return peek(offset); });
}

void Timer::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (!is_word_access(payload)) return;
  const std::uint64_t low_mask = 0xffffffffu;
  if (payload.is_read()) {
    const std::optional<std::uint32_t> word = peek(payload.get_address());
    return word ? answer(payload, *word) : refuse(payload);
  }
  const std::uint64_t word = payload_word(payload);
  switch (payload.get_address()) {
    case DTRMC_TIMER_MTIMECMP_LO:
      compare_ = (compare_ & ~low_mask) | word;
      break;
    case DTRMC_TIMER_MTIMECMP_HI:
      compare_ = (compare_ & low_mask) | word << 32;
      break;
    default:
      return refuse(payload); // mtime and TICKS follow the clock and cannot be set
  }
  schedule();
  accept(payload);
}

} // namespace dtrmc::platform
