// SPDX-License-Identifier: Apache-2.0
// Laws of the order, for any three candidates (constants that the solver chooses): scoring_unit_compare picks one of
// the two, whatever their places; grouping makes no difference; a candidate against itself stays; and what is picked is
// what the decision rule says, written once more with signed cross products. Since the pick is one of the two and does
// not depend on places or grouping, the order is total, antisymmetric and transitive.
//
// The comparator is a pipeline without feedback: after its latency the outputs depend on the constants alone, so that
// the frames from any state until then are base case and step of the induction in one.

module compare_laws #(
    parameter int COST_W = 4,
    parameter int DEN_W = 4,
    parameter int ORDER_W = 3,
    parameter int SLOT_W = 1,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input logic clk_i
);

  localparam int SETTLED = 2 * scoring_unit_pkg::COMPARE_LATENCY + 1;

  (* anyconst *)logic [ENTRY_W-1:0] a;
  (* anyconst *)logic [ENTRY_W-1:0] b;
  (* anyconst *)logic [ENTRY_W-1:0] c;

  logic [3:0] age_q;  // saturates once everything has passed
  initial age_q = '0;
  always_ff @(posedge clk_i) begin
    if (age_q != 4'd15) age_q <= age_q + 4'd1;
  end

  logic [ENTRY_W-1:0] ab, ba, bc, aa, ab_c, a_bc;

  scoring_unit_compare #(.COST_W(COST_W), .DEN_W(DEN_W), .ORDER_W(ORDER_W), .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)) u_ab (
      .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .valid_i(1'b1), .a_i(a), .b_i(b), .winner_o(ab));
  scoring_unit_compare #(.COST_W(COST_W), .DEN_W(DEN_W), .ORDER_W(ORDER_W), .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)) u_ba (
      .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .valid_i(1'b1), .a_i(b), .b_i(a), .winner_o(ba));
  scoring_unit_compare #(.COST_W(COST_W), .DEN_W(DEN_W), .ORDER_W(ORDER_W), .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)) u_bc (
      .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .valid_i(1'b1), .a_i(b), .b_i(c), .winner_o(bc));
  scoring_unit_compare #(.COST_W(COST_W), .DEN_W(DEN_W), .ORDER_W(ORDER_W), .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)) u_aa (
      .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .valid_i(1'b1), .a_i(a), .b_i(a), .winner_o(aa));
  scoring_unit_compare #(.COST_W(COST_W), .DEN_W(DEN_W), .ORDER_W(ORDER_W), .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)) u_ab_c (
      .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .valid_i(1'b1), .a_i(ab), .b_i(c), .winner_o(ab_c));
  scoring_unit_compare #(.COST_W(COST_W), .DEN_W(DEN_W), .ORDER_W(ORDER_W), .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)) u_a_bc (
      .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .valid_i(1'b1), .a_i(a), .b_i(bc), .winner_o(a_bc));

  // What the lanes guarantee: a FINITE candidate has a magnitude and a denominator.
  function automatic logic sound(input logic [ENTRY_W-1:0] x);
    sound = x[ENTRY_W-1-:2] != scoring_unit_pkg::CLASS_FINITE || (x[DEN_W+:COST_W] != '0 && x[DEN_W-1:0] != '0);
  endfunction

  // Different candidates have different orders; of class NONE there is one candidate only.
  function automatic logic apart(input logic [ENTRY_W-1:0] x, input logic [ENTRY_W-1:0] y);
    apart = x == y || (x[DEN_W+COST_W+SLOT_W+:ORDER_W] != y[DEN_W+COST_W+SLOT_W+:ORDER_W] &&
        (x[ENTRY_W-1-:2] != scoring_unit_pkg::CLASS_NONE || y[ENTRY_W-1-:2] != scoring_unit_pkg::CLASS_NONE));
  endfunction

  // The decision rule: x before y.
  function automatic logic before(input logic [ENTRY_W-1:0] x, input logic [ENTRY_W-1:0] y);
    logic signed [COST_W+DEN_W+1:0] left;
    logic signed [COST_W+DEN_W+1:0] right;
    logic signed [COST_W+DEN_W+1:0] x_cost;
    logic signed [COST_W+DEN_W+1:0] y_cost;
    logic signed [COST_W+DEN_W+1:0] x_den;
    logic signed [COST_W+DEN_W+1:0] y_den;
    logic older;
    begin
      x_cost = $signed({{(DEN_W + 2) {1'b0}}, x[DEN_W+:COST_W]});
      y_cost = $signed({{(DEN_W + 2) {1'b0}}, y[DEN_W+:COST_W]});
      if (x[ENTRY_W-3]) x_cost = -x_cost;
      if (y[ENTRY_W-3]) y_cost = -y_cost;
      x_den = $signed({{(COST_W + 2) {1'b0}}, x[DEN_W-1:0]});
      y_den = $signed({{(COST_W + 2) {1'b0}}, y[DEN_W-1:0]});
      left = x_cost * y_den;
      right = y_cost * x_den;
      older = x[DEN_W+COST_W+SLOT_W+:ORDER_W] < y[DEN_W+COST_W+SLOT_W+:ORDER_W];
      before = x[ENTRY_W-1-:2] < y[ENTRY_W-1-:2];
      if (x[ENTRY_W-1-:2] == y[ENTRY_W-1-:2]) begin
        case (x[ENTRY_W-1-:2])
          scoring_unit_pkg::CLASS_ZERO: before = older;
          scoring_unit_pkg::CLASS_FINITE: before = left < right || (left == right && !older);
          scoring_unit_pkg::CLASS_INFINITE: before = !older;
          default: before = 1'b1;
        endcase
      end
    end
  endfunction

  always_comb begin
    assume (sound(a) && sound(b) && sound(c));
    assume (apart(a, b) && apart(b, c) && apart(a, c));
    if (age_q >= 4'(SETTLED)) begin
      assert (ab == a || ab == b);
      assert (aa == a);
      assert (ab == ba);
      assert (ab_c == a_bc);
      assert (a == b || ab == (before(a, b) ? a : b));
    end
  end

endmodule
