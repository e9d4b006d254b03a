// SPDX-License-Identifier: Apache-2.0
// Tracer of a VerilatedUnit that writes an FST waveform, in device time. A clock cycle ends with the rising edge, so
// edges lie where the platform counts its cycles; while the unit is idle its clock stands still.
#pragma once

#include <verilated_fst_c.h>

#include <memory>

#include "rtl/model/wave_unit.h"

namespace dtrmc::unit {

class FstTrace {
 public:
  explicit FstTrace(const WaveRequest& request) : request_(request) {}
  FstTrace(FstTrace&&) = default;
  ~FstTrace() {
    if (!file_) return;
    idle_low();
    file_->close();
  }

  template <typename Model>
  void begin(VerilatedContext& context, Model& model) {
    context.traceEverOn(true);
    auto file = std::make_unique<VerilatedFstC>();
    constexpr int kAllLevels = 99;
    model.trace(file.get(), kAllLevels);
    file->open(request_.fst_path);
    file_ = std::move(file);
  }

  // The model has settled with the clock low, and is about to see the rising edge.
  void before_rise() { dump(time_ + request_.period_ps / 2); }
  void after_rise() {
    time_ += request_.period_ps;
    dump(time_);
  }
  void set_time(uint64_t ps) {
    if (ps <= time_) return;
    if (ps - time_ >= request_.period_ps) idle_low();
    time_ = ps;
  }
  // An edge at `ps` of a clock that runs all the time; false at the first one, which ends no cycle.
  bool ends_cycle(uint64_t ps) {
    if (ps < request_.period_ps) return false;
    time_ = ps - request_.period_ps;
    return true;
  }

 private:
  void idle_low() { dump(time_ + request_.period_ps / 2); }
  void dump(uint64_t ps) {
    // Verilator refuses a second dump of one instant.
    if (!file_ || (dumped_ && ps <= last_) || !request_.window->contains(ps)) return;
    dumped_ = true;
    last_ = ps;
    file_->dump(ps);
  }

  WaveRequest request_;
  std::unique_ptr<VerilatedFstC> file_;
  uint64_t time_ = 0; // ps, begin of the next cycle
  uint64_t last_ = 0; // ps, of the last dump
  bool dumped_ = false;
};

bool fst_to_vcd(const char* fst_path, const char* vcd_path);

} // namespace dtrmc::unit
