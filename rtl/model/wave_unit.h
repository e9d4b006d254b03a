// SPDX-License-Identifier: Apache-2.0
// A unit verilated with tracing is a module of its own (dtrmc-wave-NAME.so), loaded when a waveform is asked for, so
// that the unit of every other run stays as fast as it is. This is what such a module exports.
#pragma once

#include <cstdint>

#include "host/record/window.h"
#include "rtl/model/rtl_unit.h"

namespace dtrmc::unit {

struct WaveRequest {
  const char* fst_path = nullptr;
  uint64_t period_ps = 0;                 // of the unit's clock
  const record::Window* window = nullptr; // only what happens in it is dumped; outlives the unit
};

struct WaveModule {
  // Ownership goes to the caller. The file is complete once the unit is destroyed.
  RtlUnit* (*make)(const WaveRequest& request);
  // Writes the FST file as VCD; false where that fails.
  bool (*to_vcd)(const char* fst_path, const char* vcd_path);
};

inline constexpr const char* kWaveModuleSymbol = "dtrmc_wave_module"; // a WaveModule
// A string: DTRMC_WAVE_INTERFACE as the module was compiled with it. A module that has another one than the program
// was left by an earlier build, and its classes may be laid out otherwise.
inline constexpr const char* kWaveInterfaceSymbol = "dtrmc_wave_interface";

} // namespace dtrmc::unit
