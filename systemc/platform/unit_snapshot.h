// SPDX-License-Identifier: Apache-2.0
// The scoring unit's registers for a debugger.
#pragma once

#include "rtl/model/rtl_unit.h"
#include "systemc/debug/snapshot.h"

namespace dtrmc::platform {

// Reads over the unit's own pins. Those accesses clock the RTL beside its device time, which changes nothing while it
// is idle; while it searches it would, so nothing is read then.
debug::Snapshot::Unit unit_snapshot(unit::RtlUnit& unit);

} // namespace dtrmc::platform
