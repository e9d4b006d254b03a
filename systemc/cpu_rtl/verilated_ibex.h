// SPDX-License-Identifier: Apache-2.0
// A Tile from the Verilated ibex_tile; Model is the generated class.
#pragma once

#include <verilated.h>

#include <memory>

#include "systemc/cpu_rtl/tile.h"

namespace dtrmc::cpu_rtl {

template <typename Model>
class VerilatedIbex final : public Tile {
 public:
  VerilatedIbex() : model_(std::make_unique<Model>(&context_)) {}
  ~VerilatedIbex() override { model_->final(); }

  void reset() override {
    model_->rst_ni = 1;
    model_->clk_i = 0;
    model_->irq_i = 0;
    model_->boot_addr_i = kBootAddress & ~0xffu; // Ibex starts 0x80 behind it
    model_->instr_rvalid_i = model_->data_rvalid_i = 0;
    model_->eval();
    model_->rst_ni = 0; // asynchronous: its edge counts
    for (int i = 0; i < 4; ++i) edge();
    model_->rst_ni = 1;
    model_->eval();
    read_pins();
  }

  void clock(const TileAnswers& answers) override {
    model_->instr_rvalid_i = answers.instruction_valid;
    model_->instr_rdata_i = answers.instruction;
    model_->instr_err_i = answers.instruction_error;
    model_->data_rvalid_i = answers.data_valid;
    model_->data_rdata_i = answers.data;
    model_->data_err_i = answers.data_error;
    edge();
    read_pins();
  }

  void set_lines(uint32_t lines) override {
    if (lines == model_->irq_i) return;
    model_->irq_i = lines;
    model_->eval();
    read_pins();
  }

  const TilePins& pins() const override { return pins_; }
  unsigned request_delay() const override { return 0; }

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
    pins_.asleep = model_->sleep_o;
    pins_.retired = model_->retired_o;
    pins_.decoding = model_->id_valid_o;
    pins_.decoding_pc = model_->pc_id_o;
    pins_.csr_access = model_->csr_access_o;
    pins_.csr_write = model_->csr_write_o;
    pins_.csr_address = model_->csr_addr_o;
    pins_.csr_data = model_->csr_wdata_o;
    pins_.exception = model_->exception_o;
    pins_.exception_cause = model_->exception_cause_o;
    pins_.exception_value = model_->exception_value_o;
    pins_.exception_pc = model_->exception_pc_o;
    pins_.interrupts_enabled = model_->irq_enabled_o;
    pins_.enabled_lines = model_->mie_o;
  }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  TilePins pins_;
};

} // namespace dtrmc::cpu_rtl
