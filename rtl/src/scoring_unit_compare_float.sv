// SPDX-License-Identifier: Apache-2.0
// Which of two entries of scoring_unit_key_float goes first, by the rule of scoring_unit_compare: the quotients of the
// floats are compared exactly, by the products of their mantissas and the sums of their exponents. Three stages.

module scoring_unit_compare_float #(
    parameter int EXPONENT_W = 7,
    parameter int MANTISSA_W = 16,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    localparam int FLOAT_W = EXPONENT_W + MANTISSA_W,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(FLOAT_W, FLOAT_W, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,  // forget what is in the pipeline
    input  logic               valid_i,
    input  logic [ENTRY_W-1:0] a_i,
    input  logic [ENTRY_W-1:0] b_i,
    output logic               valid_o,
    output logic [ENTRY_W-1:0] winner_o
);

  localparam int PRODUCT_W = 2 * (MANTISSA_W + 1);
  localparam int SUM_W = EXPONENT_W + 1;

  // Stage 1: products, sums.
  logic [EXPONENT_W-1:0] a_cost_exponent;
  logic [EXPONENT_W-1:0] b_cost_exponent;
  logic [MANTISSA_W-1:0] a_cost;
  logic [MANTISSA_W-1:0] b_cost;
  logic [EXPONENT_W-1:0] a_denominator_exponent;
  logic [EXPONENT_W-1:0] b_denominator_exponent;
  logic [MANTISSA_W-1:0] a_denominator;
  logic [MANTISSA_W-1:0] b_denominator;
  assign {a_cost_exponent, a_cost, a_denominator_exponent, a_denominator} = a_i[2*FLOAT_W-1:0];
  assign {b_cost_exponent, b_cost, b_denominator_exponent, b_denominator} = b_i[2*FLOAT_W-1:0];

  logic valid_1_q;
  logic [ENTRY_W-1:0] a_1_q;
  logic [ENTRY_W-1:0] b_1_q;
  logic [PRODUCT_W-1:0] a_product_q;
  logic [PRODUCT_W-1:0] b_product_q;
  logic [SUM_W-1:0] a_sum_q;
  logic [SUM_W-1:0] b_sum_q;

  always_ff @(posedge clk_i) begin
    a_1_q <= a_i;
    b_1_q <= b_i;
    a_product_q <= PRODUCT_W'({1'b1, a_cost}) * PRODUCT_W'({1'b1, b_denominator});
    b_product_q <= PRODUCT_W'({1'b1, b_cost}) * PRODUCT_W'({1'b1, a_denominator});
    a_sum_q <= SUM_W'(a_cost_exponent) + SUM_W'(b_denominator_exponent);
    b_sum_q <= SUM_W'(b_cost_exponent) + SUM_W'(a_denominator_exponent);
  end

  // Stage 2: every comparison that might count. A product is below four times any other, so exponents two or more apart
  // decide; else the products do, one of them doubled where the exponents differ.
  logic [ORDER_W-1:0] a_order;
  logic [ORDER_W-1:0] b_order;
  assign a_order = a_1_q[ENTRY_W-4-:ORDER_W];
  assign b_order = b_1_q[ENTRY_W-4-:ORDER_W];

  logic valid_2_q;
  logic [ENTRY_W-1:0] a_2_q;
  logic [ENTRY_W-1:0] b_2_q;
  logic level_q;  // sums of the exponents are equal
  logic a_one_up_q;
  logic b_one_up_q;
  logic a_sum_below_q;
  logic below_q;  // products as they are
  logic equal_q;
  logic a_twice_below_q;  // a's doubled
  logic a_twice_equal_q;
  logic b_twice_below_q;
  logic b_twice_equal_q;
  logic a_older_q;

  always_ff @(posedge clk_i) begin
    a_2_q <= a_1_q;
    b_2_q <= b_1_q;
    level_q <= a_sum_q == b_sum_q;
    a_one_up_q <= a_sum_q == b_sum_q + SUM_W'(1);
    b_one_up_q <= b_sum_q == a_sum_q + SUM_W'(1);
    a_sum_below_q <= a_sum_q < b_sum_q;
    below_q <= a_product_q < b_product_q;
    equal_q <= a_product_q == b_product_q;
    a_twice_below_q <= {a_product_q, 1'b0} < {1'b0, b_product_q};
    a_twice_equal_q <= {a_product_q, 1'b0} == {1'b0, b_product_q};
    b_twice_below_q <= {1'b0, a_product_q} < {b_product_q, 1'b0};
    b_twice_equal_q <= {1'b0, a_product_q} == {b_product_q, 1'b0};
    a_older_q <= a_order < b_order;
  end

  // Stage 3: decision.
  logic [1:0] a_class;
  logic [1:0] b_class;
  logic a_negative;
  logic b_negative;
  logic a_below;  // |h| of a is smaller
  logic a_equal;
  logic a_wins;
  assign {a_class, a_negative} = a_2_q[ENTRY_W-1-:3];
  assign {b_class, b_negative} = b_2_q[ENTRY_W-1-:3];

  always_comb begin
    a_below = a_sum_below_q;
    a_equal = 1'b0;
    if (level_q) begin
      a_below = below_q;
      a_equal = equal_q;
    end else if (a_one_up_q) begin
      a_below = a_twice_below_q;
      a_equal = a_twice_equal_q;
    end else if (b_one_up_q) begin
      a_below = b_twice_below_q;
      a_equal = b_twice_equal_q;
    end
    if (a_class != b_class) begin
      a_wins = a_class < b_class;
    end else begin
      case (a_class)
        scoring_unit_pkg::CLASS_ZERO: a_wins = a_older_q;
        scoring_unit_pkg::CLASS_FINITE: begin
          if (a_negative != b_negative) a_wins = a_negative;
          else if (a_equal) a_wins = !a_older_q;
          else a_wins = a_below != a_negative;
        end
        default: a_wins = !a_older_q;
      endcase
    end
  end

  logic valid_3_q;
  logic [ENTRY_W-1:0] winner_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_1_q <= 1'b0;
      valid_2_q <= 1'b0;
      valid_3_q <= 1'b0;
    end else if (clear_i) begin
      valid_1_q <= 1'b0;
      valid_2_q <= 1'b0;
      valid_3_q <= 1'b0;
    end else begin
      valid_1_q <= valid_i;
      valid_2_q <= valid_1_q;
      valid_3_q <= valid_2_q;
    end
  end

  always_ff @(posedge clk_i) winner_q <= a_wins ? a_2_q : b_2_q;

  assign valid_o = valid_3_q;
  assign winner_o = winner_q;

endmodule
