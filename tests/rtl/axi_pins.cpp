// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite handshakes that RtlUnit never makes: address and data apart, responses taken late, channels at once.
#include <catch2/catch.hpp>
#include <random>

#include "Vexact_l1.h"
#include "rtl/generated/scoring_unit_regs.h"
#include "rtl/model/coverage_file.h"

namespace {

struct Pins {
  VerilatedContext context;
  Vexact_l1 model{&context, "unit"};

  Pins() {
    model.rst_ni = 1;
    settle();
    model.rst_ni = 0;
    settle();
    rise();
    model.rst_ni = 1;
    settle();
    dtrmc::unit::begin_coverage(model);
  }
  ~Pins() {
    model.final();
    dtrmc::unit::write_coverage(model);
  }
  void settle() {
    model.clk_i = 0;
    model.eval();
  }
  void rise() {
    model.clk_i = 1;
    model.eval();
  }
};

} // namespace

TEST_CASE("every order and delay of the five channels transfers each write and read once", "[rtl]") {
  Pins pins;
  Vexact_l1& model = pins.model;
  std::mt19937_64 random(11);
  uint64_t reads = 0;
  for (uint32_t round = 0; round < 2000; ++round) {
    const auto value = static_cast<uint32_t>(random());
    const bool bad = round % 5 == 0;
    const uint32_t aw_delay = random() % 4;
    const uint32_t w_delay = random() % 4;
    const uint32_t b_delay = random() % 4;
    const uint32_t ar_delay = random() % 8;
    const uint32_t r_delay = random() % 4;
    bool aw_done = false, w_done = false, b_done = false, ar_done = false, r_done = false;
    uint32_t b_wait = 0, r_wait = 0;
    for (uint32_t cycle = 0; !(b_done && r_done); ++cycle) {
      REQUIRE(cycle < 50);
      model.axil_awvalid_i = !aw_done && cycle >= aw_delay;
      model.axil_awaddr_i = bad ? SCORING_UNIT_ID_OFFSET : SCORING_UNIT_CLOCK_LO_OFFSET;
      model.axil_wvalid_i = !w_done && cycle >= w_delay;
      model.axil_wdata_i = value;
      model.axil_wstrb_i = 0xF;
      model.axil_arvalid_i = !ar_done && cycle >= ar_delay;
      model.axil_araddr_i = bad ? SCORING_UNIT_CONTROL_OFFSET : SCORING_UNIT_ID_OFFSET;
      model.axil_bready_i = b_wait >= b_delay;
      model.axil_rready_i = r_wait >= r_delay;
      pins.settle();
      // A response only after its request, and held until taken.
      if (model.axil_bvalid_o) {
        REQUIRE((aw_done && w_done && !b_done));
        REQUIRE(model.axil_bresp_o == (bad ? 2 : 0));
        ++b_wait;
      } else {
        REQUIRE((b_wait == 0 || b_done));
      }
      if (model.axil_rvalid_o) {
        REQUIRE((ar_done && !r_done));
        REQUIRE(model.axil_rresp_o == (bad ? 2 : 0));
        REQUIRE(model.axil_rdata_o == (bad ? 0 : 0x44545253u));
        ++r_wait;
      } else {
        REQUIRE((r_wait == 0 || r_done));
      }
      const bool aw = model.axil_awvalid_i && model.axil_awready_o;
      const bool w = model.axil_wvalid_i && model.axil_wready_o;
      const bool b = model.axil_bvalid_o && model.axil_bready_i;
      const bool ar = model.axil_arvalid_i && model.axil_arready_o;
      const bool r = model.axil_rvalid_o && model.axil_rready_i;
      pins.rise();
      aw_done = aw_done || aw;
      w_done = w_done || w;
      b_done = b_done || b;
      ar_done = ar_done || ar;
      if (r) {
        r_done = true;
        ++reads;
      }
    }
    if (bad) continue;
    // What was written is there.
    model.axil_bready_i = 0;
    model.axil_arvalid_i = 1;
    model.axil_araddr_i = SCORING_UNIT_CLOCK_LO_OFFSET;
    pins.settle();
    REQUIRE(model.axil_arready_o);
    pins.rise();
    model.axil_arvalid_i = 0;
    model.axil_rready_i = 1;
    pins.settle();
    REQUIRE(model.axil_rvalid_o);
    REQUIRE(model.axil_rdata_o == value);
    pins.rise();
    model.axil_rready_i = 0;
  }
  CHECK(reads == 2000);
}

