// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/unit_driver.h"

#include <algorithm>
#include <stdexcept>

namespace dtrmc::test {

UnitDriver::UnitDriver(const std::string& name) : UnitDriver(unit::make_unit(name)) {}

UnitDriver::UnitDriver(std::unique_ptr<unit::RtlUnit> unit, uint32_t access_cycles)
    : unit_(std::move(unit)), access_cycles_(access_cycles) {
  table_.resize(depth());
  removed_.resize(depth());
}

uint32_t UnitDriver::write(uint32_t offset, uint32_t data) {
  const unit::RtlUnit::Access access = unit_->write(offset, data);
  if (access.error) throw std::runtime_error("unexpected error response to a write at " + std::to_string(offset));
  if (offset != SCORING_UNIT_CONTROL_OFFSET && access.cycles > access_cycles_) ++held_off_;
  return access.cycles;
}

uint32_t UnitDriver::read(uint32_t offset) {
  const unit::RtlUnit::Access access = unit_->read(offset);
  if (access.error) throw std::runtime_error("unexpected error response to a read at " + std::to_string(offset));
  if (access.cycles != access_cycles_)
    throw std::runtime_error("a read took " + std::to_string(access.cycles) + " cycles");
  return access.data;
}

void UnitDriver::write_last(uint32_t slot, uint32_t offset, uint64_t last) {
  write(field(slot, offset), static_cast<uint32_t>(last));
  if (last >> 32 != clock_ >> 32) {
    write(field(slot, SCORING_UNIT_CANDIDATE_LAST_HI_OFFSET), static_cast<uint32_t>(last >> 32));
  }
}

void UnitDriver::write_insert(uint32_t slot, uint32_t order, uint64_t last) {
  if (order != next_order_) write(SCORING_UNIT_NEXT_ORDER_OFFSET, order);
  next_order_ = uint64_t{order} + 1;
  write_last(slot, SCORING_UNIT_CANDIDATE_INSERT_OFFSET, last);
}

void UnitDriver::insert(const Candidate& candidate) {
  const uint32_t slot = candidate.slot;
  table_[slot] = candidate;
  update_cost(slot, candidate.cost);
  write(field(slot, SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET), static_cast<uint32_t>(candidate.size));
  if (candidate.size >> 32 != 0) {
    write(field(slot, SCORING_UNIT_CANDIDATE_SIZE_HI_OFFSET), static_cast<uint32_t>(candidate.size >> 32));
  }
  write_insert(slot, candidate.order, candidate.last);
}

void UnitDriver::reinsert(uint32_t slot, uint32_t order, uint64_t last) {
  write_insert(slot, order, last);
  table_[slot] = removed_[slot];
  table_[slot]->order = order;
  table_[slot]->last = last;
}

void UnitDriver::update_cost(uint32_t slot, int64_t cost) {
  write(field(slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), static_cast<uint32_t>(cost));
  if (cost != static_cast<int32_t>(cost)) {
    write(field(slot, SCORING_UNIT_CANDIDATE_COST_HI_OFFSET), static_cast<uint32_t>(cost >> 32));
  }
  table_[slot]->cost = cost;
}

void UnitDriver::update_last(uint32_t slot, uint64_t last) {
  write_last(slot, SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, last);
  table_[slot]->last = last;
}

void UnitDriver::remove(uint32_t slot) {
  write(field(slot, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0);
  if (table_[slot]) removed_[slot] = *table_[slot];
  table_[slot].reset();
}

void UnitDriver::soft_reset() {
  write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK);
  std::fill(table_.begin(), table_.end(), std::nullopt);
  std::fill(removed_.begin(), removed_.end(), std::nullopt); // their fields are undefined now
  terms_ = {};
  clock_ = next_order_ = 0;
}

void UnitDriver::set_terms(Terms terms) {
  write(SCORING_UNIT_MODE_OFFSET, (terms.size ? SCORING_UNIT_MODE_USE_SIZE_MASK : 0) |
                                      (terms.staleness ? SCORING_UNIT_MODE_USE_STALENESS_MASK : 0));
  terms_ = terms;
}

void UnitDriver::set_clock(uint64_t clock) {
  write(SCORING_UNIT_CLOCK_LO_OFFSET, static_cast<uint32_t>(clock));
  write(SCORING_UNIT_CLOCK_HI_OFFSET, static_cast<uint32_t>(clock >> 32));
  clock_ = clock;
}

void UnitDriver::start() { write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK); }

void UnitDriver::finish() {
  for (uint32_t cycles = 0; unit_->busy(); ++cycles) {
    if (cycles > 100000) throw std::runtime_error("the search does not end");
    unit_->clock();
  }
}

Result UnitDriver::result() { return {read(SCORING_UNIT_RESULT_OFFSET), read(SCORING_UNIT_CYCLES_OFFSET)}; }

Result UnitDriver::search() {
  start();
  finish();
  return result();
}

std::vector<Candidate> UnitDriver::candidates() const {
  std::vector<Candidate> all;
  for (const std::optional<Candidate>& entry : table_) {
    if (entry) all.push_back(*entry);
  }
  return all;
}

uint32_t UnitDriver::expected_cycles() const {
  uint32_t rows = 0;
  for (uint32_t slot = 0; slot < depth(); ++slot) {
    if (table_[slot]) rows = slot / lanes() + 1;
  }
  if (rows == 0) return 4;
  uint32_t levels = 0;
  while ((1u << levels) < lanes()) ++levels;
  const uint32_t merging = rows == 1 ? 0 : rows == 2 ? 3 : 5; // of three interleaved minima
  switch (unit_->info().format.kind) {
    case SCORING_UNIT_PARAMS_ARITHMETIC_LOG2:
      return rows + 12 + levels;
    case SCORING_UNIT_PARAMS_ARITHMETIC_MITCHELL:
      return rows + 9 + levels;
    case SCORING_UNIT_PARAMS_ARITHMETIC_FLOAT:
      return rows + 12 + 3 * levels + merging;
    default:
      return rows + 10 + 4 * levels + (rows == 1 ? 0 : rows == 2 ? 4 : rows == 3 ? 7 : 8);
  }
}

} // namespace dtrmc::test
