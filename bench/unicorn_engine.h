// SPDX-License-Identifier: Apache-2.0
// The batch image on Unicorn (QEMU's translator as a library), with a counting hook.
#pragma once

#include <cstdint>

#include "systemc/batch/batch.h"

namespace dtrmc::bench {

enum class Hook : std::uint8_t {
  kNone,        // nothing is counted
  kBlock,       // the instructions of each basic block are added as it is entered
  kInstruction, // each instruction adds its usual cycles on ibex-small, from a table by address
};

// Runs to the end of the image. `counted`: what the hook added up. Throws std::runtime_error where Unicorn fails.
struct UnicornRun {
  std::uint64_t counted = 0;
  std::uint32_t end = 0;
  double seconds = 0; // of the emulation alone, translation included
};
UnicornRun run_on_unicorn(batch::Ram& ram, Hook hook);

} // namespace dtrmc::bench