TEST_CASE("requests that follow before the last response is taken are neither lost nor answered twice", "[rtl]") {
  Pins pins;
  Vexact_l1& model = pins.model;
  std::mt19937_64 random(13);
  // Writes and reads alternate between good and bad ones, so that a response tells which request it belongs to.
  uint64_t writes_taken = 0, writes_answered = 0, reads_taken = 0, reads_answered = 0;
  for (uint32_t cycle = 0; cycle < 20000; ++cycle) {
    model.axil_awvalid_i = 1;
    model.axil_wvalid_i = 1;
    model.axil_awaddr_i = writes_taken % 2 == 0 ? SCORING_UNIT_CLOCK_LO_OFFSET : SCORING_UNIT_ID_OFFSET;
    model.axil_wdata_i = static_cast<uint32_t>(writes_taken);
    model.axil_wstrb_i = 0xF;
    model.axil_arvalid_i = 1;
    model.axil_araddr_i = reads_taken % 2 == 0 ? SCORING_UNIT_ID_OFFSET : SCORING_UNIT_CONTROL_OFFSET;
    model.axil_bready_i = random() % 3 == 0;
    model.axil_rready_i = random() % 3 == 0;
    pins.settle();
    const bool write = model.axil_awready_o && model.axil_wready_o;
    REQUIRE(static_cast<bool>(model.axil_awready_o) == static_cast<bool>(model.axil_wready_o));
    const bool read = model.axil_arready_o;
    const bool write_answer = model.axil_bvalid_o && model.axil_bready_i;
    const bool read_answer = model.axil_rvalid_o && model.axil_rready_i;
    if (model.axil_bvalid_o) REQUIRE(model.axil_bresp_o == (writes_answered % 2 == 0 ? 0 : 2));
    if (model.axil_rvalid_o) REQUIRE(model.axil_rresp_o == (reads_answered % 2 == 0 ? 0 : 2));
    pins.rise();
    writes_taken += write;
    reads_taken += read;
    writes_answered += write_answer;
    reads_answered += read_answer;
    REQUIRE((writes_answered <= writes_taken && writes_taken - writes_answered <= 1));
    REQUIRE((reads_answered <= reads_taken && reads_taken - reads_answered <= 1));
  }
  CHECK(writes_answered > 4000);
  CHECK(reads_answered > 4000);
}

TEST_CASE("no update is lost, doubled or moved past another, whatever the channels and searches do", "[rtl]") {
  Pins pins;
  Vexact_l1& model = pins.model;
  std::mt19937_64 random(17);
  // Each request follows the one before at once; a model takes it in when its response is given. What is written:
  // insertions, removals and starts, so that NEXT_ORDER and COUNT tell what arrived.
  constexpr uint32_t kSlots = 200;
  uint32_t inserted = 0, starts = 0, full = 0, done_searches = 0;
  bool valid[kSlots] = {};
  bool aw_pending = false, w_pending = false, asked = false, was_busy = false;
  uint32_t offset = 0, data = 0, slot = 0, kind = 0;
  for (uint32_t cycle = 0; cycle < 200000; ++cycle) {
    const bool finishing = cycle > 199000; // no new requests: all that was asked for arrives
    if (!asked && !finishing) {
      asked = aw_pending = w_pending = true;
      slot = static_cast<uint32_t>(random() % kSlots);
      const uint64_t choice = random() % 32;
      kind = choice == 0 ? 2 : choice < 20 ? 0 : 1;
      offset = kind == 2
                   ? SCORING_UNIT_CONTROL_OFFSET
                   : SCORING_UNIT_CANDIDATE_OFFSET + slot * SCORING_UNIT_CANDIDATE_STRIDE +
                         (kind == 0 ? SCORING_UNIT_CANDIDATE_INSERT_OFFSET : SCORING_UNIT_CANDIDATE_REMOVE_OFFSET);
      data = kind == 2 ? SCORING_UNIT_CONTROL_START_MASK : 0;
    }
    // Once raised, VALID stays until the transfer.
    model.axil_awvalid_i = aw_pending && (model.axil_awvalid_i || random() % 3 != 0);
    model.axil_wvalid_i = w_pending && (model.axil_wvalid_i || random() % 3 != 0);
    model.axil_awaddr_i = offset;
    model.axil_wdata_i = data;
    model.axil_wstrb_i = 0xF;
    model.axil_bready_i = random() % 3 != 0;
    model.axil_arvalid_i = 0;
    pins.settle();
    full += asked && model.axil_awvalid_i && model.axil_wvalid_i && !model.axil_awready_o && !model.axil_bvalid_o;
    const bool aw = model.axil_awvalid_i && model.axil_awready_o;
    const bool w = model.axil_wvalid_i && model.axil_wready_o;
    const bool b = model.axil_bvalid_o && model.axil_bready_i;
    if (model.axil_bvalid_o) REQUIRE(model.axil_bresp_o == 0);
    done_searches += was_busy && !model.busy_o;
    was_busy = model.busy_o;
    pins.rise();
    if (aw) aw_pending = false;
    if (w) w_pending = false;
    if (!b) continue;
    REQUIRE((asked && !aw_pending && !w_pending));
    asked = false;
    if (kind == 2) ++starts;
    if (kind == 0) {
      valid[slot] = true;
      ++inserted;
    }
    if (kind == 1) valid[slot] = false;
  }
  REQUIRE_FALSE(asked);
  REQUIRE_FALSE(static_cast<bool>(model.busy_o));
  CHECK(starts > 100);
  CHECK(done_searches >= starts);
  CHECK(full > 1000); // the queue was full, or a start waited
  const auto read = [&](uint32_t address) {
    model.axil_arvalid_i = 1;
    model.axil_araddr_i = address;
    pins.settle();
    pins.rise();
    model.axil_arvalid_i = 0;
    model.axil_rready_i = 1;
    pins.settle();
    REQUIRE(model.axil_rvalid_o);
    const uint32_t word = model.axil_rdata_o;
    pins.rise();
    model.axil_rready_i = 0;
    pins.settle();
    return word;
  };
  uint32_t count = 0;
  for (const bool one : valid) count += one;
  CHECK(read(SCORING_UNIT_NEXT_ORDER_OFFSET) == inserted);
  CHECK(read(SCORING_UNIT_COUNT_OFFSET) == count);
  CHECK(read(SCORING_UNIT_QUEUE_OFFSET) == 16u << SCORING_UNIT_QUEUE_DEPTH_SHIFT);
}
