// SPDX-License-Identifier: Apache-2.0
// The order of candidates: which of two is evicted first. Exact: quotients are compared by cross products.
//   class     ZERO before FINITE before INFINITE before NONE
//   ZERO      lowest order first
//   FINITE    smallest h first (signed); equal h: highest order first
//   INFINITE  highest order first
// Orders of valid candidates are distinct. Pipeline: partial products; products; decision.

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
    output logic               near_o,   // the comparison at winner_o might turn out differently when rounded
    // With near_o, for the cached search.
    output logic                     finite_o,     // both finite and of one sign
    output logic                     below_o,      // |h| of a is smaller
    output logic [COST_W+DEN_W-1:0]  difference_o  // of the cross products
);

  localparam int PRODUCT_W = COST_W + DEN_W;
  localparam int NEAR_SHIFT = scoring_unit_pkg::NEAR_SHIFT;

  // Stages 1 and 2: the multipliers' registers; the candidates wait beside them.
  logic [1:0] valid_q;
  logic [ENTRY_W-1:0] a_q;
  logic [ENTRY_W-1:0] b_q;
  logic [ENTRY_W-1:0] a;
  logic [ENTRY_W-1:0] b;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 2'b00;
    else if (clear_i) valid_q <= 2'b00;
    else valid_q <= {valid_q[0], valid_i};
  end

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    a <= a_q;
    b <= b_q;
  end

  logic [PRODUCT_W-1:0] a_product;  // |h| of a over h of b, made whole: a is smaller where a_product < b_product
  logic [PRODUCT_W-1:0] b_product;

  scoring_unit_multiply #(
      .A_W(COST_W),
      .B_W(DEN_W)
  ) u_multiply_a (
      .clk_i,
      .a_i(a_i[DEN_W+:COST_W]),
      .b_i(b_i[DEN_W-1:0]),
      .product_o(a_product)
  );

  scoring_unit_multiply #(
      .A_W(COST_W),
      .B_W(DEN_W)
  ) u_multiply_b (
      .clk_i,
      .a_i(b_i[DEN_W+:COST_W]),
      .b_i(a_i[DEN_W-1:0]),
      .product_o(b_product)
  );

  // Stage 3: decision.
  logic [1:0] a_class;
  logic [1:0] b_class;
  logic a_negative;
  logic b_negative;
  logic [ORDER_W-1:0] a_order;
  logic [ORDER_W-1:0] b_order;
  logic [SLOT_W-1:0] a_slot;
  logic [SLOT_W-1:0] b_slot;
  logic [COST_W-1:0] a_magnitude;
  logic [COST_W-1:0] b_magnitude;
  logic [DEN_W-1:0] a_denominator;
  logic [DEN_W-1:0] b_denominator;
  assign {a_class, a_negative, a_order, a_slot, a_magnitude, a_denominator} = a;
  assign {b_class, b_negative, b_order, b_slot, b_magnitude, b_denominator} = b;

  logic a_below;  // |h| of a is smaller
  logic a_equal;
  logic a_older;
  logic a_wins;
  assign a_below = a_product < b_product;
  assign a_equal = a_product == b_product;
  assign a_older = a_order < b_order;

  always_comb begin
    if (a_class != b_class) begin
      a_wins = a_class < b_class;
    end else begin
      case (a_class)
        scoring_unit_pkg::CLASS_ZERO: a_wins = a_older;
        scoring_unit_pkg::CLASS_FINITE: begin
          if (a_negative != b_negative) a_wins = a_negative;
          else if (a_equal) a_wins = a_older == FAULT_INVERT_TIES;
          else a_wins = a_below != a_negative;
        end
        scoring_unit_pkg::CLASS_INFINITE: a_wins = a_older == FAULT_INVERT_TIES;
        default: a_wins = 1'b1;
      endcase
    end
  end

  // NEAR is off the path that feeds the winner back, so it has one more stage.
  logic valid_out_q;
  logic [ENTRY_W-1:0] winner_q;
  logic finite_q;  // both finite, same sign
  logic equal_q;
  logic below_q;
  logic [PRODUCT_W-1:0] difference_q;
  logic [PRODUCT_W-1:0] margin_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_out_q <= 1'b0;
    else if (clear_i) valid_out_q <= 1'b0;
    else valid_out_q <= valid_q[1];
  end

  always_ff @(posedge clk_i) begin
    winner_q <= a_wins ? a : b;
    finite_q <= a_class == scoring_unit_pkg::CLASS_FINITE && b_class == scoring_unit_pkg::CLASS_FINITE &&
        a_negative == b_negative;
    equal_q <= a_equal;
    below_q <= a_below;
    difference_q <= a_below ? b_product - a_product : a_product - b_product;
    margin_q <= (a_below ? b_product : a_product) >> NEAR_SHIFT;
  end

  assign valid_o = valid_out_q;
  assign winner_o = winner_q;
  assign near_o = valid_out_q && finite_q && !equal_q && difference_q <= margin_q;
  assign finite_o = finite_q;
  assign below_o = below_q;
  assign difference_o = difference_q;

  // Fields that only the winner's vector carries on.
  logic unused_fields;
  assign unused_fields = ^{a_slot, b_slot, a_magnitude, b_magnitude, a_denominator, b_denominator};

endmodule
