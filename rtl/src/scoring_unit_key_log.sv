// SPDX-License-Identifier: Apache-2.0
// End of a lane with logarithms (ARITHMETIC LOG2 and MITCHELL): log2|cost| - log2 size - log2 staleness.
//
// The entry leaves so that comparing it as one number orders it, lowest first:
//   {class, sign, order, slot, key}  sign, key: those of h, so that smaller h are lower; 0 in other classes
//                                    order: inverted but for class ZERO, so that the one that goes first is lower
// Comparison is by {class, sign, key, order}.

module scoring_unit_key_log #(
    parameter bit TABLE = 1'b1,
    parameter int FRACTION_W = 16,
    parameter int SEGMENT_W = 6,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    localparam int KEY_W = scoring_unit_pkg::log_key_width(COST_W, SIZE_W, TIME_W, FRACTION_W),
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(KEY_W, 0, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic [1:0]         class_i,
    input  logic               negative_i,
    input  logic [ORDER_W-1:0] order_i,
    input  logic [SLOT_W-1:0]  slot_i,
    input  logic [COST_W-1:0]  magnitude_i,
    input  logic [SIZE_W-1:0]  size_i,
    input  logic [TIME_W-1:0]  staleness_i,
    output logic [ENTRY_W-1:0] entry_o
);

  // Stages of scoring_unit_log2; then the sum, and what the class and the sign make of it.
  localparam int LOG_STAGES = TABLE ? scoring_unit_pkg::LOG2_STAGES : scoring_unit_pkg::LANE_NORMALISE_STAGES;
  localparam int HEAD_W = 2 + 1 + ORDER_W + SLOT_W;
  // Added so that no key is below 0: no logarithm of size or staleness reaches its width.
  localparam logic [KEY_W-1:0] BIAS = KEY_W'(SIZE_W + TIME_W) << FRACTION_W;

  logic [FRACTION_W+(COST_W>1?$clog2(COST_W) : 1)-1:0] cost_log;
  logic [FRACTION_W+(SIZE_W>1?$clog2(SIZE_W) : 1)-1:0] size_log;
  logic [FRACTION_W+(TIME_W>1?$clog2(TIME_W) : 1)-1:0] staleness_log;

  scoring_unit_log2 #(
      .W(COST_W),
      .TABLE(TABLE),
      .FRACTION_W(FRACTION_W),
      .SEGMENT_W(SEGMENT_W)
  ) u_cost (
      .clk_i,
      .value_i(magnitude_i),
      .log_o(cost_log)
  );

  scoring_unit_log2 #(
      .W(SIZE_W),
      .TABLE(TABLE),
      .FRACTION_W(FRACTION_W),
      .SEGMENT_W(SEGMENT_W)
  ) u_size (
      .clk_i,
      .value_i(size_i),
      .log_o(size_log)
  );

  scoring_unit_log2 #(
      .W(TIME_W),
      .TABLE(TABLE),
      .FRACTION_W(FRACTION_W),
      .SEGMENT_W(SEGMENT_W)
  ) u_staleness (
      .clk_i,
      .value_i(staleness_i),
      .log_o(staleness_log)
  );

  logic [HEAD_W-1:0] head;
  logic [1:0] entry_class;
  logic negative;
  logic [ORDER_W-1:0] order;
  logic [SLOT_W-1:0] slot;

  scoring_unit_delay #(
      .WIDTH(HEAD_W),
      .STAGES(LOG_STAGES + 1)
  ) u_head (
      .clk_i,
      .data_i({class_i, negative_i, order_i, slot_i}),
      .data_o(head)
  );

  assign {entry_class, negative, order, slot} = head;

  logic [KEY_W-1:0] key_q;
  logic finite;
  logic [ENTRY_W-1:0] entry_q;

  assign finite = entry_class == scoring_unit_pkg::CLASS_FINITE;

  always_ff @(posedge clk_i) begin
    key_q <= KEY_W'(cost_log) + (BIAS - KEY_W'(size_log) - KEY_W'(staleness_log));
    entry_q <= {
      entry_class,
      finite && !negative,
      entry_class == scoring_unit_pkg::CLASS_ZERO ? order : ~order,
      slot,
      !finite ? {KEY_W{1'b0}} : negative ? ~key_q : key_q
    };
  end

  assign entry_o = entry_q;

endmodule
