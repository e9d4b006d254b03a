// SPDX-License-Identifier: Apache-2.0
// For simulation only: a linear search over a table of its own, started with every cached search. It stops the
// simulation at the first difference. NEAR is not compared: it depends on which candidates meet, see rtl/README.md.

module scoring_unit_cache_check #(
    parameter int LANES = 4,
    parameter int ROWS = 128,
    parameter int ROW_W = 7,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9
) (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        clear_i,
    input logic        start_i,
    input logic        use_size_i,
    input logic        use_staleness_i,
    input logic [63:0] clock_i,

    // As at the table's valid bits and lanes.
    input logic              insert_i,
    input logic              remove_i,
    input logic [SLOT_W-1:0] slot_i,
    input logic [7:0]        write_cost_i,
    input logic [7:0]        write_size_i,
    input logic [7:0]        write_last_i,
    input logic [63:0]       write_data_i,
    input logic [ORDER_W:0]  write_value_i,

    // The cached search.
    input  logic              busy_i,
    input  logic              empty_i,
    input  logic              mixed_i,
    input  logic              sat_i,
    input  logic [1:0]        class_i,
    input  logic [SLOT_W-1:0] winner_i,
    output logic              hold_o     // the linear search is not over
);

  localparam int LANE_W = $clog2(LANES);
  localparam int DEN_W = SIZE_W + TIME_W;
  localparam int TERMS_W = COST_W + SIZE_W + TIME_W;
  localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W);

  logic read;
  logic [ROW_W-1:0] row;
  logic [LANES-1:0] row_valid;
  logic [ROWS-1:0] row_any;
  logic top_known;
  logic any;
  logic [ROW_W-1:0] top_row;
  logic [31:0] count;
  logic [LANES*ENTRY_W-1:0] entries;
  logic [LANES*TERMS_W-1:0] terms;
  logic [LANES-1:0] lane_sat;
  logic [LANES-1:0] lane_zero;
  logic [LANES-1:0] lane_negative;
  logic [LANES-1:0] lane_fresh;

  scoring_unit_valid #(
      .LANES(LANES),
      .ROWS(ROWS),
      .ROW_W(ROW_W),
      .SLOT_W(SLOT_W)
  ) u_valid (
      .clk_i,
      .rst_ni,
      .clear_i,
      .write_i(insert_i || remove_i),
      .write_slot_i(slot_i),
      .write_valid_i(insert_i),
      .count_o(count),
      .row_i(row),
      .row_valid_o(row_valid),
      .row_any_o(row_any),
      .start_i,
      .top_known_o(top_known),
      .any_o(any),
      .top_row_o(top_row)
  );

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic write_here;
    assign write_here = (32'(slot_i) & (LANES - 1)) == l;

    scoring_unit_lane #(
        .ROWS(ROWS),
        .ROW_W(ROW_W),
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W)
    ) u_lane (
        .clk_i,
        .rst_ni,
        .clear_i,
        .write_cost_i(write_here ? write_cost_i : 8'd0),
        .write_size_i(write_here ? write_size_i : 8'd0),
        .write_last_i(write_here ? write_last_i : 8'd0),
        .write_order_i(write_here && insert_i),
        .write_row_i(ROW_W'(slot_i >> LANE_W)),
        .write_data_i,
        .write_value_i,
        .use_size_i,
        .use_staleness_i,
        .clock_i(clock_i[TIME_W-1:0]),
        .read_i(read),
        .row_i(row),
        .row_valid_i(row_valid[l]),
        .slot_i(SLOT_W'(32'(row) * LANES + l)),
        .other_i(1'b0),
        .other_valid_i(1'b0),
        .other_cost_i('0),
        .other_size_i('0),
        .other_last_i('0),
        .other_order_i('0),
        .other_slot_i('0),
        .entry_o(entries[l*ENTRY_W+:ENTRY_W]),
        .sat_o(lane_sat[l]),
        .zero_o(lane_zero[l]),
        .negative_o(lane_negative[l]),
        .fresh_o(lane_fresh[l]),
        .terms_o(terms[l*TERMS_W+:TERMS_W])
    );
  end

  logic hold;
  logic busy;
  logic done;
  logic empty;
  logic near;
  logic mixed;
  logic sat;
  logic [1:0] best_class;
  logic [SLOT_W-1:0] best;
  logic [31:0] cycles;
  logic [63:0] total_cycles;

  scoring_unit_search #(
      .LANES(LANES),
      .ROWS(ROWS),
      .ROW_W(ROW_W),
      .COST_W(COST_W),
      .DEN_W(DEN_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W)
  ) u_search (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i,
      .clear_done_i(1'b0),
      .clock_sat_i(use_staleness_i && (clock_i >> TIME_W) != '0),
      .read_o(read),
      .row_o(row),
      .top_known_i(top_known),
      .any_i(any),
      .top_row_i(top_row),
      .entries_i(entries),
      .sat_i(lane_sat),
      .zero_i(lane_zero),
      .negative_i(lane_negative),
      .hold_o(hold),
      .busy_o(busy),
      .done_o(done),
      .empty_o(empty),
      .near_o(near),
      .mixed_o(mixed),
      .sat_o(sat),
      .class_o(best_class),
      .slot_o(best),
      .cycles_o(cycles),
      .total_cycles_o(total_cycles)
  );

  // Compared once both are over.
  logic open_q;
  logic compare;
  assign compare = open_q && !busy && !busy_i;
  assign hold_o = open_q || hold;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (clear_i) open_q <= 1'b0;
    else if (start_i) open_q <= 1'b1;
    else if (compare) open_q <= 1'b0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (compare) begin
      if (empty != empty_i || mixed != mixed_i || sat != sat_i ||
          (!sat && (best_class != class_i || best != winner_i))) begin
        $display("the cached search differs from the scan: slot %0d, class %0d instead of %0d, %0d;", winner_i, class_i,
                 best, best_class);
        $display("empty, mixed, sat %b%b%b instead of %b%b%b", empty_i, mixed_i, sat_i, empty, mixed, sat);
        $stop;
      end
    end
  end
`endif

  logic unused;
  assign unused = ^{row_any, terms, lane_fresh, count, done, near, cycles, total_cycles, empty_i, mixed_i, sat_i,
      class_i, winner_i, empty, mixed, sat, best_class, best};

endmodule
