// SPDX-License-Identifier: Apache-2.0
// The Verilated unit and its behavioural model as one unit: every access goes to both, and the first difference in an
// answer, a number of cycles, BUSY or the interrupt level ends it with an exception that tells what was asked.
#pragma once

#include <memory>
#include <string>

#include "rtl/model/rtl_unit.h"

namespace dtrmc::test {

class LockstepUnit final : public unit::RtlUnit {
 public:
  explicit LockstepUnit(const std::string& name); // that unit and its model
  LockstepUnit(std::unique_ptr<unit::RtlUnit> rtl, std::unique_ptr<unit::RtlUnit> model);

  const unit::UnitInfo& info() const override { return rtl_->info(); }
  void reset() override;
  bool busy() const override { return rtl_->busy(); }
  bool irq() const override { return rtl_->irq(); }
  void clock(uint64_t cycles) override;
  uint64_t steady_cycles() const override { return model_->steady_cycles(); }
  Access write(uint32_t offset, uint32_t data, uint8_t strobes) override;
  Access read(uint32_t offset) override;

  uint64_t accesses() const { return accesses_; }

 private:
  void compare(const std::string& what);
  void compare(const std::string& what, const Access& rtl, const Access& model);

  std::unique_ptr<unit::RtlUnit> rtl_;
  std::unique_ptr<unit::RtlUnit> model_;
  uint64_t accesses_ = 0;
};

} // namespace dtrmc::test
