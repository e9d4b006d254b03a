// SPDX-License-Identifier: Apache-2.0
// As scoring_unit_tree, for entries of scoring_unit_cache_leaf: beside the best of N candidates, how long all N - 1
// comparisons hold.

module scoring_unit_cache_tree #(
    parameter int N = 4,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int DEN_W = SIZE_W + TIME_W,
    localparam int TAG_W = scoring_unit_pkg::tag_width(SIZE_W, TIME_W, SLOT_W),
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, TAG_W),
    localparam int LIFE_W = scoring_unit_pkg::LIFE_W
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,
    input  logic                 valid_i,
    input  logic [N*ENTRY_W-1:0] entries_i,
    output logic                 valid_o,
    output logic [ENTRY_W-1:0]   winner_o,
    output logic                 near_o,    // some comparison of the tree, not necessarily of the row at winner_o
    output logic [LIFE_W-1:0]    life_o     // LIFE_LATENCY cycles after winner_o: shortest of the row's comparisons
);

  localparam int CODE_W = scoring_unit_pkg::CODE_W;

  if (N == 1) begin : gen_leaf
    assign valid_o = valid_i;
    assign winner_o = entries_i;
    assign near_o = 1'b0;
    assign life_o = '1;

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
    logic [LIFE_W-1:0] low_life;
    logic [LIFE_W-1:0] high_life;
    logic [LIFE_W-1:0] own_life;
    logic [LIFE_W-1:0] below_life;

    scoring_unit_cache_tree #(
        .N(N / 2),
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
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
        .near_o(low_near),
        .life_o(low_life)
    );

    scoring_unit_cache_tree #(
        .N(N / 2),
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
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
        .near_o(high_near),
        .life_o(high_life)
    );

    logic finite;
    logic below;
    logic [COST_W+DEN_W-1:0] difference;

    scoring_unit_compare #(
        .COST_W(COST_W),
        .DEN_W(DEN_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(TAG_W),
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
        .near_o(own_near),
        .finite_o(finite),
        .below_o(below),
        .difference_o(difference)
    );

    logic [TAG_W-1:0] low_tag;
    logic [TAG_W-1:0] high_tag;
    logic [SIZE_W+SLOT_W-1:0] unused_low;
    logic [SIZE_W+SLOT_W-1:0] unused_high;
    logic [CODE_W-1:0] low_log_magnitude;
    logic [CODE_W-1:0] low_log_size;
    logic [CODE_W-1:0] low_log_staleness;
    logic [TIME_W-1:0] low_staleness;
    logic [CODE_W-1:0] high_log_magnitude;
    logic [CODE_W-1:0] high_log_size;
    logic [CODE_W-1:0] high_log_staleness;
    logic [TIME_W-1:0] high_staleness;

    assign low_tag = low_winner[COST_W+DEN_W+:TAG_W];
    assign high_tag = high_winner[COST_W+DEN_W+:TAG_W];
    assign {low_log_magnitude, low_log_size, low_log_staleness} = low_tag[TAG_W-1-:3*CODE_W];
    assign {high_log_magnitude, high_log_size, high_log_staleness} = high_tag[TAG_W-1-:3*CODE_W];
    assign low_staleness = low_tag[SLOT_W+:TIME_W];
    assign high_staleness = high_tag[SLOT_W+:TIME_W];
    assign unused_low = {low_tag[SLOT_W+TIME_W+:SIZE_W], low_tag[SLOT_W-1:0]};
    assign unused_high = {high_tag[SLOT_W+TIME_W+:SIZE_W], high_tag[SLOT_W-1:0]};

    scoring_unit_cache_life #(
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W)
    ) u_life (
        .clk_i,
        .a_log_magnitude_i(low_log_magnitude),
        .a_log_size_i(low_log_size),
        .a_log_staleness_i(low_log_staleness),
        .a_staleness_i(low_staleness),
        .b_log_magnitude_i(high_log_magnitude),
        .b_log_size_i(high_log_size),
        .b_log_staleness_i(high_log_staleness),
        .b_staleness_i(high_staleness),
        .finite_i(finite),
        .below_i(below),
        .difference_i(difference),
        .life_o(own_life)
    );

    // The other comparisons of the row were made a level earlier.
    scoring_unit_delay #(
        .WIDTH(LIFE_W),
        .STAGES(scoring_unit_pkg::COMPARE_LATENCY)
    ) u_below_life (
        .clk_i,
        .data_i(low_life < high_life ? low_life : high_life),
        .data_o(below_life)
    );

    assign near_o = own_near || low_near || high_near;
    assign life_o = own_life < below_life ? own_life : below_life;
  end

endmodule
