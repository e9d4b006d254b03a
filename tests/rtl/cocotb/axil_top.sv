// SPDX-License-Identifier: Apache-2.0
// The unit under the signal names that cocotbext-axi looks for. PROT is not used by the unit.
`timescale 1ns / 1ps

module axil_top #(
    parameter int LANES = 2,
    parameter int DEPTH = 16
) (
    input  logic        clk,
    input  logic        rst_n,
    input  logic        axil_awvalid,
    output logic        axil_awready,
    input  logic [19:0] axil_awaddr,
    input  logic [2:0]  axil_awprot,
    input  logic        axil_wvalid,
    output logic        axil_wready,
    input  logic [31:0] axil_wdata,
    input  logic [3:0]  axil_wstrb,
    output logic        axil_bvalid,
    input  logic        axil_bready,
    output logic [1:0]  axil_bresp,
    input  logic        axil_arvalid,
    output logic        axil_arready,
    input  logic [19:0] axil_araddr,
    input  logic [2:0]  axil_arprot,
    output logic        axil_rvalid,
    input  logic        axil_rready,
    output logic [31:0] axil_rdata,
    output logic [1:0]  axil_rresp,
    output logic        irq,
    output logic        busy
);

  logic unused_prot;
  assign unused_prot = ^{axil_awprot, axil_arprot};

  scoring_unit #(
      .LANES(LANES),
      .DEPTH(DEPTH)
  ) u_unit (
      .clk_i(clk),
      .rst_ni(rst_n),
      .axil_awvalid_i(axil_awvalid),
      .axil_awready_o(axil_awready),
      .axil_awaddr_i(axil_awaddr),
      .axil_wvalid_i(axil_wvalid),
      .axil_wready_o(axil_wready),
      .axil_wdata_i(axil_wdata),
      .axil_wstrb_i(axil_wstrb),
      .axil_bvalid_o(axil_bvalid),
      .axil_bready_i(axil_bready),
      .axil_bresp_o(axil_bresp),
      .axil_arvalid_i(axil_arvalid),
      .axil_arready_o(axil_arready),
      .axil_araddr_i(axil_araddr),
      .axil_rvalid_o(axil_rvalid),
      .axil_rready_i(axil_rready),
      .axil_rdata_o(axil_rdata),
      .axil_rresp_o(axil_rresp),
      .irq_o(irq),
      .busy_o(busy)
  );

endmodule
