// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/unit_snapshot.h"

#include "rtl/generated/scoring_unit_registers.h"

namespace dtrmc::platform {

debug::Snapshot::Unit unit_snapshot(unit::RtlUnit& unit) {
  debug::Snapshot::Unit result;
  result.name = unit.info().name;
  result.busy = unit.busy();
  result.irq = unit.irq();
  if (result.busy) return result;
  for (const unit::regs::Register& r : unit::regs::kRegisters) {
    if (r.readable) result.registers.emplace_back(r.name, unit.read(r.offset).data);
  }
  return result;
}

} // namespace dtrmc::platform
