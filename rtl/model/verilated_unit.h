// SPDX-License-Identifier: Apache-2.0
// RtlUnit over a class that Verilator made from a module with the ports of rtl/src/scoring_unit.sv.
//
// One clock cycle: inputs change and settle while the clock is low, outputs are sampled, then the clock rises. So no
// input ever races the clock edge.
#pragma once

#include <verilated.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl/generated/scoring_unit_regs.h"
#include "rtl/model/coverage_file.h"
#include "rtl/model/rtl_unit.h"
#include "rtl/model/score_format.h"

namespace dtrmc::unit {

// The tracer of a unit that is not traced: nothing, at no cost. fst_trace.h has the other one.
struct NoTrace {
  template <typename Model>
  void begin(VerilatedContext&, Model&) {}
  void before_rise() {}
  void after_rise() {}
  void set_time(uint64_t) {}
  bool ends_cycle(uint64_t) { return true; }
};

template <typename Model, typename Trace = NoTrace>
class VerilatedUnit final : public RtlUnit, private AxiLitePins {
 public:
  explicit VerilatedUnit(std::string name, Trace trace = Trace())
      : model_(std::make_unique<Model>(&context_, "unit")), trace_(std::move(trace)) {
    info_.name = std::move(name);
    reset();
    begin_coverage(*model_);
    read_info();
    reset();
    trace_.begin(context_, *model_);
  }
  ~VerilatedUnit() override {
    // Verilator takes the names of a model's scopes out of the thread's context, which is that of the model made last.
    Verilated::threadContextp(&context_);
    model_->final();
    write_coverage(*model_);
  }
  VerilatedUnit(const VerilatedUnit&) = delete;
  VerilatedUnit& operator=(const VerilatedUnit&) = delete;

  const UnitInfo& info() const override { return info_; }
  bool busy() const override { return model_->busy_o != 0; }
  bool irq() const override { return model_->irq_o != 0; }

  void reset() override {
    model_->axil_awvalid_i = 0;
    model_->axil_wvalid_i = 0;
    model_->axil_bready_i = 0;
    model_->axil_arvalid_i = 0;
    model_->axil_rready_i = 0;
    // Released first: an asynchronous reset acts on its falling edge, which the model must see.
    model_->rst_ni = 1;
    settle();
    model_->rst_ni = 0;
    settle();
    clock(2);
    model_->rst_ni = 1;
    settle();
  }

  // Not in the cycle after busy(): an update may be on its way to the table, and a look would take it there.
  std::optional<uint32_t> peek(uint64_t offset) override { return settled_ ? RtlUnit::peek(offset) : std::nullopt; }

  void set_time(uint64_t ps) override { trace_.set_time(ps); }
  AxiLitePins* pins() override { return this; }

  void clock(uint64_t cycles) override {
    for (uint64_t i = 0; i < cycles; ++i) {
      rise();
      settle();
    }
  }

  Access write(uint32_t offset, uint32_t data, uint8_t strobes) override {
    model_->axil_awvalid_i = 1;
    model_->axil_awaddr_i = offset & kAddressMask;
    model_->axil_wvalid_i = 1;
    model_->axil_wdata_i = data;
    model_->axil_wstrb_i = strobes & 0xF;
    model_->axil_bready_i = 1;
    Access access;
    for (bool done = false; !done;) {
      settle();
      const bool address_taken = model_->axil_awready_o != 0;
      const bool data_taken = model_->axil_wready_o != 0;
      done = model_->axil_bvalid_o != 0;
      access.error = model_->axil_bresp_o != 0;
      access.busy += model_->busy_o;
      rise();
      count(access, offset);
      if (address_taken) model_->axil_awvalid_i = 0;
      if (data_taken) model_->axil_wvalid_i = 0;
    }
    model_->axil_bready_i = 0;
    settle();
    return access;
  }

  Access read(uint32_t offset) override {
    model_->axil_arvalid_i = 1;
    model_->axil_araddr_i = offset & kAddressMask;
    model_->axil_rready_i = 1;
    Access access;
    for (bool done = false; !done;) {
      settle();
      const bool address_taken = model_->axil_arready_o != 0;
      done = model_->axil_rvalid_o != 0;
      access.error = model_->axil_rresp_o != 0;
      access.data = model_->axil_rdata_o;
      access.busy += model_->busy_o;
      rise();
      count(access, offset);
      if (address_taken) model_->axil_arvalid_i = 0;
    }
    if (access.error) access.data = 0;
    model_->axil_rready_i = 0;
    settle();
    return access;
  }

 private:
  static constexpr uint32_t kAddressMask = SCORING_UNIT_WINDOW_BYTES - 1;
  // The longest wait is for a search of the largest table: fewer than 2^15 cycles in our units.
  static constexpr uint32_t kPatience = 1u << 24;

