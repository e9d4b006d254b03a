// SPDX-License-Identifier: Apache-2.0
// The linear search: reads one row of all lanes a cycle, from row 0 to the highest row with a candidate, through tree
// and accumulator to the result. Reading starts before the highest row is known (three cycles later); rows read beyond
// it hold no candidate and are not passed on.
//
// BUSY cycles, with R = highest row with a candidate + 1, A = lane_latency + 1 with exact arithmetic (for NEAR of the
// last comparison), else lane_latency, C = compare_latency:
//   R + A + C (1 + log2(LANES)) + what the C interleaved minima need to meet, see scoring_unit_accumulate:
//     C = 1: 0; C = 3: 0, 3, 5 for R = 1, 2, 3 or more; C = 4: 0, 4, 7, 8 for R = 1, 2, 3, 4 or more
//   4 for an empty table.

`include "scoring_unit_assert.svh"

module scoring_unit_search #(
    parameter int LANES = 4,
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int ROWS = 128,
    parameter int ROW_W = 7,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int DEN_W = scoring_unit_pkg::SIZE_W + scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic start_i,       // not while busy_o
    input logic clear_done_i,
    input logic clock_sat_i,   // the clock does not fit and is used

    // To table and lanes.
    output logic                     read_o,
    output logic [ROW_W-1:0]         row_o,
    input  logic                     top_known_i,
    input  logic                     any_i,
    input  logic [ROW_W-1:0]         top_row_i,
    input  logic [LANES*ENTRY_W-1:0] entries_i,   // of the row read lane_latency cycles ago
    input  logic [LANES-1:0]         sat_i,
    input  logic [LANES-1:0]         zero_i,
    input  logic [LANES-1:0]         negative_i,

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

  // Reading rows.
  logic busy_q;
  logic read_q;
  logic [ROW_W-1:0] row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= 1'b0;
      row_q  <= '0;
    end else if (clear_i) begin
      read_q <= 1'b0;
      row_q  <= '0;
    end else if (start_i) begin
      read_q <= 1'b1;
      row_q  <= '0;
    end else if (read_q) begin
      if (row_q == ROW_W'(ROWS - 1) || (top_known_i && row_q >= top_row_i)) read_q <= 1'b0;
      else row_q <= row_q + 1'b1;
    end
  end

  assign read_o = read_q;
  assign row_o  = row_q;

  // Rows leaving the lanes: the first lane_latency + 1 cycles after the start. The highest row is known after four.
  localparam int LATER = scoring_unit_pkg::lane_latency(ARITHMETIC) - 4;
  logic top_known_q;
  logic scan_begins;  // the highest row has become known
  logic leaf_begins;  // the next cycle is the first row's
  logic leaf_valid_q;
  logic [ROW_W-1:0] leaf_row_q;

  assign scan_begins = busy_q && top_known_i && !top_known_q;

  if (LATER == 0) begin : gen_leaf_now
    assign leaf_begins = scan_begins;
  end else begin : gen_leaf_later
    logic [LATER-1:0] begins_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begins_q <= '0;
      else if (clear_i) begins_q <= '0;
      else begins_q <= LATER'({begins_q, scan_begins && any_i});
    end

    assign leaf_begins = begins_q[LATER-1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      top_known_q  <= 1'b0;
      leaf_valid_q <= 1'b0;
      leaf_row_q   <= '0;
    end else if (clear_i) begin
      top_known_q  <= 1'b0;
      leaf_valid_q <= 1'b0;
      leaf_row_q   <= '0;
    end else begin
      top_known_q <= start_i ? 1'b0 : top_known_i;
      if (leaf_begins) begin
        leaf_valid_q <= any_i;
        leaf_row_q   <= '0;
      end else if (leaf_valid_q) begin
        if (leaf_row_q == top_row_i) leaf_valid_q <= 1'b0;
        else leaf_row_q <= leaf_row_q + 1'b1;
      end
    end
  end

  logic tree_valid;
  logic [ENTRY_W-1:0] tree_winner;
  logic tree_near;
  logic final_done;
  logic [ENTRY_W-1:0] final_winner;
  logic final_near;

  scoring_unit_tree #(
      .N(LANES),
      .ARITHMETIC(ARITHMETIC),
      .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
      .COST_W(COST_W),
      .DEN_W(DEN_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
  ) u_tree (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(leaf_valid_q),
      .entries_i,
      .valid_o(tree_valid),
      .winner_o(tree_winner),
      .near_o(tree_near)
  );

  scoring_unit_accumulate #(
      .ARITHMETIC(ARITHMETIC),
      .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
      .COST_W(COST_W),
      .DEN_W(DEN_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
  ) u_accumulate (
      .clk_i,
      .rst_ni,
      .clear_i,
      .open_i(1'b0),
      .valid_i(tree_valid),
      .entry_i(tree_winner),
      .done_o(final_done),
      .winner_o(final_winner),
      .near_o(final_near)
  );

  // Result.
  logic done_q;
  logic empty_q;
  logic near_q;
  logic zero_q;
  logic negative_q;
  logic sat_q;
  logic [1:0] class_q;
  logic [SLOT_W-1:0] slot_q;
  logic [31:0] cycles_q;
  logic [63:0] total_cycles_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
      empty_q <= 1'b0;
      near_q <= 1'b0;
      zero_q <= 1'b0;
      negative_q <= 1'b0;
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
      zero_q <= 1'b0;
      negative_q <= 1'b0;
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
      zero_q <= 1'b0;
      negative_q <= 1'b0;
      sat_q <= clock_sat_i;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
    end else if (busy_q) begin
      cycles_q <= cycles_q + 32'd1;
      total_cycles_q <= total_cycles_q + 64'd1;
      near_q <= near_q || tree_near || final_near;
      zero_q <= zero_q || zero_i != '0;
      negative_q <= negative_q || negative_i != '0;
      sat_q <= sat_q || sat_i != '0;
      if (scan_begins && !any_i) begin
        busy_q  <= 1'b0;
        done_q  <= 1'b1;
        empty_q <= 1'b1;
      end
      if (final_done) begin
        busy_q  <= 1'b0;
        done_q  <= 1'b1;
        class_q <= final_winner[ENTRY_W-1-:2];
        slot_q  <= final_winner[COST_W+DEN_W+:SLOT_W];
      end
    end else if (clear_done_i) begin
      done_q <= 1'b0;
    end
  end

  assign hold_o = busy_q;
  assign busy_o = busy_q;
  assign done_o = done_q;
  assign empty_o = empty_q;
  assign near_o = !busy_q && near_q;
  assign mixed_o = !busy_q && zero_q && negative_q;
  assign sat_o = !busy_q && sat_q;
  assign class_o = class_q;
  assign slot_o = slot_q;
  assign cycles_o = cycles_q;
  assign total_cycles_o = total_cycles_q;

  logic unused_winner;
  assign unused_winner = ^final_winner;

  `SCORING_UNIT_ASSERT(start_finds_the_search_over, clk_i, rst_ni, !(start_i && busy_q))
  `SCORING_UNIT_ASSERT(busy_or_done, clk_i, rst_ni, !(busy_q && done_q))
  `SCORING_UNIT_ASSERT(row_is_in_the_table, clk_i, rst_ni, !read_q || 32'(row_q) < ROWS)
  `SCORING_UNIT_ASSERT(no_row_above_the_highest, clk_i, rst_ni, !leaf_valid_q || (any_i && leaf_row_q <= top_row_i))
  `SCORING_UNIT_ASSERT(end_comes_once, clk_i, rst_ni,
                       !final_done || (busy_q && !leaf_valid_q && !tree_valid && !(scan_begins && !any_i)))
  `SCORING_UNIT_ASSERT(end_comes_in_time, clk_i, rst_ni, !busy_q || cycles_q < ROWS + 64)
  `SCORING_UNIT_ASSERT(result_names_a_slot, clk_i, rst_ni,
                       !done_q || (empty_q ? class_q == scoring_unit_pkg::CLASS_NONE :
                                   class_q != scoring_unit_pkg::CLASS_NONE && 32'(slot_q) < ROWS * LANES))
  `SCORING_UNIT_ASSERT_HELD(result_stays, clk_i, rst_ni, done_q && !start_i && !clear_i, SLOT_W + 38,
                            ({empty_o, near_o, mixed_o, sat_o, class_q, slot_q, cycles_q}))

endmodule
