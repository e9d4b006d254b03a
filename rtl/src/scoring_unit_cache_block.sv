// SPDX-License-Identifier: Apache-2.0
// From the row winners of a block to its winner and its time. The row winners (with a single winner in front, where the
// block had one) leave the tree one after the other, are collected, and go through the tree once more, side by side.
// The block's outcome holds as long as every comparison on the way does; a winner that held before is a link of that
// chain with the time that it has left.

`include "scoring_unit_assert.svh"

module scoring_unit_cache_block #(
    parameter int LANES = 4,
    parameter int ROWS = 128,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ENTRY_W = 300,
    localparam int LANE_W = $clog2(LANES),
    localparam int BLOCK_W = scoring_unit_pkg::block_width(ROWS, LANES),
    localparam int LIFE_W = scoring_unit_pkg::LIFE_W
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic              clear_i,
    input logic [TIME_W-1:0] clock_i,

    input  logic             begin_i,  // the first slot of a block is read
    // With the tree's winner.
    input logic               part_i,   // it belongs to a block
    input logic               first_i,
    input logic               last_i,
    input logic [BLOCK_W-1:0] block_i,
    input logic               single_i,
    input logic [ENTRY_W-1:0] winner_i,
    // LIFE_LATENCY cycles later.
    input logic [LIFE_W-1:0]  life_i,
    input logic [LIFE_W-1:0]  single_life_i,

    // Back into the tree, the cycle after last_i.
    output logic                     combine_o,
    output logic [LANES*ENTRY_W-1:0] entries_o,

    // The block's winner leaves the tree: winner_i is it.
    output logic               winner_o,
    output logic [BLOCK_W-1:0] winner_block_o,

    // Until when it stays. Not valid: not even now, or not of a kind that is kept.
    output logic               keep_o,
    output logic [BLOCK_W-1:0] keep_block_o,
    output logic               keep_valid_o,
    output logic               keep_forever_o,
    output logic [TIME_W-1:0]  keep_until_o,

    output logic idle_o  // no block is under way
);

  localparam int TREE_LATENCY = LANE_W * scoring_unit_pkg::COMPARE_LATENCY;
  localparam int LIFE_LATENCY = scoring_unit_pkg::LIFE_LATENCY;

  // Collecting.
  logic [LANES*ENTRY_W-1:0] entries_q;
  logic [LANE_W-1:0] count_q;
  logic [LANE_W-1:0] place;
  logic combine_q;
  logic [BLOCK_W-1:0] combine_block_q;

  assign place = first_i ? '0 : count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) combine_q <= 1'b0;
    else if (clear_i) combine_q <= 1'b0;
    else combine_q <= part_i && last_i;
  end

  always_ff @(posedge clk_i) begin
    if (part_i) begin
      count_q <= place + 1'b1;
      for (int l = 0; l < LANES; l++) begin
        if (place == LANE_W'(l)) entries_q[l*ENTRY_W+:ENTRY_W] <= winner_i;
        else if (first_i) entries_q[(l+1)*ENTRY_W-1-:2] <= scoring_unit_pkg::CLASS_NONE;
      end
    end
    combine_block_q <= block_i;
  end

  assign combine_o = combine_q;
  assign entries_o = entries_q;

  scoring_unit_cache_pipe #(
      .WIDTH(1 + BLOCK_W),
      .STAGES(TREE_LATENCY)
  ) u_combined (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i({combine_q, combine_block_q}),
      .data_o({winner_o, winner_block_o})
  );

  // Only these two classes stay what they are (INFINITE may be so for want of staleness).
  logic keeps;
  assign keeps = winner_i[ENTRY_W-1-:2] == scoring_unit_pkg::CLASS_ZERO ||
      winner_i[ENTRY_W-1-:2] == scoring_unit_pkg::CLASS_FINITE;

  // Times.
  logic late_part;
  logic late_first;
  logic late_last;
  logic late_single;
  logic late_winner;
  logic late_keeps;
  logic [BLOCK_W-1:0] late_block;

  scoring_unit_cache_pipe #(
      .WIDTH(6 + BLOCK_W),
      .STAGES(LIFE_LATENCY)
  ) u_late (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i({part_i, first_i, last_i, single_i, winner_o, keeps, winner_block_o}),
      .data_o({late_part, late_first, late_last, late_single, late_winner, late_keeps, late_block})
  );

  logic [LIFE_W-1:0] part_life;
  logic [LIFE_W-1:0] parts_life;
  logic [LIFE_W-1:0] parts_life_q;
  logic [LIFE_W-1:0] rows_life;
  logic [LIFE_W-1:0] life;

  assign part_life = late_single ? single_life_i : life_i;
  assign parts_life = late_first || part_life < parts_life_q ? part_life : parts_life_q;

  always_ff @(posedge clk_i) begin
    if (late_part) parts_life_q <= parts_life;
  end

  // The combination of the rows comes out so much later than the last of them.
  scoring_unit_delay #(
      .WIDTH(LIFE_W),
      .STAGES(TREE_LATENCY + 1)
  ) u_rows_life (
      .clk_i,
      .data_i(parts_life),
      .data_o(rows_life)
  );
  assign life = rows_life < life_i ? rows_life : life_i;

  // From the code to a duration, from below: 2^(f / 16) >= 1 + f / 16 x 11 / 16. Then to a moment.
  logic [LIFE_W-1:0] code;
  logic [8:0] eleven;  // times code's fraction
  logic [7:0] fraction;
  logic [TIME_W+7:0] shifted;
  logic lasting_q, lasting_2_q;
  logic [TIME_W-1:0] duration_q;
  logic forever_q;
  logic [BLOCK_W-1:0] block_1_q, block_2_q;
  logic keep_1_q, keep_2_q;
  logic [TIME_W:0] until_d, until_q;
  logic forever_2_q;

  assign code = life - 1'b1;
  // In sums, lest a DSP block is taken for it.
  assign eleven = {5'd0, code[3:0]} + {4'd0, code[3:0], 1'b0} + {2'd0, code[3:0], 3'd0};
  assign fraction = 8'd128 + eleven[8:1];
  assign shifted = {{TIME_W{1'b0}}, fraction} << code[LIFE_W-1:4];
  assign until_d = {1'b0, clock_i} + {1'b0, duration_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      keep_1_q <= 1'b0;
      keep_2_q <= 1'b0;
    end else if (clear_i) begin
      keep_1_q <= 1'b0;
      keep_2_q <= 1'b0;
    end else begin
      keep_1_q <= late_winner;
      keep_2_q <= keep_1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    lasting_q <= late_keeps && life != '0;
    forever_q <= life == '1 || 32'(code[LIFE_W-1:4]) >= TIME_W;
    duration_q <= shifted[7+:TIME_W];
    block_1_q <= late_block;
    lasting_2_q <= lasting_q;
    forever_2_q <= forever_q;
    until_q <= until_d;
    block_2_q <= block_1_q;
  end

  assign keep_o = keep_2_q;
  assign keep_block_o = block_2_q;
  assign keep_valid_o = lasting_2_q;
  assign keep_forever_o = forever_2_q || until_q[TIME_W];
  assign keep_until_o = until_q[TIME_W-1:0];

  // Blocks between their first slot and their outcome.
  logic [7:0] under_way_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else if (clear_i) under_way_q <= '0;
    else under_way_q <= under_way_q + 8'(begin_i) - 8'(keep_2_q);
  end
  assign idle_o = under_way_q == '0;

  logic unused_bits;
  assign unused_bits = ^{late_last, shifted, eleven[0]};

  `SCORING_UNIT_ASSERT(parts_fit_the_tree, clk_i, rst_ni, !(part_i && !first_i) || place != '0)
  `SCORING_UNIT_ASSERT(outcome_has_a_begin, clk_i, rst_ni, !keep_2_q || under_way_q != '0)
  `SCORING_UNIT_ASSERT(kept_until_now_at_least, clk_i, rst_ni,
                       !(keep_o && keep_valid_o && !keep_forever_o) || keep_until_o >= clock_i)

endmodule
