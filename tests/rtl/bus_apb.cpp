// SPDX-License-Identifier: Apache-2.0
// The APB wrapper: its protocol, and that what stands behind it is the unit.
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <stdexcept>

#include "Vscoring_unit_apb.h"
#include "rtl/model/coverage_file.h"
#include "tests/rtl/pools.h"
#include "tests/rtl/unit_driver.h"

namespace {

using dtrmc::test::Candidate;
using dtrmc::test::PoolGenerator;
using dtrmc::test::Result;
using dtrmc::test::UnitDriver;
using dtrmc::unit::RtlUnit;
using dtrmc::unit::UnitInfo;

// An APB requester. Between transfers it idles for `gap` cycles, or for none: setup follows the last access at once.
class ApbUnit final : public RtlUnit {
 public:
  ApbUnit() {
    info_.name = "apb";
    info_.lanes = 2;
    info_.depth = 32;
    reset();
    dtrmc::unit::begin_coverage(model_);
  }
  ~ApbUnit() override {
    model_.final();
    dtrmc::unit::write_coverage(model_);
  }

  const UnitInfo& info() const override { return info_; }
  bool busy() const override { return model_.busy_o != 0; }
  bool irq() const override { return model_.irq_o != 0; }
  void reset() override {
    model_.apb_psel_i = model_.apb_penable_i = 0;
    model_.rst_ni = 1;
    settle();
    model_.rst_ni = 0;
    settle();
    clock(2);
    model_.rst_ni = 1;
    settle();
  }
  void clock(uint64_t cycles) override {
    for (uint64_t i = 0; i < cycles; ++i) {
      if (model_.apb_pready_o || model_.apb_pslverr_o) throw std::logic_error("an answer to no request");
      rise();
      settle();
    }
  }
  Access write(uint32_t offset, uint32_t data, uint8_t strobes) override {
    model_.apb_pwrite_i = 1;
    model_.apb_pwdata_i = data;
    model_.apb_pstrb_i = strobes & 0xF;
    return transfer(offset);
  }
  Access read(uint32_t offset) override {
    model_.apb_pwrite_i = 0;
    model_.apb_pstrb_i = 0; // as APB4 demands of reads
    return transfer(offset);
  }

  uint32_t gap = 0;

 private:
  Access transfer(uint32_t offset) {
    Access access;
    model_.apb_paddr_i = offset & 0xFFFFF;
    model_.apb_psel_i = 1;
    model_.apb_penable_i = 0;
    settle();
    if (model_.apb_pready_o) throw std::logic_error("ready in the setup phase");
    count(access);
    model_.apb_penable_i = 1;
    for (bool ready = false; !ready;) {
      settle();
      ready = model_.apb_pready_o != 0;
      if (ready) {
        access.error = model_.apb_pslverr_o != 0;
        access.data = model_.apb_pwrite_i ? 0 : model_.apb_prdata_o;
      } else if (model_.apb_pslverr_o) {
        throw std::logic_error("an error before the answer");
      }
      count(access);
      if (access.cycles > 10000) throw std::logic_error("no answer");
    }
    model_.apb_psel_i = model_.apb_penable_i = 0;
    settle();
    clock(gap);
    return access;
  }
  void count(Access& access) {
    ++access.cycles;
    access.busy += model_.busy_o;
    rise();
  }
  void settle() {
    model_.clk_i = 0;
    model_.eval();
  }
  void rise() {
    model_.clk_i = 1;
    model_.eval();
  }

  VerilatedContext context_;
  Vscoring_unit_apb model_{&context_, "unit"};
  UnitInfo info_;
};

constexpr uint32_t kApbCycles = 3;

} // namespace

TEST_CASE("APB: accesses, byte strobes and errors", "[rtl]") {
  ApbUnit unit;
  unit.gap = GENERATE(0u, 1u, 4u);
  const RtlUnit::Access id = unit.read(SCORING_UNIT_ID_OFFSET);
  CHECK(id.data == SCORING_UNIT_ID_RESET);
  CHECK_FALSE(id.error);
  CHECK(id.cycles == kApbCycles);
  CHECK(unit.read(SCORING_UNIT_PARAMS_OFFSET).data == (32u << 16 | 2u));
  const RtlUnit::Access written = unit.write(SCORING_UNIT_CLOCK_LO_OFFSET, 0x11223344, 0xF);
  CHECK_FALSE(written.error);
  CHECK(written.cycles == kApbCycles);
  CHECK(unit.read(SCORING_UNIT_CLOCK_LO_OFFSET).data == 0x11223344);
  unit.write(SCORING_UNIT_CLOCK_LO_OFFSET, 0xAABBCCDD, 0b0101);
  CHECK(unit.read(SCORING_UNIT_CLOCK_LO_OFFSET).data == 0x11BB33DD);
  for (const uint32_t bad : {0x100u, SCORING_UNIT_ID_OFFSET, UnitDriver::field(32, 0)}) {
    const RtlUnit::Access access = unit.write(bad, 1, 0xF);
    CHECK(access.error);
    CHECK(access.cycles == kApbCycles);
  }
  for (const uint32_t bad : {0x100u, SCORING_UNIT_CONTROL_OFFSET, UnitDriver::field(0, 0)}) {
    const RtlUnit::Access access = unit.read(bad);
    CHECK(access.error);
    CHECK(access.data == 0);
  }
  CHECK_FALSE(unit.read(SCORING_UNIT_ID_OFFSET).error); // the next one is none
}

