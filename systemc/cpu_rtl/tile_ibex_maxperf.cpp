// SPDX-License-Identifier: Apache-2.0
#include "Vibex_maxperf.h"
#include "systemc/cpu_rtl/tiles.h"
#include "systemc/cpu_rtl/verilated_ibex.h"

namespace dtrmc::cpu_rtl {

std::unique_ptr<Tile> make_ibex_maxperf() { return std::make_unique<VerilatedIbex<Vibex_maxperf>>(); }

} // namespace dtrmc::cpu_rtl
