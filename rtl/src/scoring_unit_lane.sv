// SPDX-License-Identifier: Apache-2.0
// One lane: the fields of every LANES-th slot, and their way into the search. The table keeps all 64 bits of a value,
// so whether it fits the arithmetic is decided where it is used: a value that does not fit raises sat_o instead of
// being wrapped silently, and no longer does once it is overwritten.
// Pipeline: address; memory; registers, since a memory's output is late in its cycle; magnitude, staleness, class; then
// as the arithmetic has it: size x staleness (exact), scoring_unit_key_log, scoring_unit_key_float.

module scoring_unit_lane #(
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int LOG_FRACTION_W = scoring_unit_pkg::LOG_FRACTION_W,
    parameter int LOG_SEGMENT_W = scoring_unit_pkg::LOG_SEGMENT_W,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int FLOAT_MANTISSA_W = scoring_unit_pkg::FLOAT_MANTISSA_W,
    parameter int ROWS = 128,
    parameter int ROW_W = 7,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, SIZE_W + TIME_W, ORDER_W, SLOT_W)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // Byte enables of the row's fields, and their two words.
    input logic [7:0]       write_cost_i,
    input logic [7:0]       write_size_i,
    input logic [7:0]       write_last_i,
    input logic             write_order_i,
    input logic [ROW_W-1:0] write_row_i,
    input logic [63:0]      write_data_i,
    input logic [ORDER_W:0] write_value_i,  // of the order; top bit: it does not fit

    input logic              use_size_i,
    input logic              use_staleness_i,
    input logic [TIME_W-1:0] clock_i,

    input logic              read_i,
    input logic [ROW_W-1:0]  row_i,
    input logic              row_valid_i,  // the lane's slot of that row holds a candidate
    input logic [SLOT_W-1:0] slot_i,

    // One cycle after row_i: a candidate in place of the one read.
    input logic               other_i,
    input logic               other_valid_i,
    input logic [COST_W-1:0]  other_cost_i,
    input logic [SIZE_W-1:0]  other_size_i,
    input logic [TIME_W-1:0]  other_last_i,
    input logic [ORDER_W-1:0] other_order_i,
    input logic [SLOT_W-1:0]  other_slot_i,

    output logic [ENTRY_W-1:0] entry_o,    // lane_latency cycles after row_i; class NONE where nothing was read
    output logic               sat_o,      // these TERMS_LATENCY cycles after row_i
    output logic               zero_o,     // finite h = 0
    output logic               negative_o, // finite h < 0
    output logic               fresh_o,    // staleness 0
    output logic [COST_W+SIZE_W+TIME_W-1:0] terms_o  // {magnitude, size, staleness}
);

  logic [63:0] read_cost;
  logic [63:0] read_size;
  logic [63:0] read_last;
  logic [ORDER_W:0] read_order;

  scoring_unit_ram #(
      .BYTES(8),
      .DEPTH(ROWS),
      .ADDR_W(ROW_W)
  ) u_cost (
      .clk_i,
      .write_i(write_cost_i),
      .write_addr_i(write_row_i),
      .write_data_i,
      .read_i,
      .read_addr_i(row_i),
      .read_data_o(read_cost)
  );

  scoring_unit_ram #(
      .BYTES(8),
      .DEPTH(ROWS),
      .ADDR_W(ROW_W)
  ) u_size (
      .clk_i,
      .write_i(write_size_i),
      .write_addr_i(write_row_i),
      .write_data_i,
      .read_i,
      .read_addr_i(row_i),
      .read_data_o(read_size)
  );

  scoring_unit_ram #(
      .BYTES(8),
      .DEPTH(ROWS),
      .ADDR_W(ROW_W)
  ) u_last (
      .clk_i,
      .write_i(write_last_i),
      .write_addr_i(write_row_i),
      .write_data_i,
      .read_i,
      .read_addr_i(row_i),
      .read_data_o(read_last)
  );

  scoring_unit_ram #(
      .BYTES(1),
      .BYTE_W(ORDER_W + 1),
      .DEPTH(ROWS),
      .ADDR_W(ROW_W)
  ) u_order (
      .clk_i,
      .write_i(write_order_i),
      .write_addr_i(write_row_i),
      .write_data_i(write_value_i),
      .read_i,
      .read_addr_i(row_i),
      .read_data_o(read_order)
  );

  // Beside the memories.
  logic read_valid_q;
  logic [SLOT_W-1:0] read_slot_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_valid_q <= 1'b0;
    else if (clear_i) read_valid_q <= 1'b0;
    else read_valid_q <= read_i && row_valid_i;
  end

  always_ff @(posedge clk_i) read_slot_q <= slot_i;

  logic valid_q;
  logic [SLOT_W-1:0] slot_q;
  logic [63:0] cost_q;
  logic [63:0] size_q;
  logic [63:0] last_q;
  logic [ORDER_W:0] order_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (clear_i) valid_q <= 1'b0;
    else valid_q <= other_i ? other_valid_i : read_valid_q;
  end

  always_ff @(posedge clk_i) begin
    slot_q <= other_i ? other_slot_i : read_slot_q;
    cost_q <= other_i ? 64'($signed(other_cost_i)) : read_cost;
    size_q <= other_i ? 64'(other_size_i) : read_size;
    last_q <= other_i ? 64'(other_last_i) : read_last;
    order_q <= other_i ? {1'b0, other_order_i} : read_order;
  end

  // Magnitude, staleness, class.
  logic cost_fits;
  logic size_fits;
  logic last_fits;
  logic order_fits;
  logic [SIZE_W-1:0] size_value;
  logic [TIME_W-1:0] last_value;
  logic cost_negative;
  logic cost_zero;
  logic later;  // than the last access
  logic [COST_W-1:0] magnitude;
  logic [SIZE_W-1:0] size_term;
  logic [TIME_W-1:0] staleness_term;
  logic infinite;
  logic [1:0] entry_class;

  assign cost_fits = cost_q[63:COST_W-1] == {(65 - COST_W) {cost_q[63]}};
  assign size_fits = (size_q >> SIZE_W) == '0;
  assign last_fits = (last_q >> TIME_W) == '0;
  assign order_fits = !order_q[ORDER_W];
  assign size_value = size_q[SIZE_W-1:0];
  assign last_value = last_q[TIME_W-1:0];
  assign cost_negative = cost_q[COST_W-1];
  assign cost_zero = cost_q[COST_W-1:0] == '0;
  assign magnitude = cost_negative ? -cost_q[COST_W-1:0] : cost_q[COST_W-1:0];
  assign later = clock_i > last_value;

  // The class does not wait for the difference.
  always_comb begin
    size_term = use_size_i ? size_value : SIZE_W'(1);
    if (!use_staleness_i) staleness_term = TIME_W'(1);
    else if (later) staleness_term = clock_i - last_value;
    else staleness_term = '0;
    infinite = (use_size_i && size_value == '0) || (use_staleness_i && !later);
    if (!valid_q) entry_class = scoring_unit_pkg::CLASS_NONE;
    else if (infinite) entry_class = scoring_unit_pkg::CLASS_INFINITE;
    else if (cost_zero) entry_class = scoring_unit_pkg::CLASS_ZERO;
    else entry_class = scoring_unit_pkg::CLASS_FINITE;
  end

  localparam int HEAD_W = 2 + 1 + ORDER_W + SLOT_W + COST_W;

  logic [SIZE_W-1:0] size_2_q;
  logic [TIME_W-1:0] staleness_2_q;
  logic [1:0] class_2_q;
  logic [HEAD_W-3:0] head_2_q;
  logic sat_2_q;
  logic zero_2_q;
  logic negative_2_q;
  logic fresh_2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      class_2_q <= scoring_unit_pkg::CLASS_NONE;
      sat_2_q <= 1'b0;
      zero_2_q <= 1'b0;
      negative_2_q <= 1'b0;
      fresh_2_q <= 1'b0;
    end else if (clear_i) begin
      class_2_q <= scoring_unit_pkg::CLASS_NONE;
      sat_2_q <= 1'b0;
      zero_2_q <= 1'b0;
      negative_2_q <= 1'b0;
      fresh_2_q <= 1'b0;
    end else begin
      class_2_q <= entry_class;
      sat_2_q <= valid_q && (!cost_fits || !order_fits || (use_size_i && !size_fits) ||
                             (use_staleness_i && !last_fits));
      zero_2_q <= entry_class == scoring_unit_pkg::CLASS_ZERO;
      negative_2_q <= entry_class == scoring_unit_pkg::CLASS_FINITE && cost_negative;
      fresh_2_q <= valid_q && use_staleness_i && !later;
    end
  end

  always_ff @(posedge clk_i) begin
    size_2_q <= size_term;
    staleness_2_q <= staleness_term;
    head_2_q <= {cost_negative, order_q[ORDER_W-1:0], slot_q, magnitude};
  end

  if (ARITHMETIC == scoring_unit_pkg::LOG2 || ARITHMETIC == scoring_unit_pkg::MITCHELL) begin : gen_log
    logic negative;
    logic [ORDER_W-1:0] order_value;
    logic [SLOT_W-1:0] slot;
    logic [COST_W-1:0] value;
    assign {negative, order_value, slot, value} = head_2_q;

    scoring_unit_key_log #(
        .TABLE(ARITHMETIC == scoring_unit_pkg::LOG2),
        .FRACTION_W(LOG_FRACTION_W),
        .SEGMENT_W(LOG_SEGMENT_W),
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W)
    ) u_key (
        .clk_i,
        .class_i(class_2_q),
        .negative_i(negative),
        .order_i(order_value),
        .slot_i(slot),
        .magnitude_i(value),
        .size_i(size_2_q),
        .staleness_i(staleness_2_q),
        .entry_o
    );
  end else if (ARITHMETIC == scoring_unit_pkg::FLOAT) begin : gen_float
    logic negative;
    logic [ORDER_W-1:0] order_value;
    logic [SLOT_W-1:0] slot;
    logic [COST_W-1:0] value;
    assign {negative, order_value, slot, value} = head_2_q;

    scoring_unit_key_float #(
        .EXPONENT_W(FLOAT_EXPONENT_W),
        .MANTISSA_W(FLOAT_MANTISSA_W),
        .COST_W(COST_W),
        .SIZE_W(SIZE_W),
        .TIME_W(TIME_W),
        .ORDER_W(ORDER_W),
        .SLOT_W(SLOT_W)
    ) u_key (
        .clk_i,
        .class_i(class_2_q),
        .negative_i(negative),
        .order_i(order_value),
        .slot_i(slot),
        .magnitude_i(value),
        .size_i(size_2_q),
        .staleness_i(staleness_2_q),
        .entry_o
    );
  end else begin : gen_exact
    // size x staleness: the multiplier has registers of its own beside those of stage 2; the rest waits.
    logic [1:0] class_3_q;
    logic [1:0] class_4_q;
    logic [HEAD_W-3:0] head_3_q;
    logic [HEAD_W-3:0] head_4_q;
    logic [SIZE_W+TIME_W-1:0] sum, carry;
    logic [SIZE_W+TIME_W-1:0] denominator_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        class_3_q <= scoring_unit_pkg::CLASS_NONE;
        class_4_q <= scoring_unit_pkg::CLASS_NONE;
      end else if (clear_i) begin
        class_3_q <= scoring_unit_pkg::CLASS_NONE;
        class_4_q <= scoring_unit_pkg::CLASS_NONE;
      end else begin
        class_3_q <= class_2_q;
        class_4_q <= class_3_q;
      end
    end

    always_ff @(posedge clk_i) begin
      head_3_q <= head_2_q;
      head_4_q <= head_3_q;
      denominator_q <= sum + carry;
    end

    scoring_unit_multiply #(
        .A_W(SIZE_W),
        .B_W(TIME_W)
    ) u_denominator (
        .clk_i,
        .a_i(size_term),
        .b_i(staleness_term),
        .sum_o(sum),
        .carry_o(carry)
    );

    assign entry_o = {class_4_q, head_4_q, denominator_q};
  end
  assign sat_o = sat_2_q;
  assign zero_o = zero_2_q;
  assign negative_o = negative_2_q;
  assign fresh_o = fresh_2_q;
  assign terms_o = {head_2_q[COST_W-1:0], size_2_q, staleness_2_q};

endmodule
