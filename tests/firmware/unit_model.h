// SPDX-License-Identifier: Apache-2.0
// The scoring unit's register map with an exact search behind it, for the firmware's unit path. Widths and depth are
// free, so that tests reach what real widths never show. Shares no arithmetic with the firmware.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/firmware_host.h"

namespace dtrmc::test {

struct UnitParameters {
  std::uint32_t depth = 512;
  std::uint32_t cost_bits = 48; // signed
  std::uint32_t size_bits = 40;
  std::uint32_t time_bits = 48;
  std::uint32_t order_bits = 32;
};

class UnitModel : public HostUnit {
 public:
  explicit UnitModel(const UnitParameters& parameters);

  std::uint32_t read(std::uint32_t offset) override;
  void write(std::uint32_t offset, std::uint32_t value) override;
  bool interrupt() override;
  std::string fault() override { return fault_; }

  // Identification and PARAMS as other hardware would give them.
  std::uint32_t id;
  std::uint32_t params;

  std::uint64_t searches() const { return searches_; }
  std::uint64_t table_writes() const { return table_writes_; } // to slots

 private:
  struct Slot {
    std::uint64_t cost = 0; // two's complement
    std::uint64_t size = 0;
    std::uint64_t last = 0;
    std::uint64_t order = 0;
    bool cost_known = false;
    bool size_known = false;
    bool valid = false;
  };

  void write_slot(Slot& slot, std::uint32_t field, std::uint32_t value);

  void search();
  void complain(const std::string& text);

  UnitParameters parameters_;
  std::vector<Slot> slots_;
  std::uint32_t mode_ = 0;
  std::uint32_t irq_enable_ = 0;
  std::uint64_t clock_ = 0;
  std::uint64_t next_order_ = 0;
  std::uint64_t table_writes_ = 0;
  std::uint32_t result_ = 0;
  std::uint64_t searches_ = 0;
  std::string fault_;
};

} // namespace dtrmc::test
