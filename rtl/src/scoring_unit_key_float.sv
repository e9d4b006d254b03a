// SPDX-License-Identifier: Apache-2.0
// End of a lane with small floats (ARITHMETIC FLOAT): |cost| and size x staleness as {exponent, mantissa without its
// leading one}, each rounded to nearest, ties to even; the product from rounded factors and rounded again.
// Six stages: normalise (3), round, multiply, round.

module scoring_unit_key_float #(
    parameter int EXPONENT_W = 7,
    parameter int MANTISSA_W = 16,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    localparam int FLOAT_W = EXPONENT_W + MANTISSA_W,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(FLOAT_W, FLOAT_W, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic [1:0]         class_i,
    input  logic               negative_i,
    input  logic [ORDER_W-1:0] order_i,
    input  logic [SLOT_W-1:0]  slot_i,
    input  logic [COST_W-1:0]  magnitude_i,
    input  logic [SIZE_W-1:0]  size_i,
    input  logic [TIME_W-1:0]  staleness_i,
    output logic [ENTRY_W-1:0] entry_o    // {class, negative, order, slot, float of |cost|, float of size x staleness}
);

  localparam int HEAD_W = 2 + 1 + ORDER_W + SLOT_W;
  localparam int PRODUCT_W = 2 * (MANTISSA_W + 1);

  logic [FLOAT_W-1:0] cost_float;
  logic [FLOAT_W-1:0] size_float;
  logic [FLOAT_W-1:0] staleness_float;

  scoring_unit_float #(
      .W(COST_W),
      .EXPONENT_W(EXPONENT_W),
      .MANTISSA_W(MANTISSA_W)
  ) u_cost (
      .clk_i,
      .value_i(magnitude_i),
      .float_o(cost_float)
  );

  scoring_unit_float #(
      .W(SIZE_W),
      .EXPONENT_W(EXPONENT_W),
      .MANTISSA_W(MANTISSA_W)
  ) u_size (
      .clk_i,
      .value_i(size_i),
      .float_o(size_float)
  );

  scoring_unit_float #(
      .W(TIME_W),
      .EXPONENT_W(EXPONENT_W),
      .MANTISSA_W(MANTISSA_W)
  ) u_staleness (
      .clk_i,
      .value_i(staleness_i),
      .float_o(staleness_float)
  );

  // size x staleness.
  logic [PRODUCT_W-1:0] product_q;
  logic [EXPONENT_W-1:0] low_exponent_q;  // of the product, its leading one being the lower of the two it can be
  logic [EXPONENT_W-1:0] high_exponent_q;

  always_ff @(posedge clk_i) begin
    product_q <= PRODUCT_W'({1'b1, size_float[MANTISSA_W-1:0]}) * PRODUCT_W'({1'b1, staleness_float[MANTISSA_W-1:0]});
    low_exponent_q <= size_float[FLOAT_W-1:MANTISSA_W] + staleness_float[FLOAT_W-1:MANTISSA_W];
    high_exponent_q <= size_float[FLOAT_W-1:MANTISSA_W] + staleness_float[FLOAT_W-1:MANTISSA_W] + 1'b1;
  end

  logic [PRODUCT_W-1:0] normalised;
  logic [FLOAT_W-1:0] denominator_d, denominator_q;

  assign normalised = product_q[PRODUCT_W-1] ? product_q : product_q << 1;

  scoring_unit_round #(
      .W(PRODUCT_W),
      .EXPONENT_W(EXPONENT_W),
      .MANTISSA_W(MANTISSA_W)
  ) u_round (
      .exponent_i(product_q[PRODUCT_W-1] ? high_exponent_q : low_exponent_q),
      .value_i(normalised),
      .float_o(denominator_d)
  );

  always_ff @(posedge clk_i) denominator_q <= denominator_d;

  // Beside it.
  logic [HEAD_W-1:0] head;
  logic [FLOAT_W-1:0] cost;

  scoring_unit_delay #(
      .WIDTH(HEAD_W),
      .STAGES(scoring_unit_pkg::FLOAT_STAGES + 2)
  ) u_head (
      .clk_i,
      .data_i({class_i, negative_i, order_i, slot_i}),
      .data_o(head)
  );

  scoring_unit_delay #(
      .WIDTH(FLOAT_W),
      .STAGES(2)
  ) u_cost_wait (
      .clk_i,
      .data_i(cost_float),
      .data_o(cost)
  );

  assign entry_o = {head, cost, denominator_q};

endmodule
