// SPDX-License-Identifier: Apache-2.0
// A normalised value (leading one in its highest bit) and its exponent to a float with MANTISSA_W bits after the leading
// one: nearest, ties to even. A value rounded up to the next power of two carries into the exponent. No registers.
// Bit for bit score_round of rtl/model/score_key.h.

module scoring_unit_round #(
    parameter int W = 48,
    parameter int EXPONENT_W = 7,
    parameter int MANTISSA_W = 16
) (
    input  logic [EXPONENT_W-1:0]            exponent_i,
    input  logic [W-1:0]                     value_i,
    output logic [EXPONENT_W+MANTISSA_W-1:0] float_o
);

  if (W <= MANTISSA_W + 1) begin : gen_exact
    logic [W+MANTISSA_W-1:0] padded;
    assign padded = {value_i, {MANTISSA_W{1'b0}}};
    assign float_o = {exponent_i, padded[W+MANTISSA_W-2-:MANTISSA_W]};

    logic unused_padded;
    assign unused_padded = ^{padded[W+MANTISSA_W-1], padded[W-1:0]};
  end else begin : gen_rounded
    localparam int REST_W = W - 1 - MANTISSA_W;

    logic [MANTISSA_W-1:0] kept;
    logic [REST_W-1:0] rest;
    logic half;
    logic more;
    logic up;
    assign kept = value_i[REST_W+:MANTISSA_W];
    assign rest = value_i[REST_W-1:0];
    assign half = rest[REST_W-1];
    assign more = (rest << 1) != '0;
    assign up = half && (more || kept[0]);
    assign float_o = {exponent_i, kept} + {{(EXPONENT_W + MANTISSA_W - 1) {1'b0}}, up};

    logic unused_leading;
    assign unused_leading = value_i[W-1];
  end

endmodule
