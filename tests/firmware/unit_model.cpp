// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/unit_model.h"

#include <array>

#include "rtl/generated/scoring_unit_regs.h"

namespace dtrmc::test {

namespace {

// 256-bit unsigned product of up to four 64-bit factors.
struct Wide {
  std::array<std::uint32_t, 8> limbs{};

  explicit Wide(std::uint64_t value) {
    limbs[0] = static_cast<std::uint32_t>(value);
    limbs[1] = static_cast<std::uint32_t>(value >> 32);
  }
  Wide times(std::uint64_t factor) const {
    Wide product(0);
    for (std::size_t half = 0; half < 2; ++half) {
      const std::uint64_t digit = half == 0 ? factor & 0xffffffffu : factor >> 32;
      std::uint64_t carry = 0;
      for (std::size_t i = 0; i + half < limbs.size(); ++i) {
        carry += limbs[i] * digit + product.limbs[i + half];
        product.limbs[i + half] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    return product;
  }
  int compare(const Wide& other) const {
    for (std::size_t i = limbs.size(); i-- > 0;) {
      if (limbs[i] != other.limbs[i]) return limbs[i] < other.limbs[i] ? -1 : 1;
    }
    return 0;
  }
  Wide minus(const Wide& other) const {
    Wide difference(0);
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs.size(); ++i) {
      const std::int64_t digit = std::int64_t{limbs[i]} - other.limbs[i] + borrow;
      difference.limbs[i] = static_cast<std::uint32_t>(digit);
      borrow = digit < 0 ? -1 : 0;
    }
    return difference;
  }
  Wide shifted_right_51() const { // = << 13, then >> 64
    const Wide up = times(1u << 13);
    Wide down(0);
    for (std::size_t i = 0; i + 2 < limbs.size(); ++i) down.limbs[i] = up.limbs[i + 2];
    return down;
  }
};

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

bool fits_unsigned(std::uint64_t value, std::uint32_t bits) { return bits >= 64 || value >> bits == 0; }
bool fits_signed(std::int64_t value, std::uint32_t bits) {
  return bits >= 64 || (value >> (bits - 1)) == 0 || (value >> (bits - 1)) == -1;
}

std::uint64_t with_low(std::uint64_t value, std::uint32_t low) { return (value & ~std::uint64_t{0xffffffffu}) | low; }
std::uint64_t with_high(std::uint64_t value, std::uint32_t high) {
  return (value & 0xffffffffu) | std::uint64_t{high} << 32;
}

} // namespace

UnitModel::UnitModel(const UnitParameters& parameters)
    : id(SCORING_UNIT_ID_RESET),
      params(parameters.depth << SCORING_UNIT_PARAMS_DEPTH_SHIFT | 1u << SCORING_UNIT_PARAMS_LANES_SHIFT),
      parameters_(parameters),
      slots_(parameters.depth) {}

void UnitModel::complain(const std::string& text) {
  if (fault_.empty()) fault_ = "scoring unit: " + text;
}

bool UnitModel::interrupt() {
  return (result_ & SCORING_UNIT_RESULT_DONE_MASK) != 0 && (irq_enable_ & SCORING_UNIT_IRQ_ENABLE_DONE_MASK) != 0;
}

std::uint32_t UnitModel::read(std::uint32_t offset) {
  switch (offset) {
    case SCORING_UNIT_ID_OFFSET:
      return id;
    case SCORING_UNIT_PARAMS_OFFSET:
      return params;
    case SCORING_UNIT_WIDTHS_OFFSET:
      return parameters_.cost_bits << SCORING_UNIT_WIDTHS_COST_SHIFT |
             parameters_.size_bits << SCORING_UNIT_WIDTHS_SIZE_SHIFT |
             parameters_.time_bits << SCORING_UNIT_WIDTHS_TIME_SHIFT |
             parameters_.order_bits << SCORING_UNIT_WIDTHS_ORDER_SHIFT;
    case SCORING_UNIT_FORMAT_OFFSET: // exact arithmetic has none
      return 0;
    case SCORING_UNIT_RESULT_OFFSET:
      return result_;
    case SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET:
      return static_cast<std::uint32_t>(searches_ * 10);
    case SCORING_UNIT_TOTAL_CYCLES_HI_OFFSET:
      return 0;
    default:
      complain("read of offset " + std::to_string(offset));
      return 0;
  }
}

void UnitModel::write(std::uint32_t offset, std::uint32_t value) {
  if (offset >= SCORING_UNIT_CANDIDATE_OFFSET) {
    const std::uint32_t slot = (offset - SCORING_UNIT_CANDIDATE_OFFSET) / SCORING_UNIT_CANDIDATE_STRIDE;
    if (slot >= slots_.size()) return complain("write beyond the table");
    ++table_writes_;
    return write_slot(slots_[slot], offset % SCORING_UNIT_CANDIDATE_STRIDE, value);
  }
  switch (offset) {
    case SCORING_UNIT_MODE_OFFSET:
      mode_ = value;
      return;
    case SCORING_UNIT_IRQ_ENABLE_OFFSET:
      irq_enable_ = value;
      return;
    case SCORING_UNIT_CLOCK_LO_OFFSET:
      clock_ = with_low(clock_, value);
      return;
    case SCORING_UNIT_CLOCK_HI_OFFSET:
      clock_ = with_high(clock_, value);
      return;
    case SCORING_UNIT_NEXT_ORDER_OFFSET:
      next_order_ = value;
      return;
    case SCORING_UNIT_CONTROL_OFFSET:
      if ((value & SCORING_UNIT_CONTROL_SOFT_RESET_MASK) != 0) {
        for (Slot& slot : slots_) slot = Slot();
        mode_ = irq_enable_ = result_ = 0;
        clock_ = next_order_ = searches_ = 0;
        return;
      }
      if ((value & SCORING_UNIT_CONTROL_CLEAR_DONE_MASK) != 0) result_ &= ~SCORING_UNIT_RESULT_DONE_MASK;
      if ((value & SCORING_UNIT_CONTROL_START_MASK) != 0) search();
      return;
    default:
      complain("write of offset " + std::to_string(offset));
  }
}

void UnitModel::write_slot(Slot& slot, std::uint32_t field, std::uint32_t value) {
  switch (field) {
    case SCORING_UNIT_CANDIDATE_COST_LO_OFFSET:
      slot.cost = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
      slot.cost_known = true;
      return;
    case SCORING_UNIT_CANDIDATE_COST_HI_OFFSET:
      slot.cost = with_high(slot.cost, value);
      return;
    case SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET:
      slot.size = value;
      slot.size_known = true;
      return;
    case SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET:
      slot.size = with_high(slot.size, value);
      return;
    case SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET:
      slot.last = with_low(clock_, value);
      return;
    case SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET:
      slot.last = with_high(slot.last, value);
      return;
    case SCORING_UNIT_CANDIDATE_INSERT_OFFSET:
      if (!slot.cost_known || !slot.size_known) complain("a slot was inserted before its cost and size were written");
      slot.last = with_low(clock_, value);
      slot.order = next_order_++;
      slot.valid = true;
      return;
    case SCORING_UNIT_CANDIDATE_REMOVE_OFFSET:
      if (!slot.valid) complain("an empty slot was removed");
      slot.valid = false;
      return;
    default:
      complain("write of field " + std::to_string(field));
  }
}

void UnitModel::search() {
  ++searches_;
  const bool use_size = (mode_ & SCORING_UNIT_MODE_USE_SIZE_MASK) != 0;
  const bool use_staleness = (mode_ & SCORING_UNIT_MODE_USE_STALENESS_MASK) != 0;
  bool saturated = use_staleness && !fits_unsigned(clock_, parameters_.time_bits);
  bool near = false;
  const Slot* zero = nullptr;
  const Slot* finite = nullptr;
  const Slot* infinite = nullptr;
  bool negative = false;
  std::vector<std::uint64_t> orders;
  const auto cost = [](const Slot& s) { return static_cast<std::int64_t>(s.cost); };
  for (const Slot& slot : slots_) {
    if (!slot.valid) continue;
    for (const std::uint64_t order : orders) {
      if (order == slot.order) complain("two valid entries of one order");
    }
    orders.push_back(slot.order);
    saturated = saturated || !fits_signed(cost(slot), parameters_.cost_bits) ||
                (use_size && !fits_unsigned(slot.size, parameters_.size_bits)) ||
                (use_staleness && !fits_unsigned(slot.last, parameters_.time_bits)) ||
                !fits_unsigned(slot.order, parameters_.order_bits);
    const auto denominator_size = [&](const Slot& s) { return use_size ? s.size : 1; };
    const auto denominator_time = [&](const Slot& s) {
      return !use_staleness ? 1 : clock_ > s.last ? clock_ - s.last : 0;
    };
    if (denominator_size(slot) == 0 || denominator_time(slot) == 0) {
      if (infinite == nullptr || slot.order > infinite->order) infinite = &slot;
    } else if (cost(slot) == 0) {
      if (zero == nullptr || slot.order < zero->order) zero = &slot;
    } else {
      negative = negative || cost(slot) < 0;
      if (finite == nullptr) {
        finite = &slot;
        continue;
      }
      const Wide left = Wide(magnitude(cost(slot))).times(denominator_size(*finite)).times(denominator_time(*finite));
      const Wide right = Wide(magnitude(cost(*finite))).times(denominator_size(slot)).times(denominator_time(slot));
      int order = left.compare(right);
      if ((cost(slot) < 0) != (cost(*finite) < 0)) {
        order = cost(slot) < 0 ? -1 : 1;
      } else {
        const Wide& larger = order > 0 ? left : right;
        const Wide& smaller = order > 0 ? right : left;
        if ((use_size || use_staleness) && order != 0 &&
            larger.minus(smaller).compare(larger.shifted_right_51()) <= 0) {
          near = true;
        }
        if (cost(slot) < 0) order = -order;
      }
      if (order < 0 || (order == 0 && slot.order > finite->order)) finite = &slot;
    }
  }
  const Slot* winner = zero != nullptr ? zero : finite != nullptr ? finite : infinite;
  result_ = SCORING_UNIT_RESULT_DONE_MASK;
  if (winner == nullptr) {
    result_ |= SCORING_UNIT_RESULT_EMPTY_MASK | SCORING_UNIT_RESULT_CLASS_NONE << SCORING_UNIT_RESULT_CLASS_SHIFT;
    return;
  }
  const std::uint32_t kind = winner == zero     ? SCORING_UNIT_RESULT_CLASS_ZERO
                             : winner == finite ? SCORING_UNIT_RESULT_CLASS_FINITE
                                                : SCORING_UNIT_RESULT_CLASS_INFINITE;
  result_ |= static_cast<std::uint32_t>(winner - slots_.data()) | kind << SCORING_UNIT_RESULT_CLASS_SHIFT;
  if (saturated) result_ |= SCORING_UNIT_RESULT_SAT_MASK;
  if (zero != nullptr && negative) result_ |= SCORING_UNIT_RESULT_MIXED_MASK;
  if (near) result_ |= SCORING_UNIT_RESULT_NEAR_MASK;
}

} // namespace dtrmc::test
