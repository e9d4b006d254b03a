// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/unit_driver.h"

#include <algorithm>
#include <stdexcept>

namespace dtrmc::test {

UnitDriver::UnitDriver(const std::string& name) : unit_(unit::make_unit(name)) { table_.resize(depth()); }

uint32_t UnitDriver::write(uint32_t offset, uint32_t data) {
  const unit::RtlUnit::Access access = unit_->write(offset, data);
  if (access.error) throw std::runtime_error("unexpected error response to a write at " + std::to_string(offset));
  return access.cycles;
}

uint32_t UnitDriver::read(uint32_t offset) {
  const unit::RtlUnit::Access access = unit_->read(offset);
  if (access.error) throw std::runtime_error("unexpected error response to a read at " + std::to_string(offset));
  if (access.cycles != 2) throw std::runtime_error("a read took " + std::to_string(access.cycles) + " cycles");
  return access.data;
}

void UnitDriver::write64(uint32_t slot, uint32_t low_offset, uint64_t value) {
  write(field(slot, low_offset), static_cast<uint32_t>(value));
  write(field(slot, low_offset + 4), static_cast<uint32_t>(value >> 32));
}

void UnitDriver::insert(const Candidate& candidate) {
  write64(candidate.slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, static_cast<uint64_t>(candidate.cost));
  write64(candidate.slot, SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, candidate.size);
  write64(candidate.slot, SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, candidate.last);
  write(field(candidate.slot, SCORING_UNIT_CANDIDATE_ORDER_OFFSET), candidate.order);
  write(field(candidate.slot, SCORING_UNIT_CANDIDATE_VALID_OFFSET), 1);
  table_[candidate.slot] = candidate;
}

void UnitDriver::update_cost(uint32_t slot, int64_t cost) {
  write64(slot, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, static_cast<uint64_t>(cost));
  table_[slot]->cost = cost;
}

void UnitDriver::update_last(uint32_t slot, uint64_t last) {
  write64(slot, SCORING_UNIT_CANDIDATE_LAST_LO_OFFSET, last);
  table_[slot]->last = last;
}

void UnitDriver::remove(uint32_t slot) {
  write(field(slot, SCORING_UNIT_CANDIDATE_VALID_OFFSET), 0);
  table_[slot].reset();
}

void UnitDriver::soft_reset() {
  write(SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_SOFT_RESET_MASK);
  std::fill(table_.begin(), table_.end(), std::nullopt);
  terms_ = {};
  clock_ = 0;
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
  const uint32_t earlier = rows == 1 ? 0 : 1;
  switch (unit_->info().format.kind) {
    case SCORING_UNIT_PARAMS_ARITHMETIC_LOG2:
      return rows + 9 + levels;
    case SCORING_UNIT_PARAMS_ARITHMETIC_MITCHELL:
      return rows + 6 + levels;
    case SCORING_UNIT_PARAMS_ARITHMETIC_FLOAT:
      return rows + 9 + 2 * levels + 2 * earlier;
    default:
      return rows + 7 + 3 * levels + (rows == 1 ? 0 : rows == 2 ? 3 : 5);
  }
}

} // namespace dtrmc::test
