// SPDX-License-Identifier: Apache-2.0
// The scoring unit between registers on every port, for measuring area and frequency: the bus has more pins than the
// package, and inside a chip it comes from registers of the interconnect. One pin shifts the inputs in, one pin folds
// the outputs. UNIT: the unit's top module.

module pin_harness #(
    localparam int ADDR_W = 20,
    localparam int IN_W = 7 + 2 * ADDR_W + 32 + 4,
    localparam int OUT_W = 7 + 4 + 32
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic data_i,
    output logic data_o
);

  logic [IN_W-1:0] in_q;
  logic [OUT_W-1:0] out_d;
  logic [OUT_W-1:0] out_q;
  logic [OUT_W-1:0] fold_q;
  logic rst_nq;

  // The reset is taken to be synchronized to the clock before the unit.
  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    in_q <= {in_q[IN_W-2:0], data_i};
    out_q <= out_d;
    fold_q <= out_q ^ {fold_q[OUT_W-2:0], 1'b0};
  end

  assign data_o = fold_q[OUT_W-1];

  `UNIT u_unit (
      .clk_i,
      .rst_ni(rst_nq),
      .axil_awvalid_i(in_q[0]),
      .axil_awready_o(out_d[0]),
      .axil_awaddr_i(in_q[7+:ADDR_W]),
      .axil_wvalid_i(in_q[1]),
      .axil_wready_o(out_d[1]),
      .axil_wdata_i(in_q[7+2*ADDR_W+:32]),
      .axil_wstrb_i(in_q[7+2*ADDR_W+32+:4]),
      .axil_bvalid_o(out_d[2]),
      .axil_bready_i(in_q[2]),
      .axil_bresp_o(out_d[7+:2]),
      .axil_arvalid_i(in_q[3]),
      .axil_arready_o(out_d[3]),
      .axil_araddr_i(in_q[7+ADDR_W+:ADDR_W]),
      .axil_rvalid_o(out_d[4]),
      .axil_rready_i(in_q[4]),
      .axil_rdata_o(out_d[11+:32]),
      .axil_rresp_o(out_d[9+:2]),
      .irq_o(out_d[5]),
      .busy_o(out_d[6])
  );

endmodule
