// SPDX-License-Identifier: Apache-2.0
// The generated headers against each other, and every register of the list against the RTL.
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "rtl/generated/scoring_unit_peakrdl.h"
#include "rtl/generated/scoring_unit_registers.h"
#include "tests/rtl/unit_driver.h"

namespace regs = dtrmc::unit::regs;
using dtrmc::test::UnitDriver;
using Access = dtrmc::unit::RtlUnit::Access;

// Three generators, one map.
#define SAME_OFFSET(NAME, Type)                                                         \
  static_assert(offsetof(scoring_unit_t, NAME) == SCORING_UNIT_##NAME##_OFFSET, #NAME); \
  static_assert(regs::Type::kOffset == SCORING_UNIT_##NAME##_OFFSET, #NAME)
SAME_OFFSET(ID, Id);
SAME_OFFSET(PARAMS, Params);
SAME_OFFSET(WIDTHS, Widths);
SAME_OFFSET(MODE, Mode);
SAME_OFFSET(CONTROL, Control);
SAME_OFFSET(IRQ_ENABLE, IrqEnable);
SAME_OFFSET(CLOCK_LO, ClockLo);
SAME_OFFSET(CLOCK_HI, ClockHi);
SAME_OFFSET(RESULT, Result);
SAME_OFFSET(CYCLES, Cycles);
SAME_OFFSET(TOTAL_CYCLES_LO, TotalCyclesLo);
SAME_OFFSET(TOTAL_CYCLES_HI, TotalCyclesHi);
SAME_OFFSET(COUNT, Count);
SAME_OFFSET(FORMAT, Format);
SAME_OFFSET(NEXT_ORDER, NextOrder);
SAME_OFFSET(QUEUE, Queue);
SAME_OFFSET(CANDIDATE, Candidate);
#undef SAME_OFFSET

#define SAME_FIELD(NAME, Type)                                                                        \
  static_assert(offsetof(scoring_unit__CANDIDATE_t, NAME) == SCORING_UNIT_CANDIDATE_##NAME##_OFFSET); \
  static_assert(regs::Candidate::Type::kOffset == SCORING_UNIT_CANDIDATE_##NAME##_OFFSET)
SAME_FIELD(COST_LO, CostLo);
SAME_FIELD(COST_HI, CostHi);
SAME_FIELD(SIZE_LO, SizeLo);
SAME_FIELD(SIZE_HI, SizeHi);
SAME_FIELD(LAST_LO, LastLo);
SAME_FIELD(LAST_HI, LastHi);
SAME_FIELD(INSERT, Insert);
SAME_FIELD(REMOVE, Remove);
#undef SAME_FIELD

static_assert(sizeof(scoring_unit_t) == SCORING_UNIT_WINDOW_BYTES);
static_assert(regs::kWindowBytes == SCORING_UNIT_WINDOW_BYTES);
static_assert(sizeof(scoring_unit__CANDIDATE_t) == SCORING_UNIT_CANDIDATE_STRIDE);
static_assert(regs::Candidate::kStride == SCORING_UNIT_CANDIDATE_STRIDE);
static_assert(sizeof(scoring_unit_t::CANDIDATE) / sizeof(scoring_unit__CANDIDATE_t) == SCORING_UNIT_CANDIDATE_COUNT);
static_assert(regs::Candidate::kCount == SCORING_UNIT_CANDIDATE_COUNT);
static_assert(regs::Result::kBusy.mask == SCORING_UNIT_RESULT_BUSY_MASK);
static_assert(regs::Result::kBusy.mask == SCORING_UNIT__RESULT__BUSY_bm);
static_assert(regs::Params::kDepth.shift == SCORING_UNIT_PARAMS_DEPTH_SHIFT);
static_assert(regs::Params::kDepth.of(0x12345678) == 0x1234);
static_assert(regs::Params::kDepth.in_place(0x99991234) == 0x12340000);

TEST_CASE("every register of the list answers as it says, and nothing else does", "[rtl]") {
  UnitDriver driver(GENERATE(std::string("exact-l1"), "exact-l4", "narrow-l2"));
  const auto find = [](uint32_t offset) -> const regs::Register* {
    for (const regs::Register& r : regs::kRegisters) {
      if (r.offset == offset) return &r;
    }
    return nullptr;
  };
  for (uint32_t offset = 0; offset < 0x100; offset += 4) {
    const regs::Register* const r = find(offset);
    INFO("offset " << offset << ' ' << (r != nullptr ? r->name : "undefined"));
    const Access read = driver.unit().read(offset);
    CHECK(read.error == !(r != nullptr && r->readable));
    if (r != nullptr && r->readable && r->writable) CHECK(read.data == r->reset);
    CHECK(driver.unit().write(offset, 0).error == !(r != nullptr && r->writable));
  }
  CHECK(driver.read(regs::Id::kOffset) == find(regs::Id::kOffset)->reset);
  for (const uint32_t slot : {0u, driver.depth() - 1, driver.depth(), regs::Candidate::kCount - 1}) {
    for (const regs::Register& r : regs::kCandidateRegisters) {
      INFO("slot " << slot << ' ' << r.name);
      CHECK(driver.unit().read(regs::Candidate::offset(slot, r.offset)).error);
      CHECK(driver.unit().write(regs::Candidate::offset(slot, r.offset), 0).error == (slot >= driver.depth()));
    }
  }
}
