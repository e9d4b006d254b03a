// SPDX-License-Identifier: Apache-2.0
// A core with a small program in RAM and nothing around it, for the debugger to look at.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "firmware/image.h"
#include "systemc/cpu/core.h"
#include "systemc/debug/run_control.h"
#include "systemc/debug/snapshot.h"

namespace dtrmc::debug::test {

inline constexpr std::uint32_t kBase = 0x80000000u;

class Target : public cpu::Environment, public PlatformState {
 public:
  explicit Target(const std::vector<std::uint32_t>& program)
      : core_(cpu::timing_profile("ibex-small"),
              cpu::RamView{ram.data(), kBase, static_cast<std::uint32_t>(ram.size()), 0}, *this),
        file_(firmware::image().data, firmware::image().data + firmware::image().size),
        image_("test image", file_) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      for (unsigned byte = 0; byte < 4; ++byte) ram[4 * i + byte] = static_cast<std::uint8_t>(program[i] >> (8 * byte));
    }
    core_.set_fault_policy(cpu::FaultPolicy::kExceptions);
    core_.reset(kBase);
  }

  CpuPort port() {
    CpuPort result;
    result.core = &core_;
    result.advance = [this](std::uint64_t until) { return core_.run(until); };
    result.synchronise = [this] { ++synchronised; };
    return result;
  }

  cpu::Core& core() { return core_; }
  Snapshot snapshot() override {
    Snapshot s;
    s.schedule = &schedule_;
    s.cycles = core_.cycle();
    return s;
  }
  const cpu::ElfImage& image() const override { return image_; }
  const std::vector<std::uint8_t>& firmware_file() const override { return file_; }

  cpu::MmioResult read(std::uint32_t, unsigned, std::uint64_t) override { return {}; }
  cpu::MmioResult write(std::uint32_t, unsigned, std::uint32_t, std::uint64_t) override { return {}; }
  std::uint32_t interrupt_lines(std::uint64_t) override { return 0; }

  std::array<std::uint8_t, 4096> ram{};
  int synchronised = 0;

 private:
  cpu::Core core_;
  std::vector<std::uint8_t> file_;
  cpu::ElfImage image_;
  trace::Schedule schedule_;
};

} // namespace dtrmc::debug::test