  AxiLiteOutputs settle(const AxiLiteInputs& inputs) override {
    model_->axil_awvalid_i = inputs.awvalid;
    model_->axil_awaddr_i = inputs.awaddr & kAddressMask;
    model_->axil_wvalid_i = inputs.wvalid;
    model_->axil_wdata_i = inputs.wdata;
    model_->axil_wstrb_i = inputs.wstrb & 0xF;
    model_->axil_bready_i = inputs.bready;
    model_->axil_arvalid_i = inputs.arvalid;
    model_->axil_araddr_i = inputs.araddr & kAddressMask;
    model_->axil_rready_i = inputs.rready;
    settle();
    return outputs();
  }

  AxiLiteOutputs rise(const AxiLiteInputs& inputs, uint64_t time_ps) override {
    settle(inputs);
    if (trace_.ends_cycle(time_ps)) {
      rise();
    } else { // an edge before the first whole cycle
      model_->clk_i = 1;
      model_->eval();
    }
    return outputs();
  }

  AxiLiteOutputs outputs() const {
    AxiLiteOutputs result;
    result.awready = model_->axil_awready_o != 0;
    result.wready = model_->axil_wready_o != 0;
    result.bvalid = model_->axil_bvalid_o != 0;
    result.bresp = static_cast<uint8_t>(model_->axil_bresp_o);
    result.arready = model_->axil_arready_o != 0;
    result.rvalid = model_->axil_rvalid_o != 0;
    result.rdata = model_->axil_rdata_o;
    result.rresp = static_cast<uint8_t>(model_->axil_rresp_o);
    result.irq = model_->irq_o != 0;
    result.busy = model_->busy_o != 0;
    return result;
  }

  void settle() {
    model_->clk_i = 0;
    model_->eval();
  }
  void rise() {
    settled_ = model_->busy_o == 0;
    trace_.before_rise();
    context_.timeInc(1); // for assertions' messages: clock cycles
    model_->clk_i = 1;
    model_->eval();
    trace_.after_rise();
  }

  void count(Access& access, uint32_t offset) const {
    if (++access.cycles < kPatience) return;
    throw std::logic_error("scoring unit " + info_.name + " does not answer at offset " + std::to_string(offset));
  }

  static uint32_t field(uint32_t word, uint32_t mask, uint32_t shift) { return (word & mask) >> shift; }

  static std::string search_name(uint32_t code) {
    if (code == SCORING_UNIT_PARAMS_SEARCH_SCAN) return "scan";
    if (code == SCORING_UNIT_PARAMS_SEARCH_CACHE) return "cache";
    return "unknown-" + std::to_string(code);
  }

  void read_info() {
    const uint32_t id = read(SCORING_UNIT_ID_OFFSET).data;
    if (id != SCORING_UNIT_ID_RESET) {
      throw std::logic_error("scoring unit " + info_.name + " has ID " + std::to_string(id) + " instead of " +
                             std::to_string(SCORING_UNIT_ID_RESET));
    }
    const uint32_t params = read(SCORING_UNIT_PARAMS_OFFSET).data;
    const uint32_t widths = read(SCORING_UNIT_WIDTHS_OFFSET).data;
    info_.lanes = field(params, SCORING_UNIT_PARAMS_LANES_MASK, SCORING_UNIT_PARAMS_LANES_SHIFT);
    info_.depth = field(params, SCORING_UNIT_PARAMS_DEPTH_MASK, SCORING_UNIT_PARAMS_DEPTH_SHIFT);
    info_.format.kind = field(params, SCORING_UNIT_PARAMS_ARITHMETIC_MASK, SCORING_UNIT_PARAMS_ARITHMETIC_SHIFT);
    if (info_.format.kind != SCORING_UNIT_PARAMS_ARITHMETIC_EXACT) { // older maps have no FORMAT
      const uint32_t format = read(SCORING_UNIT_FORMAT_OFFSET).data;
      info_.format.fraction = field(format, SCORING_UNIT_FORMAT_FRACTION_MASK, SCORING_UNIT_FORMAT_FRACTION_SHIFT);
      info_.format.segments = field(format, SCORING_UNIT_FORMAT_SEGMENTS_MASK, SCORING_UNIT_FORMAT_SEGMENTS_SHIFT);
    }
    info_.arithmetic = format_name(info_.format);
    info_.search = search_name(field(params, SCORING_UNIT_PARAMS_SEARCH_MASK, SCORING_UNIT_PARAMS_SEARCH_SHIFT));
    info_.cost_bits = field(widths, SCORING_UNIT_WIDTHS_COST_MASK, SCORING_UNIT_WIDTHS_COST_SHIFT);
    info_.size_bits = field(widths, SCORING_UNIT_WIDTHS_SIZE_MASK, SCORING_UNIT_WIDTHS_SIZE_SHIFT);
    info_.time_bits = field(widths, SCORING_UNIT_WIDTHS_TIME_MASK, SCORING_UNIT_WIDTHS_TIME_SHIFT);
    info_.order_bits = field(widths, SCORING_UNIT_WIDTHS_ORDER_MASK, SCORING_UNIT_WIDTHS_ORDER_SHIFT);
  }

  VerilatedContext context_; // before the model, which refers to it
  std::unique_ptr<Model> model_;
  Trace trace_; // goes before the model does
  bool settled_ = true;
  UnitInfo info_;
};

} // namespace dtrmc::unit
