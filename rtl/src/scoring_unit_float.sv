// SPDX-License-Identifier: Apache-2.0
// Unsigned value to {exponent, mantissa without its leading one}, nearest, ties to even; four stages. What leaves for
// 0 means nothing.

module scoring_unit_float #(
    parameter int W = 48,
    parameter int EXPONENT_W = 7,
    parameter int MANTISSA_W = 16
) (
    input  logic                             clk_i,
    input  logic [W-1:0]                     value_i,
    output logic [EXPONENT_W+MANTISSA_W-1:0] float_o
);

  localparam int POSITION_W = W > 1 ? $clog2(W) : 1;

  logic [POSITION_W-1:0] position;
  logic [W-1:0] normalised;
  logic [EXPONENT_W+MANTISSA_W-1:0] float_d, float_q;

  scoring_unit_normalise #(
      .W(W),
      .STAGES(scoring_unit_pkg::LANE_NORMALISE_STAGES)
  ) u_normalise (
      .clk_i,
      .value_i,
      .exponent_o(position),
      .mantissa_o(normalised)
  );

  scoring_unit_round #(
      .W(W),
      .EXPONENT_W(EXPONENT_W),
      .MANTISSA_W(MANTISSA_W)
  ) u_round (
      .exponent_i(EXPONENT_W'(position)),
      .value_i(normalised),
      .float_o(float_d)
  );

  always_ff @(posedge clk_i) float_q <= float_d;

  assign float_o = float_q;

endmodule
