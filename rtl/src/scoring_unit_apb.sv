// SPDX-License-Identifier: Apache-2.0
// The scoring unit with an APB4 (AMBA 4) completer port in place of AXI4-Lite: the same registers, three cycles an
// access (setup, two of access) where nothing holds it off, PSLVERR where AXI would answer SLVERR. Parameters as there.

`include "scoring_unit_assert.svh"

module scoring_unit_apb #(
    parameter int LANES = 4,
    parameter int DEPTH = 512,
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int SEARCH = scoring_unit_pkg::SCAN,
    parameter int LOG_FRACTION_W = scoring_unit_pkg::LOG_FRACTION_W,
    parameter int LOG_SEGMENT_W = scoring_unit_pkg::LOG_SEGMENT_W,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int FLOAT_MANTISSA_W = scoring_unit_pkg::FLOAT_MANTISSA_W,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int QUEUE = 16,
    localparam int ADDR_W = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic              apb_psel_i,
    input  logic              apb_penable_i,
    input  logic              apb_pwrite_i,
    input  logic [ADDR_W-1:0] apb_paddr_i,
    input  logic [31:0]       apb_pwdata_i,
    input  logic [3:0]        apb_pstrb_i,
    output logic              apb_pready_o,
    output logic [31:0]       apb_prdata_o,
    output logic              apb_pslverr_o,

    output logic irq_o,
    output logic busy_o
);

  logic access;   // access phase
  logic taken_q;  // the unit has taken the request and will answer
  logic request;
  logic awready;
  logic wready;
  logic arready;
  logic bvalid;
  logic rvalid;
  logic [1:0] bresp;
  logic [1:0] rresp;

  assign access  = apb_psel_i && apb_penable_i;
  assign request = access && !taken_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= 1'b0;
    else if (apb_pready_o) taken_q <= 1'b0;
    else if (request) taken_q <= apb_pwrite_i ? awready && wready : arready;
  end

  scoring_unit #(
      .LANES(LANES),
      .DEPTH(DEPTH),
      .ARITHMETIC(ARITHMETIC),
      .SEARCH(SEARCH),
      .LOG_FRACTION_W(LOG_FRACTION_W),
      .LOG_SEGMENT_W(LOG_SEGMENT_W),
      .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
      .FLOAT_MANTISSA_W(FLOAT_MANTISSA_W),
      .COST_W(COST_W),
      .SIZE_W(SIZE_W),
      .TIME_W(TIME_W),
      .ORDER_W(ORDER_W),
      .QUEUE(QUEUE)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .axil_awvalid_i(request && apb_pwrite_i),
      .axil_awready_o(awready),
      .axil_awaddr_i(apb_paddr_i),
      .axil_wvalid_i(request && apb_pwrite_i),
      .axil_wready_o(wready),
      .axil_wdata_i(apb_pwdata_i),
      .axil_wstrb_i(apb_pstrb_i),
      .axil_bvalid_o(bvalid),
      .axil_bready_i(1'b1),
      .axil_bresp_o(bresp),
      .axil_arvalid_i(request && !apb_pwrite_i),
      .axil_arready_o(arready),
      .axil_araddr_i(apb_paddr_i),
      .axil_rvalid_o(rvalid),
      .axil_rready_i(1'b1),
      .axil_rdata_o(apb_prdata_o),
      .axil_rresp_o(rresp),
      .irq_o,
      .busy_o
  );

  assign apb_pready_o  = taken_q && (bvalid || rvalid);
  assign apb_pslverr_o = apb_pready_o && (bvalid ? bresp != '0 : rresp != '0);

  `SCORING_UNIT_ASSERT(ready_answers_the_access, clk_i, rst_ni,
                       !apb_pready_o || (access && bvalid == apb_pwrite_i && rvalid != apb_pwrite_i))
  `SCORING_UNIT_ASSERT_NEXT(request_is_made_once, clk_i, rst_ni, taken_q && !apb_pready_o, taken_q)
  `SCORING_UNIT_ASSUME_HELD(request_is_held, clk_i, rst_ni, apb_psel_i && !apb_pready_o, 58,
                            ({apb_psel_i, apb_pwrite_i, apb_paddr_i, apb_pwrite_i ? {apb_pstrb_i, apb_pwdata_i} : 36'd0}))

endmodule
