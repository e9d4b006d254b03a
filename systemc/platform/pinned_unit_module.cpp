// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/pinned_unit_module.h"

#include <optional>
#include <utility>

namespace dtrmc::platform {

PinnedUnitModule::PinnedUnitModule(sc_core::sc_module_name name, std::unique_ptr<unit::RtlUnit> unit,
                                   const ClockDomain& clock)
    : UnitModule(name),
      clock_domain_(clock),
      clock_("clock", clock, [this] { return bridge_.active() || wires_.busy.read(); }),
      bridge_("bridge", clock),
      device_("device", std::move(unit)) {
  bridge_.on_access = [this](bool write, std::uint32_t address, std::uint64_t cycles) {
    count(write, address, cycles);
  };
  bridge_.peek = [this](std::uint64_t offset) { return bridge_.active() ? std::nullopt : device_.unit().peek(offset); };
  bridge_.clk(clock_.signal);
  bridge_.bind(wires_);
  device_.clk(clock_.signal);
  device_.bind(wires_);
  SC_HAS_PROCESS(PinnedUnitModule);
  SC_METHOD(on_busy);
  sensitive << wires_.busy;
  dont_initialize();
}

// Waits until what the edge of this instant does to the outputs can be read: the clock rises, the unit is evaluated in
// the next delta cycle, its signals change in the one after that.
void PinnedUnitModule::settle() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (ClockDomain::to_ps(now) % clock_domain_.period_ps() != 0) return;
  while (!clock_.signal.read()) sc_core::wait(sc_core::SC_ZERO_TIME);
  if (settled_at_ == now) return;
  sc_core::wait(sc_core::SC_ZERO_TIME);
  sc_core::wait(sc_core::SC_ZERO_TIME);
  settled_at_ = now;
}

bool PinnedUnitModule::level() {
  settle();
  return wires_.irq.read();
}

sc_core::sc_time PinnedUnitModule::next_change() {
  settle();
  if (!wires_.busy.read()) return sc_core::sc_max_time();
  const std::uint64_t period = clock_domain_.period_ps();
  return ClockDomain::from_ps((ClockDomain::to_ps(sc_core::sc_time_stamp()) / period + 1) * period);
}

// Runs at the edge at which a search begins or ends.
void PinnedUnitModule::on_busy() {
  if (probe != nullptr) probe->on_unit(wires_.busy.read(), ClockDomain::to_ps(sc_core::sc_time_stamp()));
}

} // namespace dtrmc::platform
