// SPDX-License-Identifier: Apache-2.0
// The scoring unit's signals as a waveform, FST or VCD by the file's extension.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/record/atomic_file.h"
#include "host/record/window.h"
#include "rtl/model/wave_unit.h"

namespace dtrmc::recording {

class Waveform {
 public:
  // Loads the traced variant of `unit`. Throws record::FileError where the file cannot be written or has another
  // extension, platform::InputError where the variant is not built.
  Waveform(const std::string& path, const std::string& unit, std::uint64_t period_ps, const record::Window& window);
  ~Waveform();
  Waveform(const Waveform&) = delete;
  Waveform& operator=(const Waveform&) = delete;

  std::unique_ptr<unit::RtlUnit> make_unit();
  // After that unit is gone.
  void commit();

 private:
  record::AtomicFile file_;
  std::string path_;
  std::string scratch_; // FST, as the run writes it
  bool vcd_;
  unit::WaveRequest request_;
  const unit::WaveModule* module_ = nullptr;
};

} // namespace dtrmc::recording
