// SPDX-License-Identifier: Apache-2.0
// The APB wrapper under the signal names that cocotbext-axi looks for.
`timescale 1ns / 1ps

module apb_top #(
    parameter int LANES = 2,
    parameter int DEPTH = 16
) (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        apb_psel,
    input  logic        apb_penable,
    input  logic        apb_pwrite,
    input  logic [19:0] apb_paddr,
    input  logic [2:0]  apb_pprot,
    input  logic [31:0] apb_pwdata,
    input  logic [3:0]  apb_pstrb,
    output logic        apb_pready,
    output logic [31:0] apb_prdata,
    output logic        apb_pslverr,
    output logic        irq,
    output logic        busy
);

  logic unused_prot;
  assign unused_prot = ^apb_pprot;

  scoring_unit_apb #(
      .LANES(LANES),
      .DEPTH(DEPTH)
  ) u_unit (
      .clk_i(clk),
      .rst_ni(rst_n),
      .apb_psel_i(apb_psel),
      .apb_penable_i(apb_penable),
      .apb_pwrite_i(apb_pwrite),
      .apb_paddr_i(apb_paddr),
      .apb_pwdata_i(apb_pwdata),
      .apb_pstrb_i(apb_pstrb),
      .apb_pready_o(apb_pready),
      .apb_prdata_o(apb_prdata),
      .apb_pslverr_o(apb_pslverr),
      .irq_o(irq),
      .busy_o(busy)
  );

endmodule
