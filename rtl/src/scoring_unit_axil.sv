// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave to plain register access. A write is taken in the cycle in which address and data are both present
// and the registers grant it, its response is valid in the next: two cycles. The same for reads. All five channels
// accept back-pressure; one write and one read are in progress at most.

`include "scoring_unit_assert.svh"

module scoring_unit_axil #(
    parameter int ADDR_W = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic              axil_awvalid_i,
    output logic              axil_awready_o,
    input  logic [ADDR_W-1:0] axil_awaddr_i,
    input  logic              axil_wvalid_i,
    output logic              axil_wready_o,
    input  logic [31:0]       axil_wdata_i,
    input  logic [3:0]        axil_wstrb_i,
    output logic              axil_bvalid_o,
    input  logic              axil_bready_i,
    output logic [1:0]        axil_bresp_o,
    input  logic              axil_arvalid_i,
    output logic              axil_arready_o,
    input  logic [ADDR_W-1:0] axil_araddr_i,
    output logic              axil_rvalid_o,
    input  logic              axil_rready_i,
    output logic [31:0]       axil_rdata_o,
    output logic [1:0]        axil_rresp_o,

    output logic              write_o,        // a write asks
    output logic [ADDR_W-1:0] write_addr_o,
    output logic [31:0]       write_data_o,
    output logic [3:0]        write_strb_o,
    input  logic              write_grant_i,  // it is carried out at this clock edge
    input  logic              write_error_i,
    output logic [ADDR_W-1:0] read_addr_o,
    input  logic [31:0]       read_data_i,    // in the same cycle
    input  logic              read_error_i
);

  localparam logic [1:0] OKAY = 2'b00;
  localparam logic [1:0] SLVERR = 2'b10;

  logic bvalid_q;
  logic [1:0] bresp_q;
  logic rvalid_q;
  logic [1:0] rresp_q;
  logic [31:0] rdata_q;

  assign write_o = axil_awvalid_i && axil_wvalid_i && !bvalid_q;
  assign write_addr_o = axil_awaddr_i;
  assign write_data_o = axil_wdata_i;
  assign write_strb_o = axil_wstrb_i;
  assign axil_awready_o = write_o && write_grant_i;
  assign axil_wready_o = write_o && write_grant_i;
  assign read_addr_o = axil_araddr_i;
  assign axil_arready_o = !rvalid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bvalid_q <= 1'b0;
      bresp_q <= OKAY;
      rvalid_q <= 1'b0;
      rresp_q <= OKAY;
      rdata_q <= '0;
    end else begin
      if (axil_awready_o) begin
        bvalid_q <= 1'b1;
        bresp_q <= write_error_i ? SLVERR : OKAY;
      end else if (axil_bready_i) begin
        bvalid_q <= 1'b0;
      end
      if (axil_arvalid_i && axil_arready_o) begin
        rvalid_q <= 1'b1;
        rresp_q <= read_error_i ? SLVERR : OKAY;
        rdata_q <= read_error_i ? '0 : read_data_i;
      end else if (axil_rready_i) begin
        rvalid_q <= 1'b0;
      end
    end
  end

  assign axil_bvalid_o = bvalid_q;
  assign axil_bresp_o = bresp_q;
  assign axil_rvalid_o = rvalid_q;
  assign axil_rresp_o = rresp_q;
  assign axil_rdata_o = rdata_q;

  // What a master may rely on, and what it owes.
  `SCORING_UNIT_ASSERT_HELD(write_response_is_held, clk_i, rst_ni, axil_bvalid_o && !axil_bready_i, 3,
                            ({axil_bvalid_o, axil_bresp_o}))
  `SCORING_UNIT_ASSERT_HELD(read_response_is_held, clk_i, rst_ni, axil_rvalid_o && !axil_rready_i, 35,
                            ({axil_rvalid_o, axil_rresp_o, axil_rdata_o}))
  `SCORING_UNIT_ASSERT(address_and_data_are_taken_together, clk_i, rst_ni,
                       axil_awready_o == axil_wready_o && (!axil_awready_o || (axil_awvalid_i && axil_wvalid_i)))
  `SCORING_UNIT_ASSERT(no_write_is_taken_before_the_last_is_answered, clk_i, rst_ni, !(axil_awready_o && axil_bvalid_o))
  `SCORING_UNIT_ASSERT_NEXT(write_is_answered, clk_i, rst_ni, axil_awready_o, axil_bvalid_o)
  `SCORING_UNIT_ASSERT_NEXT(write_is_answered_once, clk_i, rst_ni,
                            !axil_awready_o && (!axil_bvalid_o || axil_bready_i), !axil_bvalid_o)
  `SCORING_UNIT_ASSERT_NEXT(read_is_answered, clk_i, rst_ni, axil_arvalid_i && axil_arready_o, axil_rvalid_o)
  `SCORING_UNIT_ASSERT_NEXT(read_is_answered_once, clk_i, rst_ni,
                            !(axil_arvalid_i && axil_arready_o) && (!axil_rvalid_o || axil_rready_i), !axil_rvalid_o)
  `SCORING_UNIT_ASSUME_HELD(write_address_is_held, clk_i, rst_ni, axil_awvalid_i && !axil_awready_o, 1 + ADDR_W,
                            ({axil_awvalid_i, axil_awaddr_i}))
  `SCORING_UNIT_ASSUME_HELD(write_data_is_held, clk_i, rst_ni, axil_wvalid_i && !axil_wready_o, 37,
                            ({axil_wvalid_i, axil_wstrb_i, axil_wdata_i}))
  `SCORING_UNIT_ASSUME_HELD(read_address_is_held, clk_i, rst_ni, axil_arvalid_i && !axil_arready_o, 1 + ADDR_W,
                            ({axil_arvalid_i, axil_araddr_i}))

endmodule
