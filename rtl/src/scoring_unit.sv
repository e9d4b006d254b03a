// SPDX-License-Identifier: Apache-2.0
// Scoring unit: a table of eviction candidates and the search for the one to evict first. See rtl/README.md.

module scoring_unit #(
    parameter int LANES = 4,    // candidates compared a cycle: 1, 2, 4, 8, 16
    parameter int DEPTH = 512,  // slots: a multiple of LANES, at most 16384
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,  // 0 exact, 1 log2 table, 2 Mitchell, 3 float
    parameter int SEARCH = scoring_unit_pkg::SCAN,  // 0 scan, 1 cache: exact arithmetic, 2 lanes or more
    parameter int LOG_FRACTION_W = scoring_unit_pkg::LOG_FRACTION_W,  // log2, Mitchell: 1 to 22
    parameter int LOG_SEGMENT_W = scoring_unit_pkg::LOG_SEGMENT_W,  // log2: 1 to 8, at most LOG_FRACTION_W
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,  // 2^ of it above COST_W and SIZE_W + TIME_W
    parameter int FLOAT_MANTISSA_W = scoring_unit_pkg::FLOAT_MANTISSA_W,  // float: 1 to 22
    parameter int COST_W = scoring_unit_pkg::COST_W,  // 33 to 64
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,  // 1 to 64
    parameter int TIME_W = scoring_unit_pkg::TIME_W,  // 1 to 64
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,  // 1 to 32
    parameter int QUEUE = 16,  // writes that wait while a search runs: a power of two, 2 or more
    parameter bit CHECK_CACHE = 1'b0,  // for simulation: stop where a cached search differs from a scan
    parameter bit FAULT_ENDLESS = 1'b0,  // wrong on purpose, as the next: what is cached never expires
    parameter bit FAULT_INVERT_TIES = 1'b0,  // wrong on purpose, for tests of tests only
    localparam int ADDR_W = 20
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

    output logic irq_o,   // level: DONE and enabled
    output logic busy_o   // a search is in progress or being noted, or writes wait: the unit needs its clock
);

  localparam int ROWS = DEPTH / LANES;
  localparam int ROW_W = ROWS > 1 ? $clog2(ROWS) : 1;
  localparam int SLOT_W = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int LANE_W = $clog2(LANES);
  // An entry's last two fields.
  localparam bit LOGARITHMS = ARITHMETIC == scoring_unit_pkg::LOG2 || ARITHMETIC == scoring_unit_pkg::MITCHELL;
  localparam int FLOAT_W = FLOAT_EXPONENT_W + FLOAT_MANTISSA_W;
  localparam int KEY_W = scoring_unit_pkg::log_key_width(COST_W, SIZE_W, TIME_W, LOG_FRACTION_W);
  localparam int NUM_W = LOGARITHMS ? KEY_W : ARITHMETIC == scoring_unit_pkg::FLOAT ? FLOAT_W : COST_W;
  localparam int DEN_W = LOGARITHMS ? 0 : ARITHMETIC == scoring_unit_pkg::FLOAT ? FLOAT_W : SIZE_W + TIME_W;
  localparam int TERMS_W = COST_W + SIZE_W + TIME_W;
  localparam int ENTRY_W = scoring_unit_pkg::entry_width(NUM_W, DEN_W, ORDER_W, SLOT_W);

  // No tool of the three has elaboration errors in common; a missing module says it in all of them.
  if (LANES < 1 || LANES > 16 || (1 << LANE_W) != LANES) begin : gen_bad_lanes
    scoring_unit_error_LANES_must_be_1_2_4_8_or_16 u_error ();
  end
  if (DEPTH < LANES || DEPTH > 16384 || DEPTH % LANES != 0) begin : gen_bad_depth
    scoring_unit_error_DEPTH_must_be_a_multiple_of_LANES_up_to_16384 u_error ();
  end
  if (ARITHMETIC < 0 || ARITHMETIC > 3) begin : gen_bad_arithmetic
    scoring_unit_error_ARITHMETIC_must_be_0_to_3 u_error ();
  end
  if (LOGARITHMS && (LOG_FRACTION_W < 1 || LOG_FRACTION_W > 22)) begin : gen_bad_fraction
    scoring_unit_error_LOG_FRACTION_W_must_be_1_to_22 u_error ();
  end
  if (ARITHMETIC == scoring_unit_pkg::LOG2 &&
      (LOG_SEGMENT_W < 1 || LOG_SEGMENT_W > 8 || LOG_SEGMENT_W > LOG_FRACTION_W)) begin : gen_bad_segments
    scoring_unit_error_LOG_SEGMENT_W_must_be_1_to_8_and_at_most_LOG_FRACTION_W u_error ();
  end
  if (ARITHMETIC == scoring_unit_pkg::FLOAT && (FLOAT_MANTISSA_W < 1 || FLOAT_MANTISSA_W > 22)) begin : gen_bad_mantissa
    scoring_unit_error_FLOAT_MANTISSA_W_must_be_1_to_22 u_error ();
  end
  if (ARITHMETIC == scoring_unit_pkg::FLOAT &&
      (FLOAT_EXPONENT_W > 8 || (1 << FLOAT_EXPONENT_W) <= COST_W || (1 << FLOAT_EXPONENT_W) <= SIZE_W + TIME_W))
  begin : gen_bad_exponent
    scoring_unit_error_FLOAT_EXPONENT_W_must_hold_COST_W_and_SIZE_W_plus_TIME_W u_error ();
  end

  if (QUEUE < 2 || (1 << $clog2(QUEUE)) != QUEUE) begin : gen_bad_queue
    scoring_unit_error_QUEUE_must_be_a_power_of_two u_error ();
  end
  if (SEARCH < 0 || SEARCH > 1) begin : gen_bad_search
    scoring_unit_error_SEARCH_must_be_0_or_1 u_error ();
  end
  if (SEARCH == scoring_unit_pkg::CACHE && (ARITHMETIC != scoring_unit_pkg::EXACT || LANES < 2)) begin : gen_bad_cache
    scoring_unit_error_SEARCH_1_needs_ARITHMETIC_0_and_LANES_of_2_or_more u_error ();
  end

  logic write;
  logic [ADDR_W-1:0] write_addr;
  logic [31:0] write_data;
  logic [3:0] write_strb;
  logic write_grant;
  logic write_error;
  logic [ADDR_W-1:0] read_addr;
  logic [31:0] read_data;
  logic read_error;

  scoring_unit_axil #(
      .ADDR_W(ADDR_W)
  ) u_axil (
      .clk_i,
      .rst_ni,
      .axil_awvalid_i,
      .axil_awready_o,
      .axil_awaddr_i,
      .axil_wvalid_i,
      .axil_wready_o,
      .axil_wdata_i,
      .axil_wstrb_i,
      .axil_bvalid_o,
      .axil_bready_i,
      .axil_bresp_o,
      .axil_arvalid_i,
      .axil_arready_o,
      .axil_araddr_i,
      .axil_rvalid_o,
      .axil_rready_i,
      .axil_rdata_o,
      .axil_rresp_o,
      .write_o(write),
      .write_addr_o(write_addr),
      .write_data_o(write_data),
      .write_strb_o(write_strb),
      .write_grant_i(write_grant),
      .write_error_i(write_error),
      .read_addr_o(read_addr),
      .read_data_i(read_data),
      .read_error_i(read_error)
  );

  logic soft_reset;
  logic start;
  logic clear_done;
  logic use_size;
  logic use_staleness;
  logic [63:0] clock;
  logic queued;
  logic update;
  logic [SLOT_W-1:0] update_slot;
  logic [7:0] update_cost;
  logic [7:0] update_size;
  logic [7:0] update_last;
  logic [31:0] update_low;
  logic [31:0] update_high;
  logic update_insert;
  logic update_remove;
  logic [ORDER_W:0] update_order;
  logic hold;
  logic busy;
  logic done;
  logic empty;
  logic near;
  logic mixed;
  logic sat;
  logic [1:0] result_class;
  logic [SLOT_W-1:0] slot;
  logic [31:0] cycles;
  logic [63:0] total_cycles;
  logic [31:0] count;

  scoring_unit_regs #(
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
      .SLOT_W(SLOT_W),
      .QUEUE(QUEUE),
      .ADDR_W(ADDR_W)
  ) u_regs (
      .clk_i,
      .rst_ni,
      .write_i(write),
      .write_addr_i(write_addr),
      .write_data_i(write_data),
      .write_strb_i(write_strb),
      .write_grant_o(write_grant),
      .write_error_o(write_error),
      .read_addr_i(read_addr),
      .read_data_o(read_data),
      .read_error_o(read_error),
      .soft_reset_o(soft_reset),
      .start_o(start),
      .clear_done_o(clear_done),
      .use_size_o(use_size),
      .use_staleness_o(use_staleness),
      .clock_o(clock),
      .irq_o,
      .queued_o(queued),
      .update_o(update),
      .update_slot_o(update_slot),
      .update_cost_o(update_cost),
      .update_size_o(update_size),
      .update_last_o(update_last),
      .update_low_o(update_low),
      .update_high_o(update_high),
      .update_insert_o(update_insert),
      .update_remove_o(update_remove),
      .update_order_o(update_order),
      .hold_i(hold),
      .busy_i(busy),
      .done_i(done),
      .empty_i(empty),
      .near_i(near),
      .mixed_i(mixed),
      .sat_i(sat),
      .class_i(result_class),
      .slot_i(slot),
      .cycles_i(cycles),
      .total_cycles_i(total_cycles),
      .count_i(count)
  );

  logic read;
  logic [ROW_W-1:0] row;
  logic [LANES-1:0] row_valid;
  logic [ROWS-1:0] row_any;
  logic top_known;
  logic any;
  logic [ROW_W-1:0] top_row;

  scoring_unit_valid #(
      .LANES(LANES),
      .ROWS(ROWS),
      .ROW_W(ROW_W),
      .SLOT_W(SLOT_W)
  ) u_valid (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset),
      .write_i(update_insert || update_remove),
      .write_slot_i(update_slot),
      .write_valid_i(update_insert),
      .count_o(count),
      .row_i(row),
      .row_valid_o(row_valid),
      .row_any_o(row_any),
      .start_i(start),
      .top_known_o(top_known),
      .any_o(any),
      .top_row_o(top_row)
  );

  // Slot s is row s / LANES of lane s mod LANES, so that the lowest slots fill the fewest rows.
  logic [ROW_W-1:0] update_row;
  assign update_row = ROW_W'(update_slot >> LANE_W);

  logic [LANES*ENTRY_W-1:0] entries;
  logic [LANES-1:0] lane_sat;
  logic [LANES-1:0] lane_zero;
  logic [LANES-1:0] lane_negative;
  logic [LANES-1:0] lane_fresh;
  logic [LANES*TERMS_W-1:0] terms;
  logic other;
  logic [LANES-1:0] other_valid;
  logic [LANES*COST_W-1:0] other_cost;
  logic [LANES*SIZE_W-1:0] other_size;
  logic [LANES*TIME_W-1:0] other_last;
  logic [LANES*ORDER_W-1:0] other_order;
  logic [LANES*SLOT_W-1:0] other_slot;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic write_here;
    assign write_here = update && (32'(update_slot) & (LANES - 1)) == l;

    scoring_unit_lane #(
        .ARITHMETIC(ARITHMETIC),
        .LOG_FRACTION_W(LOG_FRACTION_W),
        .LOG_SEGMENT_W(LOG_SEGMENT_W),
        .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
        .FLOAT_MANTISSA_W(FLOAT_MANTISSA_W),
        .ENTRY_W(ENTRY_W),
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
        .clear_i(soft_reset),
        .write_cost_i(write_here ? update_cost : 8'd0),
        .write_size_i(write_here ? update_size : 8'd0),
        .write_last_i(write_here ? update_last : 8'd0),
        .write_order_i(write_here && update_insert),
        .write_row_i(update_row),
        .write_data_i({update_high, update_low}),
        .write_value_i(update_order),
        .use_size_i(use_size),
        .use_staleness_i(use_staleness),
        .clock_i(clock[TIME_W-1:0]),
        .read_i(read),
        .row_i(row),
        .row_valid_i(row_valid[l]),
        .slot_i(SLOT_W'(32'(row) * LANES + l)),
        .other_i(other),
        .other_valid_i(other_valid[l]),
        .other_cost_i(other_cost[l*COST_W+:COST_W]),
        .other_size_i(other_size[l*SIZE_W+:SIZE_W]),
        .other_last_i(other_last[l*TIME_W+:TIME_W]),
        .other_order_i(other_order[l*ORDER_W+:ORDER_W]),
        .other_slot_i(other_slot[l*SLOT_W+:SLOT_W]),
        .entry_o(entries[l*ENTRY_W+:ENTRY_W]),
        .sat_o(lane_sat[l]),
        .zero_o(lane_zero[l]),
        .negative_o(lane_negative[l]),
        .fresh_o(lane_fresh[l]),
        .terms_o(terms[l*TERMS_W+:TERMS_W])
    );
  end

  if (SEARCH == scoring_unit_pkg::CACHE) begin : gen_cache
    logic search_hold;
    logic check_hold;
    assign hold = search_hold || check_hold;

    scoring_unit_cache #(
        .LANES(LANES),
        .ROWS(ROWS),
        .ROW_W(ROW_W),
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W),
        .FAULT_ENDLESS(FAULT_ENDLESS),
        .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
    ) u_search (
        .clk_i,
        .rst_ni,
        .clear_i(soft_reset),
        .start_i(start),
        .clear_done_i(clear_done),
        .use_size_i(use_size),
        .use_staleness_i(use_staleness),
        .clock_i(clock),
        .update_i(update),
        .update_slot_i(update_slot),
        .read_o(read),
        .row_o(row),
        .row_any_i(row_any),
        .top_known_i(top_known),
        .top_row_i(top_row),
        .other_o(other),
        .other_valid_o(other_valid),
        .other_cost_o(other_cost),
        .other_size_o(other_size),
        .other_last_o(other_last),
        .other_order_o(other_order),
        .other_slot_o(other_slot),
        .entries_i(entries),
        .terms_i(terms),
        .sat_i(lane_sat),
        .zero_i(lane_zero),
        .negative_i(lane_negative),
        .fresh_i(lane_fresh),
        .hold_o(search_hold),
        .busy_o(busy),
        .done_o(done),
        .empty_o(empty),
        .near_o(near),
        .mixed_o(mixed),
        .sat_o(sat),
        .class_o(result_class),
        .slot_o(slot),
        .cycles_o(cycles),
        .total_cycles_o(total_cycles)
    );

    if (CHECK_CACHE) begin : gen_check
      scoring_unit_cache_check #(
          .LANES(LANES),
          .ROWS(ROWS),
          .ROW_W(ROW_W),
          .COST_W(COST_W),
          .SIZE_W(SIZE_W),
          .TIME_W(TIME_W),
          .ORDER_W(ORDER_W),
          .SLOT_W(SLOT_W)
      ) u_check (
          .clk_i,
          .rst_ni,
          .clear_i(soft_reset),
          .start_i(start),
          .use_size_i(use_size),
          .use_staleness_i(use_staleness),
          .clock_i(clock),
          .insert_i(update_insert),
          .remove_i(update_remove),
          .slot_i(update_slot),
          .write_cost_i(update_cost),
          .write_size_i(update_size),
          .write_last_i(update_last),
          .write_data_i({update_high, update_low}),
          .write_value_i(update_order),
          .busy_i(busy),
          .empty_i(empty),
          .mixed_i(mixed),
          .sat_i(sat),
          .class_i(result_class),
          .winner_i(slot),
          .hold_o(check_hold)
      );
    end else begin : gen_no_check
      assign check_hold = 1'b0;
    end

    logic unused_any;
    assign unused_any = any;
  end else begin : gen_scan
    scoring_unit_search #(
        .LANES(LANES),
        .ARITHMETIC(ARITHMETIC),
        .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
        .ROWS(ROWS),
        .ROW_W(ROW_W),
        .COST_W(NUM_W),
        .DEN_W(DEN_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W),
        .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
    ) u_search (
        .clk_i,
        .rst_ni,
        .clear_i(soft_reset),
        .start_i(start),
        .clear_done_i(clear_done),
        .clock_sat_i(use_staleness && (clock >> TIME_W) != '0),
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
        .class_o(result_class),
        .slot_o(slot),
        .cycles_o(cycles),
        .total_cycles_o(total_cycles)
    );

    // For the cached search.
    assign other = 1'b0;
    assign other_valid = '0;
    assign other_cost = '0;
    assign other_size = '0;
    assign other_last = '0;
    assign other_order = '0;
    assign other_slot = '0;

    logic unused_cache;
    assign unused_cache = ^{row_any, terms, lane_fresh};
  end

  assign busy_o = busy || hold || queued;

endmodule
