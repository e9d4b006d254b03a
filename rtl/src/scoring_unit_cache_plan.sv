// SPDX-License-Identifier: Apache-2.0
// What a cached search reads, one slot of the pipeline a cycle:
//   1. the winners kept of all blocks, LANES blocks (a group) a cycle; those out of date are dropped on the way;
//   2. block by block what has to be looked at again: of a block without a valid winner all rows that hold a candidate,
//      of another one those touched since, after its winner.
// A block is LANES rows of LANES slots. The row winners of a block meet in the tree once more
// (scoring_unit_cache_block), TREE_LATENCY + 1 cycles after the last of them was read: that slot stays empty here.
//
// A row is touched by an update of one of its slots, and stays so while it holds a candidate of staleness 0, which is
// INFINITE now and not later. An update of a block's winner invalidates the block.

`include "scoring_unit_assert.svh"

module scoring_unit_cache_plan #(
    parameter int LANES = 4,
    parameter int ROWS = 128,
    parameter int ROW_W = 7,
    parameter int SLOT_W = 9,
    localparam int LANE_W = $clog2(LANES),
    localparam int BLOCK_W = scoring_unit_pkg::block_width(ROWS, LANES),
    localparam int GROUP_W = scoring_unit_pkg::group_width(ROWS, LANES)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A slot changes with the edge that ends this cycle. Not after the first cycle of a search.
    input logic              update_i,
    input logic [SLOT_W-1:0] update_slot_i,

    input logic              start_i,
    input logic              forget_i,      // in the cycle after start_i: no winner is valid
    input logic              top_known_i,   // as in scoring_unit_valid
    input logic [ROW_W-1:0]  top_row_i,
    input logic [ROWS-1:0]   row_any_i,

    // This cycle's slot.
    output logic               group_o,    // reads the winners of a group
    output logic [GROUP_W-1:0] group_index_o,
    output logic               single_o,   // reads the winner of one block, whose group is group_index_o
    output logic               row_o,      // reads a row
    output logic [ROW_W-1:0]   row_index_o,
    output logic [BLOCK_W-1:0] block_o,    // of single_o and row_o
    output logic               first_o,    // begins a block
    output logic               last_o,     // ends a block
    output logic               final_o,    // nothing comes after this slot

    // One cycle after group_o: which winners are valid. One more: which of them have expired.
    output logic [LANES-1:0] kept_o,
    input  logic [LANES-1:0] expired_i,

    // TERMS_LATENCY cycles after row_o: the row has a candidate of staleness 0.
    input logic fresh_i,

    // A block's winner is known, and is kept or not.
    input logic                winner_i,
    input logic [BLOCK_W-1:0]  winner_block_i,
    input logic [2*LANE_W-1:0] winner_place_i,  // its slot within the block
    input logic                keep_i,
    input logic [BLOCK_W-1:0]  keep_block_i,
    input logic                keep_valid_i
);

  localparam int GROUPS = scoring_unit_pkg::groups(ROWS, LANES);
  localparam int BLOCKS = GROUPS * LANES;
  localparam int ALL_ROWS = BLOCKS * LANES;
  localparam int TREE_LATENCY = LANE_W * scoring_unit_pkg::COMPARE_LATENCY;

  // What is known of rows and blocks.
  logic [ALL_ROWS-1:0] touched_q;
  logic [ALL_ROWS-1:0] row_any;
  logic [BLOCKS-1:0] kept_q;
  logic [2*LANE_W-1:0] place_q[0:BLOCKS-1];

  logic [BLOCK_W-1:0] update_block;
  logic update_winner;
  assign update_block = BLOCK_W'(update_slot_i >> (2 * LANE_W));
  assign update_winner = place_q[update_block] == update_slot_i[2*LANE_W-1:0];

  always_comb begin
    row_any = '0;
    row_any[ROWS-1:0] = row_any_i;
  end

  logic fresh_row;  // whose terms these are
  logic [ROW_W-1:0] fresh_index;

  scoring_unit_cache_pipe #(
      .WIDTH(1 + ROW_W),
      .STAGES(scoring_unit_pkg::TERMS_LATENCY)
  ) u_fresh (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i({row_o, row_index_o}),
      .data_o({fresh_row, fresh_index})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      touched_q <= '0;
      kept_q <= '0;
    end else if (clear_i) begin
      touched_q <= '0;
      kept_q <= '0;
    end else begin
      if (row_o) touched_q[32'(row_index_o)] <= 1'b0;
      if (fresh_row && fresh_i) touched_q[32'(fresh_index)] <= 1'b1;
      if (keep_i) kept_q[keep_block_i] <= keep_valid_i;
      if (forget_i) kept_q <= '0;
      if (update_i) begin
        touched_q[32'(update_slot_i)>>LANE_W] <= 1'b1;
        if (update_winner) kept_q[update_block] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (winner_i) place_q[winner_block_i] <= winner_place_i;
  end

  // Groups.
  logic group_q;
  logic [GROUP_W-1:0] group_index_q;
  logic group_last;
  logic [2:0] group_done_q;  // since the last group was read
  logic group_1_q, group_2_q;
  logic [GROUP_W-1:0] group_index_1_q, group_index_2_q;

  assign group_last = group_index_q == GROUP_W'(GROUPS - 1) ||
      (top_known_i && 32'(group_index_q) >= 32'(top_row_i) >> (2 * LANE_W));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      group_q <= 1'b0;
      group_done_q <= '0;
      group_1_q <= 1'b0;
      group_2_q <= 1'b0;
    end else if (clear_i) begin
      group_q <= 1'b0;
      group_done_q <= '0;
      group_1_q <= 1'b0;
      group_2_q <= 1'b0;
    end else begin
      if (start_i) begin
        group_q <= 1'b1;
        group_done_q <= '0;
      end else begin
        if (group_q && group_last) group_q <= 1'b0;
        group_done_q <= {group_done_q[1:0], group_done_q[0] || (group_q && group_last)};
      end
      group_1_q <= group_q;
      group_2_q <= group_1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) group_index_q <= '0;
    else if (group_q) group_index_q <= group_index_q + 1'b1;
    group_index_1_q <= group_index_q;
    group_index_2_q <= group_index_1_q;
  end

  assign kept_o = kept_q[32'(group_index_1_q)*LANES+:LANES];

  // Blocks to look at, known two cycles after their group was read.
  logic [LANES-1:0] anew;  // all rows
  logic [LANES-1:0] wanted;
  logic [BLOCKS-1:0] pending_q;
  logic [BLOCKS-1:0] anew_q;
  logic pick_any;
  logic [BLOCK_W-1:0] pick_block;
  logic pick_take;
  logic pick_q;
  logic [BLOCK_W-1:0] pick_block_q;

  always_comb begin
    anew = ~kept_q[32'(group_index_2_q)*LANES+:LANES] | expired_i;
    for (int l = 0; l < LANES; l++) begin
      wanted[l] = (row_any[(32'(group_index_2_q)*LANES+l)*LANES+:LANES] &
          (touched_q[(32'(group_index_2_q)*LANES+l)*LANES+:LANES] | {LANES{anew[l]}})) != '0;
    end
  end

  // Lowest set bit by halving.
  function automatic logic [BLOCK_W-1:0] lowest(input logic [BLOCKS-1:0] bits);
    logic [(1<<BLOCK_W)-1:0] rest;
    begin
      rest = '0;
      rest[BLOCKS-1:0] = bits;
      lowest = '0;
      for (int k = BLOCK_W - 1; k >= 0; k--) begin
        if ((rest << ((1 << BLOCK_W) - (1 << k))) == '0) begin
          lowest[k] = 1'b1;
          rest = rest >> (1 << k);
        end
      end
    end
  endfunction

  assign pick_any = pending_q != '0;
  assign pick_block = lowest(pending_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      pick_q <= 1'b0;
    end else if (clear_i) begin
      pending_q <= '0;
      pick_q <= 1'b0;
    end else begin
      if (!pick_q || pick_take) begin
        pick_q <= pick_any;
        if (pick_any) pending_q[pick_block] <= 1'b0;
      end
      if (group_2_q) pending_q[32'(group_index_2_q)*LANES+:LANES] <= wanted;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!pick_q || pick_take) pick_block_q <= pick_block;
    if (group_2_q) anew_q[32'(group_index_2_q)*LANES+:LANES] <= anew;
  end

  // The block in progress.
  logic [LANES-1:0] pick_all;
  logic [LANES-1:0] pick_touched;
  logic pick_anew;
  logic now_q;
  logic [BLOCK_W-1:0] now_block_q;
  logic [LANES-1:0] now_rows_q;
  logic now_single_q;
  logic now_first_q;
  logic reserved;
  logic go;

  // One bit more than all but one: reading all is not dearer, and what is learned holds longer.
  function automatic logic most(input logic [LANES-1:0] some, input logic [LANES-1:0] all);
    logic [LANES-1:0] left;
    begin
      left = all & ~some;
      most = (left & (left - 1'b1)) == '0;
    end
  endfunction

  assign pick_all = row_any[32'(pick_block_q)*LANES+:LANES];
  assign pick_touched = pick_all & touched_q[32'(pick_block_q)*LANES+:LANES];
  assign pick_anew = anew_q[pick_block_q] || most(pick_touched, pick_all);

  assign go = now_q && !group_q && !reserved;
  assign single_o = go && now_single_q;
  assign row_o = go && !now_single_q;
  assign first_o = go && now_first_q;
  assign last_o = row_o && (now_rows_q & (now_rows_q - 1'b1)) == '0;
  assign block_o = now_block_q;
  assign pick_take = pick_q && (!now_q || last_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= 1'b0;
    else if (clear_i) now_q <= 1'b0;
    else if (pick_take) now_q <= 1'b1;
    else if (last_o) now_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (pick_take) begin
      now_block_q <= pick_block_q;
      now_rows_q <= pick_anew ? pick_all : pick_touched;
      now_single_q <= !pick_anew;
      now_first_q <= 1'b1;
    end else if (go) begin
      now_first_q <= 1'b0;
      now_single_q <= 1'b0;
      if (!now_single_q) now_rows_q <= now_rows_q & (now_rows_q - 1'b1);
    end
  end

  logic [LANE_W-1:0] now_row;
  always_comb begin
    now_row = '0;
    for (int r = LANES - 1; r >= 0; r--) begin
      if (now_rows_q[r]) now_row = LANE_W'(r);
    end
  end
  assign row_index_o = ROW_W'({now_block_q, now_row});

  scoring_unit_cache_pipe #(
      .WIDTH(1),
      .STAGES(TREE_LATENCY + 1)
  ) u_reserved (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i(last_o),
      .data_o(reserved)
  );

  assign group_o = group_q;
  assign group_index_o = group_q ? group_index_q : GROUP_W'(now_block_q >> LANE_W);

  // The end: once, with the last row or in a slot of its own.
  logic over_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) over_q <= 1'b1;
    else if (clear_i) over_q <= 1'b1;
    else if (start_i) over_q <= 1'b0;
    else if (final_o) over_q <= 1'b1;
  end
  assign final_o = !over_q && group_done_q[2] && !pick_any && !pick_q && (!now_q || last_o);

`ifdef SCORING_UNIT_ASSERTIONS
  logic [LANES-1:0] kept_in_vain;  // winners of the group read before whose row holds no candidate
  for (genvar l = 0; l < LANES; l++) begin : gen_kept
    logic [BLOCK_W-1:0] index;
    logic [LANE_W-1:0] place;  // the row within the block
    assign index = BLOCK_W'({group_index_1_q, LANE_W'(l)});
    assign place = LANE_W'(place_q[index] >> LANE_W);
    assign kept_in_vain[l] = kept_o[l] && !row_any[{index, place}];
  end
`endif
  `SCORING_UNIT_ASSERT(one_slot_a_cycle, clk_i, rst_ni, 32'(group_o) + 32'(single_o) + 32'(row_o) + 32'(reserved) <= 1 ||
                       (group_o && reserved))
  `SCORING_UNIT_ASSERT(row_holds_a_candidate, clk_i, rst_ni, !row_o || row_any[32'(row_index_o)])
  `SCORING_UNIT_ASSERT(kept_winner_is_a_candidate, clk_i, rst_ni, !group_1_q || kept_in_vain == '0)
  `SCORING_UNIT_ASSERT(single_winner_is_kept, clk_i, rst_ni, !single_o || kept_q[now_block_q])
  `SCORING_UNIT_ASSERT_NEXT(forgotten_is_not_kept, clk_i, rst_ni, forget_i, kept_q == '0)
  `SCORING_UNIT_ASSERT_NEXT(nothing_after_the_end, clk_i, rst_ni, over_q && !start_i, !(group_o || single_o || row_o))

endmodule
