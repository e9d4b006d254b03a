// SPDX-License-Identifier: Apache-2.0
#include <verilated.h>

#include "Vpicorv32.h"
#include "systemc/cpu_rtl/tiles.h"

namespace dtrmc::cpu_rtl {

namespace {

class VerilatedPicorv32 final : public Tile {
 public:
  VerilatedPicorv32() : model_(std::make_unique<Vpicorv32>(&context_)) {}
  ~VerilatedPicorv32() override { model_->final(); }

  void reset() override {
    model_->clk_i = 0;
    model_->rst_ni = 0;
    model_->instr_rvalid_i = model_->data_rvalid_i = 0;
    started_ = trapped_ = false;
    for (int i = 0; i < 4; ++i) edge();
    model_->rst_ni = 1;
    model_->eval();
    read_pins();
  }

  void clock(const TileAnswers& answers) override {
    model_->instr_rvalid_i = answers.instruction_valid;
    model_->instr_rdata_i = answers.instruction;
    model_->data_rvalid_i = answers.data_valid;
    model_->data_rdata_i = answers.data;
    edge();
    read_pins();
  }

  void set_lines(uint32_t) override {} // the core's interrupts are not those of the specification, and are left out

  const TilePins& pins() const override { return pins_; }
  unsigned request_delay() const override { return 3; } // fetch, operands, address

 private:
  void edge() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
  }

  void read_pins() {
    pins_.instruction_request = model_->instr_req_o;
    pins_.instruction_address = model_->instr_addr_o;
    pins_.data_request = model_->data_req_o;
    pins_.data_write = model_->data_we_o;
    pins_.data_bytes = model_->data_be_o;
    pins_.data_address = model_->data_addr_o;
    pins_.data = model_->data_wdata_o;
    // The core announces the start of an instruction; the one before it has retired by then. The jump from the reset
    // address does not count.
    pins_.retired = model_->retired_o && started_;
    if (model_->id_valid_o && model_->pc_id_o != kBootAddress) started_ = true;
    pins_.decoding = model_->id_valid_o;
    pins_.decoding_pc = model_->pc_id_o;
    if (model_->trap_o && !trapped_) {
      pins_.exception = true;
      pins_.exception_cause = 2; // the core does not say which: illegal instruction, misaligned access or EBREAK
      pins_.exception_pc = last_pc_;
      trapped_ = true;
    } else {
      pins_.exception = false;
    }
    if (pins_.decoding) last_pc_ = pins_.decoding_pc;
  }

  VerilatedContext context_;
  std::unique_ptr<Vpicorv32> model_;
  TilePins pins_;
  bool started_ = false;
  bool trapped_ = false;
  uint32_t last_pc_ = 0;
};

} // namespace

std::unique_ptr<Tile> make_picorv32() { return std::make_unique<VerilatedPicorv32>(); }

} // namespace dtrmc::cpu_rtl
