// SPDX-License-Identifier: Apache-2.0
// The Verilated cores by name. Which of them a binary has depends on the Python packages that were installed when it
// was configured (CMakeLists.txt).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systemc/cpu_rtl/tile.h"

namespace dtrmc::cpu_rtl {

// Built into this binary: of ibex-small, ibex-maxperf, picorv32.
std::vector<std::string> tile_names();

// nullptr: not in this binary; see how_to_get().
std::unique_ptr<Tile> make_tile(const std::string& name);

// One line: what to install, and what to do then.
std::string how_to_get(const std::string& name);

// One each, where the package was found.
std::unique_ptr<Tile> make_ibex_small();
std::unique_ptr<Tile> make_ibex_maxperf();
std::unique_ptr<Tile> make_picorv32();

} // namespace dtrmc::cpu_rtl
