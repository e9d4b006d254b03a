// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/scoring_unit_module.h"

#include <algorithm>

#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

ScoringUnitModule::ScoringUnitModule(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit,
                                     const ClockDomain& clock)
    : UnitModule(name), socket("socket"), unit_(std::move(unit)), clock_(clock) {
  socket.register_b_transport(this, &ScoringUnitModule::b_transport);
  socket.register_transport_dbg(this, &ScoringUnitModule::transport_dbg);
  unit_->reset();
  SC_HAS_PROCESS(ScoringUnitModule);
  SC_METHOD(tick);
  sensitive << tick_event_;
  dont_initialize();
}

// Clocks the unit through all cycles that are over by now; those in which it would be idle are skipped, since they
// change nothing, but for the first: in it the last of the writes that waited reaches the table.
void ScoringUnitModule::catch_up() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  while (unit_->busy() && unit_time_ + clock_.period() <= now) {
    advance(std::min(unit_->steady_cycles(), ClockDomain::to_ps(now - unit_time_) / clock_.period_ps()));
  }
  if (unit_time_ < now && !unit_->busy()) {
    if (!settled_) unit_->clock(1);
    settled_ = true;
    unit_time_ = clock_.at(clock_.cycle_from(now));
    unit_->set_time(ClockDomain::to_ps(unit_time_));
  }
}

// `cycles` at most the unit's steady ones, while it is busy.
void ScoringUnitModule::advance(std::uint64_t cycles) {
  unit_->clock(cycles);
  unit_time_ += clock_.at(cycles);
  settled_ = false;
  if (probe != nullptr) report(cycles, cycles);
}

// After `cycles` cycles of which `busy` were busy: a search that began did so in the last of them, one that ended in
// the first.
void ScoringUnitModule::report(std::uint64_t cycles, std::uint64_t busy) {
  if (unit_->busy() == reported_busy_) return;
  reported_busy_ = !reported_busy_;
  const sc_core::sc_time since = reported_busy_ ? clock_.at(busy) : clock_.at(cycles - busy);
  probe->on_unit(reported_busy_, ClockDomain::to_ps(unit_time_ - since));
}

bool ScoringUnitModule::level() {
  catch_up();
  return unit_->irq();
}

sc_core::sc_time ScoringUnitModule::next_change() {
  catch_up();
  return unit_->busy() ? unit_time_ + clock_.at(unit_->steady_cycles()) : sc_core::sc_max_time();
}

// Runs while a search is under way, whenever the unit can look no further ahead, so that a sleeping CPU is woken in the
// cycle in which it ends.
void ScoringUnitModule::tick() {
  catch_up();
  if (unit_->irq()) changed_.notify();
  if (unit_->busy()) tick_event_.notify(next_change() - sc_core::sc_time_stamp());
}

unsigned ScoringUnitModule::transport_dbg(tlm::tlm_generic_payload& payload) {
  catch_up();
  return debug_read(payload, [this](std::uint64_t offset) { return unit_->peek(offset); });
}

void ScoringUnitModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!is_word_access(payload)) return;
  catch_up();
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (unit_time_ < now) advance(1); // busy: the access begins at the next edge
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const unit::RtlUnit::Access access =
      payload.is_write() ? unit_->write(offset, payload_word(payload)) : unit_->read(offset);
  unit_time_ += clock_.at(access.cycles);
  settled_ = access.busy == 0;
  count(payload.is_write(), offset, access.cycles);
  delay += unit_time_ - now;
  if (probe != nullptr) report(access.cycles, access.busy);
  if (unit_->busy()) {
    tick_event_.cancel();
    tick_event_.notify(unit_time_ + clock_.at(unit_->steady_cycles()) - now);
  }
  if (access.error) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (payload.is_read()) return answer(payload, access.data);
  accept(payload);
}

} // namespace dtrmc::platform
