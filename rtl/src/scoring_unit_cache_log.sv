// SPDX-License-Identifier: Apache-2.0
// Base 2 logarithm of a value that is not 0, in sixteenths, from below and in two stages: the position of the leading
// one and the four bits after it. log2(1 + x) lies between x and x + 0.0861, and x is cut off by less than 1/16, so
//   code / 16 <= log2(value) < (code + CODE_SLACK) / 16 with CODE_SLACK = 3 (scoring_unit_pkg).
// What leaves for 0 means nothing.

module scoring_unit_cache_log #(
    parameter int W = 48,
    localparam int CODE_W = scoring_unit_pkg::CODE_W
) (
    input  logic              clk_i,
    input  logic [W-1:0]      value_i,
    output logic [CODE_W-1:0] code_o
);

  localparam int WIDE = W < 8 ? 8 : W;
  localparam int EXPONENT_W = $clog2(WIDE);

  logic [EXPONENT_W-1:0] exponent;
  logic [WIDE-1:0] mantissa;

  scoring_unit_normalise #(
      .W(WIDE)
  ) u_normalise (
      .clk_i,
      .value_i(WIDE'(value_i)),
      .exponent_o(exponent),
      .mantissa_o(mantissa)
  );

  assign code_o = {8'(exponent), mantissa[WIDE-2-:4]};

  logic unused_mantissa;
  assign unused_mantissa = ^mantissa;

endmodule