TEST_CASE("APB: every bit of address and data", "[rtl]") {
  ApbUnit unit;
  unit.write(SCORING_UNIT_CLOCK_LO_OFFSET, 0x0F0F3C5A, 0xF);
  for (uint32_t bit = 0; bit < 32; ++bit) {
    for (const uint32_t value : {1u << bit, ~(1u << bit)}) {
      unit.write(SCORING_UNIT_CLOCK_HI_OFFSET, value, 0xF);
      CHECK(unit.read(SCORING_UNIT_CLOCK_HI_OFFSET).data == value);
    }
  }
  for (uint32_t bit = 0; bit < 20; ++bit) {
    const uint32_t offset = SCORING_UNIT_CLOCK_LO_OFFSET ^ (1u << bit);
    INFO("offset " << offset);
    const RtlUnit::Access access = unit.read(offset);
    if (bit < 2) { // within the word: the whole of it
      CHECK_FALSE(access.error);
      CHECK(access.data == 0x0F0F3C5A);
      CHECK_FALSE(unit.write(offset, 0x0F0F3C5A, 0xF).error);
    } else if (bit > 7) { // slots are written and not read, and there are no more than 32
      CHECK(access.error);
      CHECK(unit.write(offset, 1, 0xF).error == (bit != 19));
    }
  }
  CHECK(unit.read(SCORING_UNIT_CLOCK_LO_OFFSET).data == 0x0F0F3C5A);
  unit.reset();
  CHECK(unit.read(SCORING_UNIT_CLOCK_LO_OFFSET).data == 0);
}

TEST_CASE("APB: random pools are decided as the reference does", "[rtl]") {
  auto owned = std::make_unique<ApbUnit>();
  ApbUnit& unit = *owned;
  UnitDriver driver(std::move(owned), kApbCycles);
  std::mt19937_64 random(17);
  for (uint32_t round = 0; round < 300; ++round) {
    unit.gap = static_cast<uint32_t>(random() % 3);
    driver.soft_reset();
    const PoolGenerator generator(random);
    const auto count = static_cast<uint32_t>(random() % 33);
    for (uint32_t slot = 0; slot < count; ++slot) {
      Candidate candidate = generator.draw(random);
      candidate.slot = slot;
      candidate.order = slot;
      driver.insert(candidate);
    }
    driver.set_clock(generator.clock);
    driver.set_terms({true, true});
    const Result result = driver.search();
    REQUIRE(result.done());
    REQUIRE(result.cycles == driver.expected_cycles());
    REQUIRE(result.empty() == (count == 0));
    if (count != 0) REQUIRE(result.slot() == driver.expected().slot);
  }
}

TEST_CASE("APB: PREADY stays low while the queue is full; interrupt", "[rtl]") {
  auto owned = std::make_unique<ApbUnit>();
  ApbUnit& unit = *owned;
  UnitDriver driver(std::move(owned), kApbCycles);
  for (uint32_t slot = 0; slot < 32; ++slot) driver.insert({slot, 100, 1, 0, slot});
  driver.write(SCORING_UNIT_IRQ_ENABLE_OFFSET, 1);
  const uint32_t search = driver.expected_cycles();
  // The queue of this instance has two words; both go in during the search, the third waits for its end.
  driver.start();
  CHECK(driver.write(UnitDriver::field(5, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 7) == kApbCycles);
  CHECK(driver.write(UnitDriver::field(6, SCORING_UNIT_CANDIDATE_COST_LO_OFFSET), 6) == kApbCycles);
  CHECK_FALSE(unit.irq());
  CHECK(driver.write(UnitDriver::field(6, SCORING_UNIT_CANDIDATE_REMOVE_OFFSET), 0) > search - 2 * kApbCycles);
  CHECK(unit.irq());
  driver.finish();
  CHECK(driver.result().slot() == 31);
  CHECK(driver.search().slot() == 5);
}
