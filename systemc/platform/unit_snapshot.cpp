// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/unit_snapshot.h"

#include <optional>

#include "rtl/generated/scoring_unit_registers.h"

namespace dtrmc::platform {

debug::Snapshot::Unit unit_snapshot(unit::RtlUnit& unit) {
  debug::Snapshot::Unit result;
  result.name = unit.info().name;
  result.busy = unit.busy();
  result.irq = unit.irq();
  for (const unit::regs::Register& r : unit::regs::kRegisters) {
    const std::optional<std::uint32_t> value = r.readable ? unit.peek(r.offset) : std::nullopt;
    if (value) result.registers.emplace_back(r.name, *value);
  }
  return result;
}

} // namespace dtrmc::platform
