// SPDX-License-Identifier: Apache-2.0
// The order of candidates: which of two is evicted first. Exact: quotients are compared by cross products.
//   class     ZERO before FINITE before INFINITE before NONE
//   ZERO      lowest order first
//   FINITE    smallest h first (signed); equal h: highest order first
//   INFINITE  highest order first
// Orders of valid candidates are distinct.
//
// Pipeline: factors beside their multipliers; partial products; carry-save sums of the cross products and of their
// difference; all three added, the sign is known. The choice is made on the way out: winner_o comes from no register of
// its own, since what takes it begins with one (the next comparison with those beside its multipliers). NEAR takes one
// cycle more. The difference is not taken of finished products, so that one carry chain does for both.

`include "scoring_unit_assert.svh"

module scoring_unit_compare #(
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int DEN_W = scoring_unit_pkg::SIZE_W + scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    // Wrong on purpose: ties go to the LOWEST order. For tests of tests only.
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,  // forget what is in the pipeline
    input  logic               valid_i,
    input  logic [ENTRY_W-1:0] a_i,
    input  logic [ENTRY_W-1:0] b_i,
    output logic               valid_o,
    output logic [ENTRY_W-1:0] winner_o,
    // One cycle after winner_o (NEAR_LATENCY):
    output logic               near_o,   // the comparison might turn out differently when rounded
    // For the cached search.
    output logic                     finite_o,     // both finite and of one sign
    output logic                     below_o,      // |h| of a is smaller
    output logic [COST_W+DEN_W-1:0]  difference_o  // of the cross products
);

  localparam int PRODUCT_W = COST_W + DEN_W;
  localparam int DIFFERENCE_W = PRODUCT_W + 1;  // signed
  localparam int NEAR_SHIFT = scoring_unit_pkg::NEAR_SHIFT;

  // The candidates wait beside the sums.
  logic [3:0] valid_q;
  logic [ENTRY_W-1:0] a_1_q, a_2_q, a_3_q, a_4_q;
  logic [ENTRY_W-1:0] b_1_q, b_2_q, b_3_q, b_4_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else valid_q <= {valid_q[2:0], valid_i};
  end

  always_ff @(posedge clk_i) begin
    a_1_q <= a_i;
    b_1_q <= b_i;
    a_2_q <= a_1_q;
    b_2_q <= b_1_q;
    a_3_q <= a_2_q;
    b_3_q <= b_2_q;
    a_4_q <= a_3_q;
    b_4_q <= b_3_q;
  end

  // Stages 1 to 3: |h| of a over h of b, made whole: a is smaller where its product is.
  logic [DIFFERENCE_W-1:0] a_sum, a_carry;
  logic [DIFFERENCE_W-1:0] b_sum, b_carry;
  logic [DIFFERENCE_W-1:0] sum, carry;
  logic [DIFFERENCE_W-1:0] a_sum_q, a_carry_q;
  logic [DIFFERENCE_W-1:0] b_sum_q, b_carry_q;
  logic [DIFFERENCE_W-1:0] sum_q, carry_q;

  scoring_unit_multiply #(
      .A_W(COST_W),
      .B_W(DEN_W),
      .OUT_W(DIFFERENCE_W)
  ) u_multiply_a (
      .clk_i,
      .a_i(a_i[DEN_W+:COST_W]),
      .b_i(b_i[DEN_W-1:0]),
      .sum_o(a_sum),
      .carry_o(a_carry)
  );

  scoring_unit_multiply #(
      .A_W(COST_W),
      .B_W(DEN_W),
      .OUT_W(DIFFERENCE_W)
  ) u_multiply_b (
      .clk_i,
      .a_i(b_i[DEN_W+:COST_W]),
      .b_i(a_i[DEN_W-1:0]),
      .sum_o(b_sum),
      .carry_o(b_carry)
  );

  // Minus x is ~x + 1. There are two of them, and each of two layers of full adders has a carry of weight 1 to spare.
  logic [DIFFERENCE_W-1:0] part_sum, part_carry;
  logic [DIFFERENCE_W-1:0] part_majority, majority;
  assign part_sum = a_sum ^ a_carry ^ ~b_sum;
  assign part_majority = (a_sum & a_carry) | (a_sum & ~b_sum) | (a_carry & ~b_sum);
  assign part_carry = {part_majority[DIFFERENCE_W-2:0], 1'b1};
  assign sum = part_sum ^ part_carry ^ ~b_carry;
  assign majority = (part_sum & part_carry) | (part_sum & ~b_carry) | (part_carry & ~b_carry);
  assign carry = {majority[DIFFERENCE_W-2:0], 1'b1};

  always_ff @(posedge clk_i) begin
    a_sum_q <= a_sum;
    a_carry_q <= a_carry;
    b_sum_q <= b_sum;
    b_carry_q <= b_carry;
    sum_q <= sum;
    carry_q <= carry;
  end

  // Stage 4: sums, and what does not depend on them.
  logic [DIFFERENCE_W-1:0] a_product, b_product;
  logic [DIFFERENCE_W-1:0] apart_q;  // product of a - product of b
  logic [PRODUCT_W-1:0] a_product_q, b_product_q;
  logic equal_4_q;
  logic [1:0] a_class, b_class;
  logic a_negative, b_negative;
  logic [ORDER_W-1:0] a_order, b_order;
  logic a_older;
  logic finite_d, finite_4_q;  // both finite, same sign: the products decide
  logic other_d, other_q;      // else: a wins
  logic tie_q;                 // a wins if the products are equal
  logic negative_q;

  assign a_product = a_sum_q + a_carry_q;
  assign b_product = b_sum_q + b_carry_q;
  assign a_class = a_3_q[ENTRY_W-1-:2];
  assign b_class = b_3_q[ENTRY_W-1-:2];
  assign a_negative = a_3_q[ENTRY_W-3];
  assign b_negative = b_3_q[ENTRY_W-3];
  assign a_order = a_3_q[DEN_W+COST_W+SLOT_W+:ORDER_W];
  assign b_order = b_3_q[DEN_W+COST_W+SLOT_W+:ORDER_W];
  assign a_older = a_order < b_order;
  assign finite_d = a_class == scoring_unit_pkg::CLASS_FINITE && b_class == scoring_unit_pkg::CLASS_FINITE &&
      a_negative == b_negative;

  always_comb begin
    if (a_class != b_class) begin
      other_d = a_class < b_class;
    end else begin
      case (a_class)
        scoring_unit_pkg::CLASS_ZERO: other_d = a_older;
        scoring_unit_pkg::CLASS_FINITE: other_d = a_negative;
        scoring_unit_pkg::CLASS_INFINITE: other_d = a_older == FAULT_INVERT_TIES;
        default: other_d = 1'b1;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    apart_q <= sum_q + carry_q;
    a_product_q <= a_product[PRODUCT_W-1:0];
    b_product_q <= b_product[PRODUCT_W-1:0];
    // Two numbers add up to 0 where each bit that differs has a 1 below it, and no other; no carry has to be awaited.
    equal_4_q <= (sum_q ^ carry_q) == {sum_q[DIFFERENCE_W-2:0] | carry_q[DIFFERENCE_W-2:0], 1'b0};
    finite_4_q <= finite_d;
    other_q <= other_d;
    tie_q <= a_older == FAULT_INVERT_TIES;
    negative_q <= a_negative;
  end

  // The choice.
  logic a_below;  // |h| of a is smaller
  logic a_wins;
  assign a_below = apart_q[DIFFERENCE_W-1];
  assign a_wins  = !finite_4_q ? other_q : equal_4_q ? tie_q : a_below != negative_q;

  // NEAR of either outcome does not wait for the sign.
  logic signed [DIFFERENCE_W-1:0] apart;
  logic signed [DIFFERENCE_W-1:0] a_margin, b_margin;
  assign apart = apart_q;
  assign a_margin = $signed({1'b0, a_product_q >> NEAR_SHIFT});
  assign b_margin = $signed({1'b0, b_product_q >> NEAR_SHIFT});

  assign valid_o = valid_q[3];
  assign winner_o = a_wins ? a_4_q : b_4_q;

  logic valid_5_q;
  logic finite_q;
  logic equal_q;
  logic below_q;
  logic [PRODUCT_W-1:0] difference_q;
  logic a_near_q;  // where the product of a is the larger one
  logic b_near_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_5_q <= 1'b0;
    else if (clear_i) valid_5_q <= 1'b0;
    else valid_5_q <= valid_q[3];
  end

  always_ff @(posedge clk_i) begin
    finite_q <= finite_4_q;
    equal_q <= equal_4_q;
    below_q <= a_below;
    difference_q <= (apart_q[PRODUCT_W-1:0] ^ {PRODUCT_W{a_below}}) + PRODUCT_W'(a_below);
    a_near_q <= apart <= a_margin;
    b_near_q <= apart + b_margin >= 0;
  end

  assign near_o = valid_5_q && finite_q && !equal_q && (below_q ? b_near_q : a_near_q);
  assign finite_o = finite_q;
  assign below_o = below_q;
  assign difference_o = difference_q;

  // Products are no wider than their width.
  logic unused_bits;
  assign unused_bits = ^{
    a_product[PRODUCT_W], b_product[PRODUCT_W], part_majority[DIFFERENCE_W-1], majority[DIFFERENCE_W-1]
  };

  `SCORING_UNIT_ASSERT(difference_is_of_the_products, clk_i, rst_ni,
                       !(valid_q[3] && finite_4_q) ||
                       (apart_q == {1'b0, a_product_q} - {1'b0, b_product_q} && equal_4_q == (apart_q == '0)))

endmodule
