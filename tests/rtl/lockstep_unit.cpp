// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/lockstep_unit.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace dtrmc::test {

LockstepUnit::LockstepUnit(std::unique_ptr<unit::RtlUnit> rtl, std::unique_ptr<unit::RtlUnit> model)
    : rtl_(std::move(rtl)), model_(std::move(model)) {
  compare("construction");
}

LockstepUnit::LockstepUnit(const std::string& name)
    : LockstepUnit(unit::make_unit(name), unit::make_behavioural_unit(name)) {
  const unit::UnitInfo& a = rtl_->info();
  const unit::UnitInfo& b = model_->info();
  const auto text = [](const unit::UnitInfo& i) {
    return fmt::format("{} {} {} {} {} {} {} {} {}", i.name, i.arithmetic, i.search, i.lanes, i.depth, i.cost_bits,
                       i.size_bits, i.time_bits, i.order_bits);
  };
  if (text(a) != text(b)) throw std::logic_error("RTL is " + text(a) + ", model is " + text(b));
}

void LockstepUnit::reset() {
  rtl_->reset();
  model_->reset();
  compare("reset");
}

void LockstepUnit::clock(uint64_t cycles) {
  const bool ahead = cycles == model_->steady_cycles(); // the model says what happens until the end of these
  for (uint64_t i = 0; i < cycles; ++i) {
    if (ahead && i > 0 && !rtl_->busy()) throw std::logic_error("the search ended before the model's steady cycles");
    rtl_->clock(1);
  }
  model_->clock(cycles);
  compare(fmt::format("{} clock cycles", cycles));
}

unit::RtlUnit::Access LockstepUnit::write(uint32_t offset, uint32_t data, uint8_t strobes) {
  const Access result = rtl_->write(offset, data, strobes);
  compare(fmt::format("write of {:#x} to {:#x}, strobes {:#x}", data, offset, strobes), result,
          model_->write(offset, data, strobes));
  return result;
}

unit::RtlUnit::Access LockstepUnit::read(uint32_t offset) {
  const Access result = rtl_->read(offset);
  compare(fmt::format("read of {:#x}", offset), result, model_->read(offset));
  return result;
}

void LockstepUnit::compare(const std::string& what) {
  if (rtl_->busy() == model_->busy() && rtl_->irq() == model_->irq()) return;
  throw std::logic_error(
      fmt::format("unit {}, access {}: after {} BUSY and interrupt are {} {} in the RTL, {} {} in "
                  "the model",
                  info().name, accesses_, what, rtl_->busy(), rtl_->irq(), model_->busy(), model_->irq()));
}

void LockstepUnit::compare(const std::string& what, const Access& rtl, const Access& model) {
  ++accesses_;
  if (rtl.error != model.error || rtl.data != model.data || rtl.cycles != model.cycles || rtl.busy != model.busy) {
    const auto text = [](const Access& a) {
      return fmt::format("{}data {:#x}, {} cycles, {} busy", a.error ? "error, " : "", a.data, a.cycles, a.busy);
    };
    throw std::logic_error(fmt::format("unit {}, access {}: {}: {} in the RTL, {} in the model", info().name, accesses_,
                                       what, text(rtl), text(model)));
  }
  compare(what);
}

} // namespace dtrmc::test
