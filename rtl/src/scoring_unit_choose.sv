// SPDX-License-Identifier: Apache-2.0
// The comparison that goes with the arithmetic: which of two entries is evicted first.

module scoring_unit_choose #(
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int COST_W = scoring_unit_pkg::COST_W,  // of an entry's last two fields
    parameter int DEN_W = scoring_unit_pkg::SIZE_W + scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,  // forget what is in the pipeline
    input  logic               valid_i,
    input  logic [ENTRY_W-1:0] a_i,
    input  logic [ENTRY_W-1:0] b_i,
    output logic               valid_o,
    output logic [ENTRY_W-1:0] winner_o,
    output logic               near_o    // exact arithmetic alone: see scoring_unit_compare
);

  if (ARITHMETIC == scoring_unit_pkg::LOG2 || ARITHMETIC == scoring_unit_pkg::MITCHELL) begin : gen_key
    scoring_unit_compare_key #(
        .KEY_W(COST_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W)
    ) u_compare (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i,
        .a_i,
        .b_i,
        .valid_o,
        .winner_o
    );
    assign near_o = 1'b0;
  end else if (ARITHMETIC == scoring_unit_pkg::FLOAT) begin : gen_float
    scoring_unit_compare_float #(
        .EXPONENT_W(FLOAT_EXPONENT_W),
        .MANTISSA_W(COST_W - FLOAT_EXPONENT_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W)
    ) u_compare (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i,
        .a_i,
        .b_i,
        .valid_o,
        .winner_o
    );
    assign near_o = 1'b0;
  end else begin : gen_exact
    logic unused_finite;
    logic unused_below;
    logic [COST_W+DEN_W-1:0] unused_difference;

    scoring_unit_compare #(
        .COST_W(COST_W),
        .DEN_W(DEN_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W),
        .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
    ) u_compare (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i,
        .a_i,
        .b_i,
        .valid_o,
        .winner_o,
        .near_o,
        .finite_o(unused_finite),
        .below_o(unused_below),
        .difference_o(unused_difference)
    );
  end

endmodule
