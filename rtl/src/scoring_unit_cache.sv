// SPDX-License-Identifier: Apache-2.0
// The cached search: as scoring_unit_search, but it remembers the winner of every block of LANES x LANES slots and
// until when it stays the winner, and reads only those blocks again whose winner is not known. See rtl/README.md.
//
//   _plan   which winners and rows are read, one slot a cycle       _keep   winners and their times
//   _leaf   beside each lane: what comparisons need for times       _tree   best of a slot, and how long that holds
//   _block  from the rows of a block to its winner and its time
//
// The best of all winners and rows read is the result (scoring_unit_accumulate). What is learned of the blocks is
// written a few cycles after BUSY has fallen; until then hold_o stays up.

`include "scoring_unit_assert.svh"

module scoring_unit_cache #(
    parameter int LANES = 4,  // 2 or more
    parameter int ROWS = 128,
    parameter int ROW_W = 7,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter bit FAULT_ENDLESS = 1'b0,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int DEN_W = SIZE_W + TIME_W,
    localparam int TERMS_W = COST_W + SIZE_W + TIME_W,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        clear_i,
    input logic        start_i,          // not while hold_o
    input logic        clear_done_i,
    input logic        use_size_i,
    input logic        use_staleness_i,
    input logic [63:0] clock_i,          // steady while hold_o, as the two above

    // A slot changes with the edge that ends this cycle.
    input logic              update_i,
    input logic [SLOT_W-1:0] update_slot_i,

    // To table and lanes.
    output logic                     read_o,
    output logic [ROW_W-1:0]         row_o,
    input  logic [ROWS-1:0]          row_any_i,
    input  logic                     top_known_i,
    input  logic [ROW_W-1:0]         top_row_i,
    output logic                     other_o,       // one cycle after row_o: candidates in place of those read
    output logic [LANES-1:0]         other_valid_o,
    output logic [LANES*COST_W-1:0]  other_cost_o,
    output logic [LANES*SIZE_W-1:0]  other_size_o,
    output logic [LANES*TIME_W-1:0]  other_last_o,
    output logic [LANES*ORDER_W-1:0] other_order_o,
    output logic [LANES*SLOT_W-1:0]  other_slot_o,
    input  logic [LANES*ENTRY_W-1:0] entries_i,     // LANE_LATENCY_EXACT cycles after row_o
    input  logic [LANES*TERMS_W-1:0] terms_i,       // these two cycles after row_o
    input  logic [LANES-1:0]         sat_i,
    input  logic [LANES-1:0]         zero_i,
    input  logic [LANES-1:0]         negative_i,
    input  logic [LANES-1:0]         fresh_i,

    output logic              hold_o,  // no update of the table may be taken
    output logic              busy_o,
    output logic              done_o,
    output logic              empty_o,
    output logic              near_o,
    output logic              mixed_o,
    output logic              sat_o,
    output logic [1:0]        class_o,
    output logic [SLOT_W-1:0] slot_o,
    output logic [31:0]       cycles_o,
    output logic [63:0]       total_cycles_o
);

  localparam int LANE_W = $clog2(LANES);
  localparam int PLACE_W = 2 * LANE_W;
  localparam int BLOCK_W = scoring_unit_pkg::block_width(ROWS, LANES);
  localparam int GROUP_W = scoring_unit_pkg::group_width(ROWS, LANES);
  localparam int LIFE_W = scoring_unit_pkg::LIFE_W;
  localparam int TAG_W = scoring_unit_pkg::tag_width(SIZE_W, TIME_W, SLOT_W);
  localparam int WIDE_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, TAG_W);
  localparam int LANE_LATENCY = scoring_unit_pkg::LANE_LATENCY_EXACT;
  localparam int TREE_LATENCY = LANE_W * scoring_unit_pkg::COMPARE_LATENCY;
  // Of what scoring_unit_cache_keep says about a single winner's time.
  localparam int SINGLE_LATENCY = 3 + scoring_unit_pkg::NORMALISE_STAGES;

  logic busy_q;
  logic sat_q;

  // What was learned holds for searches of the same kind that are no earlier, unless values did not fit.
  logic forget_q;
  logic [63:0] clock_q;
  logic use_size_q;
  logic use_staleness_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) forget_q <= 1'b0;
    else if (clear_i) forget_q <= 1'b0;
    else begin
      forget_q <= start_i && (sat_q || clock_i < clock_q || use_size_i != use_size_q ||
                              use_staleness_i != use_staleness_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clock_q <= '0;
      use_size_q <= 1'b0;
      use_staleness_q <= 1'b0;
    end else if (clear_i) begin
      clock_q <= '0;
      use_size_q <= 1'b0;
      use_staleness_q <= 1'b0;
    end else if (start_i) begin
      clock_q <= clock_i;
      use_size_q <= use_size_i;
      use_staleness_q <= use_staleness_i;
    end
  end

  // Slots, as they are read.
  logic group;
  logic [GROUP_W-1:0] group_index;
  logic single;
  logic row;
  logic [BLOCK_W-1:0] block;
  logic first;
  logic last;
  logic closing;
  logic [LANES-1:0] kept;
  logic [LANES-1:0] expired;
  logic winner;
  logic [BLOCK_W-1:0] winner_block;
  logic [PLACE_W-1:0] winner_place;
  logic keep;
  logic [BLOCK_W-1:0] keep_block;
  logic keep_valid;
  logic keep_forever;
  logic [TIME_W-1:0] keep_until;

  scoring_unit_cache_plan #(
      .LANES(LANES),
      .ROWS(ROWS),
      .ROW_W(ROW_W),
      .SLOT_W(SLOT_W)
  ) u_plan (
      .clk_i,
      .rst_ni,
      .clear_i,
      .update_i,
      .update_slot_i,
      .start_i,
      .forget_i(forget_q),
      .top_known_i,
      .top_row_i,
      .row_any_i,
      .group_o(group),
      .group_index_o(group_index),
      .single_o(single),
      .row_o(row),
      .row_index_o(row_o),
      .block_o(block),
      .first_o(first),
      .last_o(last),
      .final_o(closing),
      .kept_o(kept),
      .expired_i(expired),
      .fresh_i(fresh_i != '0),
      .winner_i(winner),
      .winner_block_i(winner_block),
      .winner_place_i(winner_place),
      .keep_i(keep),
      .keep_block_i(keep_block),
      .keep_valid_i(keep_valid)
  );

  assign read_o = row;

  // One cycle later: winners in place of rows.
  logic [COST_W-1:0] winner_cost;
  logic [SIZE_W-1:0] winner_size;
  logic [TIME_W-1:0] winner_last;
  logic [ORDER_W-1:0] winner_order;
  logic [LIFE_W-1:0] single_life;

  scoring_unit_cache_keep #(
      .LANES(LANES),
      .ROWS(ROWS),
      .COST_W(COST_W),
      .SIZE_W(SIZE_W),
      .TIME_W(TIME_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W),
      .FAULT_ENDLESS(FAULT_ENDLESS)
  ) u_keep (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clock_i(clock_i[TIME_W-1:0]),
      .group_i(group),
      .single_i(single),
      .group_index_i(group_index),
      .single_lane_i(block[LANE_W-1:0]),
      .kept_i(kept),
      .read_o(other_o),
      .valid_o(other_valid_o),
      .cost_o(other_cost_o),
      .size_o(other_size_o),
      .last_o(other_last_o),
      .order_o(other_order_o),
      .slot_o(other_slot_o),
      .expired_o(expired),
      .single_life_o(single_life),
      .winner_i(winner),
      .winner_block_i(winner_block),
      .winner_cost_i(winner_cost),
      .winner_size_i(winner_size),
      .winner_last_i(winner_last),
      .winner_order_i(winner_order),
      .winner_place_i(winner_place),
      .keep_i(keep),
      .keep_block_i(keep_block),
      .keep_forever_i(keep_forever),
      .keep_until_i(keep_until)
  );

  // TERMS_LATENCY cycles later: flags of rows.
  logic flags_row;
  logic [ROW_W-1:0] flags_index;
  logic [ROWS-1:0] zero_q;
  logic [ROWS-1:0] negative_q;

  scoring_unit_cache_pipe #(
      .WIDTH(1 + ROW_W),
      .STAGES(scoring_unit_pkg::TERMS_LATENCY)
  ) u_flags (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i({row, row_o}),
      .data_o({flags_row, flags_index})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_q <= '0;
      negative_q <= '0;
    end else if (clear_i) begin
      zero_q <= '0;
      negative_q <= '0;
    end else if (flags_row) begin
      zero_q[flags_index] <= zero_i != '0;
      negative_q[flags_index] <= negative_i != '0;
    end
  end

  // LANE_LATENCY cycles later: into the tree. Two cycles after a group was read it is known what has expired.
  logic group_2;
  logic [LANES-1:0] dropped;
  logic leaf_counts;  // for the result
  logic leaf_part;    // of a block
  logic leaf_first;
  logic leaf_last;
  logic leaf_single;
  logic leaf_closing;
  logic [BLOCK_W-1:0] leaf_block;
  logic [LANES*WIDE_W-1:0] leaves;
  logic combine;
  logic [LANES*WIDE_W-1:0] combined;

  scoring_unit_cache_pipe #(
      .WIDTH(1),
      .STAGES(2)
  ) u_group (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i(group),
      .data_o(group_2)
  );

  scoring_unit_delay #(
      .WIDTH(LANES),
      .STAGES(LANE_LATENCY - 2)
  ) u_dropped (
      .clk_i,
      .data_i(expired & {LANES{group_2}}),
      .data_o(dropped)
  );

  scoring_unit_cache_pipe #(
      .WIDTH(6 + BLOCK_W),
      .STAGES(LANE_LATENCY)
  ) u_leaf (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i({group || row, single || row, first, last, single, closing, block}),
      .data_o({leaf_counts, leaf_part, leaf_first, leaf_last, leaf_single, leaf_closing, leaf_block})
  );

  for (genvar l = 0; l < LANES; l++) begin : gen_leaf
    scoring_unit_cache_leaf #(
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W)
    ) u_leaf (
        .clk_i,
        .terms_i(terms_i[l*TERMS_W+:TERMS_W]),
        .entry_i(entries_i[l*ENTRY_W+:ENTRY_W]),
        .drop_i(dropped[l]),
        .entry_o(leaves[l*WIDE_W+:WIDE_W])
    );
  end

  logic tree_valid;
  logic [WIDE_W-1:0] tree_winner;
  logic tree_near;
  logic [LIFE_W-1:0] tree_life;

  scoring_unit_cache_tree #(
      .N(LANES),
      .COST_W(COST_W),
      .SIZE_W(SIZE_W),
      .TIME_W(TIME_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
  ) u_tree (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(leaf_counts || leaf_part || combine),
      .entries_i(combine ? combined : leaves),
      .valid_o(tree_valid),
      .winner_o(tree_winner),
      .near_o(tree_near),
      .life_o(tree_life)
  );

  // TREE_LATENCY cycles later: out of it.
  logic counts;
  logic part;
  logic part_first;
  logic part_last;
  logic part_single;
  logic closes;
  logic closed_q;
  logic [BLOCK_W-1:0] part_block;

  scoring_unit_cache_pipe #(
      .WIDTH(6 + BLOCK_W),
      .STAGES(TREE_LATENCY)
  ) u_root (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i({leaf_counts, leaf_part, leaf_first, leaf_last, leaf_single, leaf_closing, leaf_block}),
      .data_o({counts, part, part_first, part_last, part_single, closes, part_block})
  );

  logic [LIFE_W-1:0] part_single_life;
  scoring_unit_delay #(
      .WIDTH(LIFE_W),
      .STAGES(LANE_LATENCY + TREE_LATENCY + scoring_unit_pkg::LIFE_LATENCY - SINGLE_LATENCY)
  ) u_single_life (
      .clk_i,
      .data_i(single_life),
      .data_o(part_single_life)
  );

  logic blocks_idle;

  scoring_unit_cache_block #(
      .LANES(LANES),
      .ROWS(ROWS),
      .TIME_W(TIME_W),
      .ENTRY_W(WIDE_W)
  ) u_block (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clock_i(clock_i[TIME_W-1:0]),
      .begin_i(first),
      .part_i(part),
      .first_i(part_first),
      .last_i(part_last),
      .block_i(part_block),
      .single_i(part_single),
      .winner_i(tree_winner),
      .life_i(tree_life),
      .single_life_i(part_single_life),
      .combine_o(combine),
      .entries_o(combined),
      .winner_o(winner),
      .winner_block_o(winner_block),
      .keep_o(keep),
      .keep_block_o(keep_block),
      .keep_valid_o(keep_valid),
      .keep_forever_o(keep_forever),
      .keep_until_o(keep_until),
      .idle_o(blocks_idle)
  );

  // What is kept of a block's winner.
  logic [1:0] winner_class;
  logic winner_negative;
  logic [TAG_W-1:0] winner_tag;
  logic [COST_W-1:0] winner_magnitude;
  logic [DEN_W-1:0] winner_denominator;
  logic [TIME_W-1:0] winner_staleness;
  logic [SLOT_W-1:0] winner_slot;

  assign {winner_class, winner_negative, winner_order, winner_tag, winner_magnitude, winner_denominator} = tree_winner;
  assign {winner_size, winner_staleness, winner_slot} = winner_tag[SIZE_W+TIME_W+SLOT_W-1:0];
  assign winner_cost = winner_negative ? -winner_magnitude : winner_magnitude;
  assign winner_last = clock_i[TIME_W-1:0] - winner_staleness;
  assign winner_place = PLACE_W'(winner_slot);

  logic unused_winner;
  assign unused_winner = ^{winner_class, winner_tag, winner_denominator, winner_slot, tree_valid};

  // The best of all; its slot field is a plain one.
  logic final_done;
  logic [ENTRY_W-1:0] final_winner;
  logic final_near;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) closed_q <= 1'b0;
    else if (clear_i || start_i) closed_q <= 1'b0;
    else if (closes) closed_q <= 1'b1;
  end

  scoring_unit_accumulate #(
      .COST_W(COST_W),
      .DEN_W(DEN_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
  ) u_accumulate (
      .clk_i,
      .rst_ni,
      .clear_i,
      .open_i(!closed_q),
      .valid_i(counts),
      .entry_i({winner_class, winner_negative, winner_order, winner_slot, winner_magnitude, winner_denominator}),
      .done_o(final_done),
      .winner_o(final_winner),
      .near_o(final_near)
  );

  // Result.
  logic done_q;
  logic empty_q;
  logic near_q;
  logic mixed_q;
  logic [1:0] class_q;
  logic [SLOT_W-1:0] slot_q;
  logic [31:0] cycles_q;
  logic [63:0] total_cycles_q;
  logic final_none;

  assign final_none = final_winner[ENTRY_W-1-:2] == scoring_unit_pkg::CLASS_NONE;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
      empty_q <= 1'b0;
      near_q <= 1'b0;
      mixed_q <= 1'b0;
      sat_q <= 1'b0;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
      total_cycles_q <= '0;
    end else if (clear_i) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
      empty_q <= 1'b0;
      near_q <= 1'b0;
      mixed_q <= 1'b0;
      sat_q <= 1'b0;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
      total_cycles_q <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      done_q <= 1'b0;
      empty_q <= 1'b0;
      near_q <= 1'b0;
      mixed_q <= 1'b0;
      sat_q <= use_staleness_i && (clock_i >> TIME_W) != '0;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
    end else if (busy_q) begin
      cycles_q <= cycles_q + 32'd1;
      total_cycles_q <= total_cycles_q + 64'd1;
      near_q <= near_q || tree_near || final_near;
      sat_q <= sat_q || (flags_row && sat_i != '0);
      if (final_done) begin
        busy_q <= 1'b0;
        done_q <= 1'b1;
        empty_q <= final_none;
        // Bits of rows that lost their last candidate may be stale.
        mixed_q <= (zero_q & row_any_i) != '0 && (negative_q & row_any_i) != '0;
        class_q <= final_winner[ENTRY_W-1-:2];
        slot_q <= final_none ? '0 : final_winner[COST_W+DEN_W+:SLOT_W];
      end
    end else if (clear_done_i) begin
      done_q <= 1'b0;
    end
  end

  assign hold_o = busy_q || !blocks_idle;
  assign busy_o = busy_q;
  assign done_o = done_q;
  assign empty_o = empty_q;
  assign near_o = !busy_q && near_q;
  assign mixed_o = mixed_q;
  assign sat_o = !busy_q && sat_q;
  assign class_o = class_q;
  assign slot_o = slot_q;
  assign cycles_o = cycles_q;
  assign total_cycles_o = total_cycles_q;

  logic unused_final;
  assign unused_final = ^final_winner;

  `SCORING_UNIT_ASSERT(start_finds_the_search_over, clk_i, rst_ni, !(start_i && hold_o))
  `SCORING_UNIT_ASSERT(busy_or_done, clk_i, rst_ni, !(busy_q && done_q))
  `SCORING_UNIT_ASSERT(combination_finds_its_slot_empty, clk_i, rst_ni, !(combine && (leaf_counts || leaf_part)))
  `SCORING_UNIT_ASSERT(winner_is_of_its_block, clk_i, rst_ni,
                       !winner || winner_class == scoring_unit_pkg::CLASS_NONE ||
                       BLOCK_W'(winner_slot >> PLACE_W) == winner_block)
  `SCORING_UNIT_ASSERT(blocks_are_noted_while_held, clk_i, rst_ni, !(winner || keep) || hold_o)
  `SCORING_UNIT_ASSERT(end_comes_once, clk_i, rst_ni, !final_done || (busy_q && closed_q && !counts))
  `SCORING_UNIT_ASSERT(result_names_a_slot, clk_i, rst_ni,
                       !done_q || (empty_q ? class_q == scoring_unit_pkg::CLASS_NONE :
                                   class_q != scoring_unit_pkg::CLASS_NONE && 32'(slot_q) < ROWS * LANES))
  `SCORING_UNIT_ASSERT_HELD(result_stays, clk_i, rst_ni, done_q && !start_i && !clear_i, SLOT_W + 38,
                            ({empty_o, near_o, mixed_o, sat_o, class_q, slot_q, cycles_q}))

endmodule
