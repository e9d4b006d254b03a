// SPDX-License-Identifier: Apache-2.0
// Best of N candidates (N a power of two), one row a cycle: a tournament of log2(N) levels. Recursive, since a
// heap-style array looks like a combinational loop to Verilator.

module scoring_unit_tree #(
    parameter int N = 4,
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int DEN_W = scoring_unit_pkg::SIZE_W + scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,
    input  logic                 valid_i,
    input  logic [N*ENTRY_W-1:0] entries_i,
    output logic                 valid_o,
    output logic [ENTRY_W-1:0]   winner_o,
    output logic                 near_o    // some comparison of the tree, not necessarily of the row at winner_o
);

  if (N == 1) begin : gen_leaf
    assign valid_o = valid_i;
    assign winner_o = entries_i;
    assign near_o = 1'b0;

    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni, clear_i};
  end else begin : gen_node
    logic low_valid;
    logic high_valid;
    logic low_near;
    logic high_near;
    logic own_near;
    logic [ENTRY_W-1:0] low_winner;
    logic [ENTRY_W-1:0] high_winner;

    scoring_unit_tree #(
        .N(N / 2),
        .ARITHMETIC(ARITHMETIC),
        .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
        .COST_W(COST_W),
        .DEN_W(DEN_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W),
        .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
    ) u_low (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i,
        .entries_i(entries_i[N/2*ENTRY_W-1:0]),
        .valid_o(low_valid),
        .winner_o(low_winner),
        .near_o(low_near)
    );

    scoring_unit_tree #(
        .N(N / 2),
        .ARITHMETIC(ARITHMETIC),
        .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
        .COST_W(COST_W),
        .DEN_W(DEN_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W),
        .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
    ) u_high (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i,
        .entries_i(entries_i[N*ENTRY_W-1:N/2*ENTRY_W]),
        .valid_o(high_valid),
        .winner_o(high_winner),
        .near_o(high_near)
    );

    scoring_unit_choose #(
        .ARITHMETIC(ARITHMETIC),
        .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
        .COST_W(COST_W),
        .DEN_W(DEN_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W),
        .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
    ) u_compare (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i(low_valid && high_valid),
        .a_i(low_winner),
        .b_i(high_winner),
        .valid_o,
        .winner_o,
        .near_o(own_near)
    );

    assign near_o = own_near || low_near || high_near;
  end

endmodule
