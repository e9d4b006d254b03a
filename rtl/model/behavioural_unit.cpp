// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/behavioural_unit.h"

#include <algorithm>
#include <utility>

#include "rtl/generated/scoring_unit_regs.h"
#include "rtl/model/exact_arithmetic.h"
#include "rtl/model/key_arithmetic.h"
#include "rtl/model/score_format.h"

namespace dtrmc::unit {

namespace {

constexpr uint32_t kAddressMask = SCORING_UNIT_WINDOW_BYTES - 1;

uint32_t byte_mask(uint8_t strobes) {
  uint32_t mask = 0;
  for (uint32_t byte = 0; byte < 4; ++byte) {
    if ((strobes >> byte & 1) != 0) mask |= 0xFFu << 8 * byte;
  }
  return mask;
}

void store(uint32_t& word, uint32_t data, uint8_t strobes) {
  const uint32_t mask = byte_mask(strobes);
  word = (word & ~mask) | (data & mask);
}

void store_half(uint64_t& value, bool high, uint32_t data, uint8_t strobes) {
  const unsigned shift = high ? 32 : 0;
  auto word = static_cast<uint32_t>(value >> shift);
  store(word, data, strobes);
  value = (value & ~(uint64_t{0xFFFFFFFF} << shift)) | uint64_t{word} << shift;
}

// A low word; where all of it is written, the high word becomes `high`.
void store_low(uint64_t& value, uint32_t data, uint8_t strobes, uint32_t high) {
  constexpr uint8_t kWhole = 0xF;
  store_half(value, false, data, strobes);
  if (strobes == kWhole) store_half(value, true, high, kWhole);
}

} // namespace

BehaviouralUnit::BehaviouralUnit(std::string name, const BehaviouralParameters& parameters)
    : parameters_(parameters), table_(parameters.depth) {
  info_.name = std::move(name);
  info_.format = parameters.format;
  info_.arithmetic = format_name(parameters.format);
  info_.search = parameters.search == pkg::CACHE ? "cache" : "scan";
  info_.lanes = parameters.lanes;
  info_.depth = parameters.depth;
  info_.cost_bits = parameters.cost_bits;
  info_.size_bits = parameters.size_bits;
  info_.time_bits = parameters.time_bits;
  info_.order_bits = parameters.order_bits;
  if (parameters.search == pkg::CACHE) cache_.emplace(parameters);
}

void BehaviouralUnit::reset() {
  table_.clear();
  if (cache_) cache_->clear();
  queue_.clear();
  update_.reset();
  next_order_ = 0;
  terms_ = {};
  irq_enable_ = false;
  soft_reset_ = false;
  done_ = false;
  outcome_ = {};
  left_ = hold_left_ = 0;
  cycles_ = 0;
  total_cycles_ = 0;
}

void BehaviouralUnit::hold_cycles(uint64_t cycles) {
  hold_left_ -= cycles;
  if (left_ == 0) return;
  const uint64_t searching = std::min(cycles, left_);
  left_ -= searching;
  cycles_ += static_cast<uint32_t>(searching);
  total_cycles_ += searching;
  if (left_ == 0) done_ = true;
}

void BehaviouralUnit::clock(uint64_t cycles) {
  while (cycles > 0) {
    if (hold_left_ != 0 && !update_) {
      const uint64_t passed = std::min(cycles, hold_left_);
      hold_cycles(passed);
      cycles -= passed;
    } else if (busy() || update_) {
      edge(nullptr);
      --cycles;
    } else {
      return; // idle
    }
  }
}

void BehaviouralUnit::edge(const Write* write) {
  if (soft_reset_) {
    // On its way into the memories, which no reset stops: the field stays, an entry does not.
    if (update_) update(*update_);
    return reset();
  }
  const bool searching = left_ != 0;
  const bool held = hold_left_ != 0;
  const bool empty = queue_.empty();
  if (held) hold_cycles(1);
  if (update_) update(*std::exchange(update_, std::nullopt));
  if (!held && !empty) {
    const Write oldest = queue_.front();
    queue_.pop_front();
    take(oldest);
  }
  if (write == nullptr || write->error) return;
  if (write->queues) {
    if (!held && empty) return take(*write);
    return queue_.push_back(*write);
  }
  if (write->word == SCORING_UNIT_CONTROL_OFFSET) return control(*write, searching);
  uint32_t enable = irq_enable_ ? SCORING_UNIT_IRQ_ENABLE_DONE_MASK : 0;
  store(enable, write->data, write->strobes);
  irq_enable_ = (enable & SCORING_UNIT_IRQ_ENABLE_DONE_MASK) != 0;
}

void BehaviouralUnit::pass(Access& access, const Write* write) {
  ++access.cycles;
  access.busy += busy() ? 1 : 0;
  edge(write);
}

bool BehaviouralUnit::grants(const Write& write) const {
  if (write.queues) return queue_.size() < parameters_.queue;
  return !write.starts || (hold_left_ == 0 && queue_.empty());
}

RtlUnit::Access BehaviouralUnit::write(uint32_t offset, uint32_t data, uint8_t strobes) {
  const Write write = decode_write(offset, data, strobes & 0xF);
  Access access;
  access.error = write.error;
  while (!grants(write)) {
    if (hold_left_ > 1 && !update_) { // nothing else changes until the last cycle of hold
      access.cycles += static_cast<uint32_t>(hold_left_ - 1);
      access.busy += static_cast<uint32_t>(hold_left_ - 1);
      hold_cycles(hold_left_ - 1);
    }
    pass(access, nullptr);
  }
  pass(access, &write);
  pass(access, nullptr); // the response
  return access;
}

std::optional<uint32_t> BehaviouralUnit::peek(uint64_t offset) {
  uint32_t value = 0;
  if (offset >= SCORING_UNIT_WINDOW_BYTES || !register_value(static_cast<uint32_t>(offset) & ~3u, value))
    return std::nullopt;
  return value;
}

RtlUnit::Access BehaviouralUnit::read(uint32_t offset) {
  Access access;
  access.error = !register_value(offset & kAddressMask & ~3u, access.data);
  pass(access, nullptr);
  pass(access, nullptr);
  return access;
}

BehaviouralUnit::Write BehaviouralUnit::decode_write(uint32_t offset, uint32_t data, uint8_t strobes) const {
  Write write;
  write.word = offset & kAddressMask & ~3u;
  write.data = data;
  write.strobes = strobes;
  if (write.word >= SCORING_UNIT_CANDIDATE_OFFSET) {
    const uint32_t slot = (write.word - SCORING_UNIT_CANDIDATE_OFFSET) / SCORING_UNIT_CANDIDATE_STRIDE;
    write.error = slot >= parameters_.depth;
    write.queues = !write.error;
    return write;
  }
  switch (write.word) {
    case SCORING_UNIT_MODE_OFFSET:
    case SCORING_UNIT_CLOCK_LO_OFFSET:
    case SCORING_UNIT_CLOCK_HI_OFFSET:
    case SCORING_UNIT_NEXT_ORDER_OFFSET:
      write.queues = true;
      break;
    case SCORING_UNIT_CONTROL_OFFSET: {
      const uint32_t written = data & byte_mask(strobes);
      write.starts =
          (written & SCORING_UNIT_CONTROL_START_MASK) != 0 && (written & SCORING_UNIT_CONTROL_SOFT_RESET_MASK) == 0;
      break;
    }
    case SCORING_UNIT_IRQ_ENABLE_OFFSET:
      break;
    default:
      write.error = true;
  }
  return write;
}

// A queued or direct write takes effect: registers at once, slots one edge later.
void BehaviouralUnit::take(const Write& write) {
  if (write.word >= SCORING_UNIT_CANDIDATE_OFFSET) {
    if (write.strobes != 0) update_ = write;
    return;
  }
  switch (write.word) {
    case SCORING_UNIT_MODE_OFFSET: {
      uint32_t mode = 0;
      register_value(write.word, mode);
      store(mode, write.data, write.strobes);
      terms_.size = (mode & SCORING_UNIT_MODE_USE_SIZE_MASK) != 0;
      terms_.staleness = (mode & SCORING_UNIT_MODE_USE_STALENESS_MASK) != 0;
      break;
    }
    case SCORING_UNIT_NEXT_ORDER_OFFSET: {
      auto order = static_cast<uint32_t>(next_order_);
      store(order, write.data, write.strobes);
      if (write.strobes != 0) next_order_ = order;
      break;
    }
    default:
      store_half(terms_.clock, write.word == SCORING_UNIT_CLOCK_HI_OFFSET, write.data, write.strobes);
  }
}

// scoring_unit_update
void BehaviouralUnit::update(const Write& write) {
  const uint32_t number = (write.word - SCORING_UNIT_CANDIDATE_OFFSET) / SCORING_UNIT_CANDIDATE_STRIDE;
  CandidateTable::Slot& slot = table_.at(number);
  if (cache_) cache_->touch(number);
  const auto clock_high = static_cast<uint32_t>(terms_.clock >> 32);
  switch ((write.word - SCORING_UNIT_CANDIDATE_OFFSET) % SCORING_UNIT_CANDIDATE_STRIDE) {
    case SCORING_UNIT_CANDIDATE_COST_LO_OFFSET:
      store_low(slot.cost, write.data, write.strobes, (write.data >> 31) != 0 ? ~uint32_t{0} : 0);
      break;
    case SCORING_UNIT_CANDIDATE_COST_HI_OFFSET:
      store_half(slot.cost, true, write.data, write.strobes);
      break;
    case SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET:
      store_low(slot.size, write.data, write.strobes, 0);
      break;
    case SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET:
      store_half(slot.size, true, write.data, write.strobes);
      break;
    case SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET:
      store_low(slot.last, write.data, write.strobes, clock_high);
      break;
    case SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET:
      store_half(slot.last, true, write.data, write.strobes);
      break;
    case SCORING_UNIT_CANDIDATE_INSERT_OFFSET:
      store_low(slot.last, write.data, write.strobes, clock_high);
      insert(slot, number);
      break;
    case SCORING_UNIT_CANDIDATE_REMOVE_OFFSET:
      table_.set_valid(number, false);
      break;
    default:
      break;
  }
}

void BehaviouralUnit::insert(CandidateTable::Slot& slot, uint32_t number) {
  constexpr uint64_t kLast = (uint64_t{1} << 33) - 1; // where the counter stays
  slot.order = next_order_;
  if (next_order_ != kLast) ++next_order_;
  table_.set_valid(number, true);
}

// `searching`: in a cycle with BUSY.
void BehaviouralUnit::control(const Write& write, bool searching) {
  const uint32_t written = write.data & byte_mask(write.strobes);
  if ((written & SCORING_UNIT_CONTROL_SOFT_RESET_MASK) != 0) {
    soft_reset_ = true;
    return;
  }
  if (write.starts) return start();
  // In a search's last cycle its DONE comes first.
  if ((written & SCORING_UNIT_CONTROL_CLEAR_DONE_MASK) != 0 && !searching) done_ = false;
}

SearchOutcome BehaviouralUnit::search() {
  switch (parameters_.format.kind) {
    case pkg::LOG2:
      return scan<KeyArithmetic<pkg::LOG2>>(table_, parameters_, terms_);
    case pkg::MITCHELL:
      return scan<KeyArithmetic<pkg::MITCHELL>>(table_, parameters_, terms_);
    case pkg::FLOAT:
      return scan<KeyArithmetic<pkg::FLOAT>>(table_, parameters_, terms_);
    default:
      break;
  }
  if (!cache_) return scan<ExactArithmetic>(table_, parameters_, terms_);
  SearchOutcome outcome = cache_->search(table_, terms_);
  if (parameters_.check_cache) { // it holds one cycle more than the longer of the two, in which they are compared
    const SearchOutcome beside = scan<ExactArithmetic>(table_, parameters_, terms_);
    outcome.hold = std::max(outcome.hold, std::max(outcome.cycles, beside.cycles) + 1);
  }
  return outcome;
}

void BehaviouralUnit::start() {
  outcome_ = search();
  left_ = outcome_.cycles;
  hold_left_ = outcome_.hold;
  cycles_ = 0;
  done_ = false;
}

uint32_t BehaviouralUnit::result_word() const {
  if (left_ != 0) {
    return SCORING_UNIT_RESULT_BUSY_MASK | SCORING_UNIT_RESULT_CLASS_NONE << SCORING_UNIT_RESULT_CLASS_SHIFT;
  }
  return outcome_.slot << SCORING_UNIT_RESULT_SLOT_SHIFT |
         static_cast<uint32_t>(outcome_.score_class) << SCORING_UNIT_RESULT_CLASS_SHIFT |
         (outcome_.sat ? SCORING_UNIT_RESULT_SAT_MASK : 0) | (outcome_.mixed ? SCORING_UNIT_RESULT_MIXED_MASK : 0) |
         (outcome_.near ? SCORING_UNIT_RESULT_NEAR_MASK : 0) | (outcome_.empty ? SCORING_UNIT_RESULT_EMPTY_MASK : 0) |
         (done_ ? SCORING_UNIT_RESULT_DONE_MASK : 0);
}

bool BehaviouralUnit::register_value(uint32_t word, uint32_t& value) const {
  switch (word) {
    case SCORING_UNIT_ID_OFFSET:
      value = SCORING_UNIT_ID_RESET;
      return true;
    case SCORING_UNIT_PARAMS_OFFSET:
      value = parameters_.lanes << SCORING_UNIT_PARAMS_LANES_SHIFT |
              parameters_.format.kind << SCORING_UNIT_PARAMS_ARITHMETIC_SHIFT |
              parameters_.search << SCORING_UNIT_PARAMS_SEARCH_SHIFT |
              parameters_.depth << SCORING_UNIT_PARAMS_DEPTH_SHIFT;
      return true;
    case SCORING_UNIT_WIDTHS_OFFSET:
      value = parameters_.cost_bits << SCORING_UNIT_WIDTHS_COST_SHIFT |
              parameters_.size_bits << SCORING_UNIT_WIDTHS_SIZE_SHIFT |
              parameters_.time_bits << SCORING_UNIT_WIDTHS_TIME_SHIFT |
              parameters_.order_bits << SCORING_UNIT_WIDTHS_ORDER_SHIFT;
      return true;
    case SCORING_UNIT_MODE_OFFSET:
      value = (terms_.size ? SCORING_UNIT_MODE_USE_SIZE_MASK : 0) |
              (terms_.staleness ? SCORING_UNIT_MODE_USE_STALENESS_MASK : 0);
      return true;
    case SCORING_UNIT_IRQ_ENABLE_OFFSET:
      value = irq_enable_ ? SCORING_UNIT_IRQ_ENABLE_DONE_MASK : 0;
      return true;
    case SCORING_UNIT_CLOCK_LO_OFFSET:
      value = static_cast<uint32_t>(terms_.clock);
      return true;
    case SCORING_UNIT_CLOCK_HI_OFFSET:
      value = static_cast<uint32_t>(terms_.clock >> 32);
      return true;
    case SCORING_UNIT_RESULT_OFFSET:
      value = result_word();
      return true;
    case SCORING_UNIT_CYCLES_OFFSET:
      value = cycles_;
      return true;
    case SCORING_UNIT_TOTAL_CYCLES_LO_OFFSET:
      value = static_cast<uint32_t>(total_cycles_);
      return true;
    case SCORING_UNIT_TOTAL_CYCLES_HI_OFFSET:
      value = static_cast<uint32_t>(total_cycles_ >> 32);
      return true;
    case SCORING_UNIT_COUNT_OFFSET:
      value = table_.count();
      return true;
    case SCORING_UNIT_NEXT_ORDER_OFFSET:
      value = static_cast<uint32_t>(next_order_);
      return true;
    case SCORING_UNIT_QUEUE_OFFSET:
      value = static_cast<uint32_t>(queue_.size()) << SCORING_UNIT_QUEUE_LEVEL_SHIFT |
              parameters_.queue << SCORING_UNIT_QUEUE_DEPTH_SHIFT;
      return true;
    case SCORING_UNIT_FORMAT_OFFSET:
      value = parameters_.format.fraction << SCORING_UNIT_FORMAT_FRACTION_SHIFT |
              parameters_.format.segments << SCORING_UNIT_FORMAT_SEGMENTS_SHIFT |
              parameters_.exponent_bits << SCORING_UNIT_FORMAT_EXPONENT_SHIFT;
      return true;
    default:
      return false;
  }
}

} // namespace dtrmc::unit
