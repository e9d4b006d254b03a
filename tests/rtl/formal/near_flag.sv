// SPDX-License-Identifier: Apache-2.0
// NEAR and the choice at full width, with any two products: they are what rtl/README.md says. With multiply_free.sv.

module near_flag (
    input logic clk_i
);

  localparam int COST_W = scoring_unit_pkg::COST_W;
  localparam int DEN_W = scoring_unit_pkg::SIZE_W + scoring_unit_pkg::TIME_W;
  localparam int ORDER_W = scoring_unit_pkg::ORDER_W;
  localparam int SLOT_W = 9;
  localparam int PRODUCT_W = COST_W + DEN_W;
  localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W);

  (* anyconst *)logic [ENTRY_W-1:0] a;
  (* anyconst *)logic [ENTRY_W-1:0] b;
  logic [PRODUCT_W-1:0] a_product;
  logic [PRODUCT_W-1:0] b_product;
  assign a_product = {a[DEN_W+:COST_W], b[DEN_W-1:0]};
  assign b_product = {b[DEN_W+:COST_W], a[DEN_W-1:0]};
  logic valid, near;
  logic [ENTRY_W-1:0] winner;

  logic [3:0] age_q;
  initial age_q = '0;
  always_ff @(posedge clk_i) begin
    if (age_q != 4'd15) age_q <= age_q + 4'd1;
  end

  scoring_unit_compare #(
      .SLOT_W(SLOT_W)
  ) u_compare (
      .clk_i,
      .rst_ni(1'b1),
      .clear_i(1'b0),
      .valid_i(1'b1),
      .a_i(a),
      .b_i(b),
      .valid_o(valid),
      .winner_o(winner),
      .near_o(near)
  );

  logic comparable;
  logic a_wins;
  logic [PRODUCT_W-1:0] larger;
  logic [PRODUCT_W-1:0] smaller;
  assign comparable = a[ENTRY_W-1-:2] == scoring_unit_pkg::CLASS_FINITE &&
      b[ENTRY_W-1-:2] == scoring_unit_pkg::CLASS_FINITE && a[ENTRY_W-3] == b[ENTRY_W-3];
  assign larger = a_product < b_product ? b_product : a_product;
  assign smaller = a_product < b_product ? a_product : b_product;
  assign a_wins = a_product == b_product ? a[DEN_W+COST_W+SLOT_W+:ORDER_W] >= b[DEN_W+COST_W+SLOT_W+:ORDER_W] :
      (a_product < b_product) != a[ENTRY_W-3];

  always_comb begin
    if (age_q > 4'(scoring_unit_pkg::NEAR_LATENCY)) begin
      assert (valid);
      assert (near == (comparable && larger != smaller && larger - smaller <= larger >> scoring_unit_pkg::NEAR_SHIFT));
      if (comparable) assert (winner == (a_wins ? a : b));
    end
  end

endmodule
