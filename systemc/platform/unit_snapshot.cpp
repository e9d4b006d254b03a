// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/unit_snapshot.h"

#include "rtl/generated/scoring_unit_regs.h"

namespace dtrmc::platform {

debug::Snapshot::Unit unit_snapshot(unit::RtlUnit& unit) {
  struct Register {
    const char* name;
    std::uint32_t offset;
  };
  constexpr Register kRegisters[] = {{"ID", SCORING_UNIT_ID_OFFSET},
                                     {"PARAMS", SCORING_UNIT_PARAMS_OFFSET},
                                     {"WIDTHS", SCORING_UNIT_WIDTHS_OFFSET},
                                     {"MODE", SCORING_UNIT_MODE_OFFSET},
                                     {"IRQ_ENABLE", SCORING_UNIT_IRQ_ENABLE_OFFSET},
                                     {"CLOCK_LO", SCORING_UNIT_CLOCK_LO_OFFSET},
                                     {"CLOCK_HI", SCORING_UNIT_CLOCK_HI_OFFSET},
                                     {"RESULT", SCORING_UNIT_RESULT_OFFSET},
                                     {"CYCLES", SCORING_UNIT_CYCLES_OFFSET},
                                     {"TOTAL_CYCLES_LO", SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET},
                                     {"TOTAL_CYCLES_HI", SCORING_UNIT_TOTAL_CYCLES_HI_OFFSET},
                                     {"COUNT", SCORING_UNIT_COUNT_OFFSET},
                                     {"NEXT_ORDER", SCORING_UNIT_NEXT_ORDER_OFFSET},
                                     {"QUEUE", SCORING_UNIT_QUEUE_OFFSET}};
  debug::Snapshot::Unit result;
  result.name = unit.info().name;
  result.busy = unit.busy();
  result.irq = unit.irq();
  if (result.busy) return result;
  for (const Register& r : kRegisters) result.registers.emplace_back(r.name, unit.read(r.offset).data);
  return result;
}

} // namespace dtrmc::platform
