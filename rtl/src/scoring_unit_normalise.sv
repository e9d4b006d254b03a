// SPDX-License-Identifier: Apache-2.0
// Unsigned value to position of its leading one and the value shifted so that it is the highest bit, by halving, in two
// stages. What leaves for 0 means nothing.

module scoring_unit_normalise #(
    parameter int W = 48,
    localparam int STEPS = W > 1 ? $clog2(W) : 1,
    localparam int EXPONENT_W = STEPS
) (
    input  logic                  clk_i,
    input  logic [W-1:0]          value_i,
    output logic [EXPONENT_W-1:0] exponent_o,
    output logic [W-1:0]          mantissa_o
);

  localparam int FIRST = STEPS / 2;  // steps left for the second stage

  logic [W-1:0] coarse_d, coarse_q;
  logic [EXPONENT_W-1:0] coarse_shift_d, coarse_shift_q;
  logic [W-1:0] fine_d, fine_q;
  logic [EXPONENT_W-1:0] fine_shift_d, exponent_q;

  always_comb begin
    coarse_d = value_i;
    coarse_shift_d = '0;
    for (int k = STEPS - 1; k >= FIRST; k--) begin
      // The upper 2^k bits are empty.
      if ((coarse_d >> (W > (1 << k) ? W - (1 << k) : 0)) == '0) begin
        coarse_shift_d[k] = 1'b1;
        coarse_d = coarse_d << (1 << k);
      end
    end
    fine_d = coarse_q;
    fine_shift_d = coarse_shift_q;
    for (int k = FIRST - 1; k >= 0; k--) begin
      if ((fine_d >> (W - (1 << k))) == '0) begin
        fine_shift_d[k] = 1'b1;
        fine_d = fine_d << (1 << k);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    coarse_q <= coarse_d;
    coarse_shift_q <= coarse_shift_d;
    fine_q <= fine_d;
    exponent_q <= EXPONENT_W'(W - 1) - fine_shift_d;
  end

  assign exponent_o = exponent_q;
  assign mantissa_o = fine_q;

endmodule
