// SPDX-License-Identifier: Apache-2.0
// Unsigned value to position of its leading one and the value shifted so that it is the highest bit, in two or three
// stages: by whole groups of bits, then within the first group that is not empty; a stage before both finds the empty
// groups. What leaves for 0 means nothing.

module scoring_unit_normalise #(
    parameter int W = 48,
    parameter int STAGES = scoring_unit_pkg::NORMALISE_STAGES,  // 2 or 3
    localparam int STEPS = W > 1 ? $clog2(W) : 1,
    localparam int EXPONENT_W = STEPS
) (
    input  logic                  clk_i,
    input  logic [W-1:0]          value_i,
    output logic [EXPONENT_W-1:0] exponent_o,
    output logic [W-1:0]          mantissa_o
);

  localparam int FINE = STEPS / 2;
  localparam int GROUP = 1 << FINE;  // bits
  localparam int GROUPS = (W + GROUP - 1) / GROUP;

  // Groups are counted from the top; the last may lack bits.
  logic [GROUPS*GROUP-1:0] padded;
  logic [GROUPS-1:0] filled_d;
  logic [GROUPS-1:0] filled;
  logic [W-1:0] value;

  assign padded = (GROUPS * GROUP)'(value_i) << (GROUPS * GROUP - W);

  always_comb begin
    for (int g = 0; g < GROUPS; g++) filled_d[g] = padded[(GROUPS-1-g)*GROUP+:GROUP] != '0;
  end

  if (STAGES == 2) begin : gen_at_once
    assign filled = filled_d;
    assign value = value_i;
  end else begin : gen_before
    logic [GROUPS-1:0] filled_q;
    logic [W-1:0] value_q;

    always_ff @(posedge clk_i) begin
      filled_q <= filled_d;
      value_q <= value_i;
    end

    assign filled = filled_q;
    assign value = value_q;
  end

  logic [W-1:0] coarse_d, coarse_q;
  logic [EXPONENT_W-1:0] coarse_shift_d, coarse_shift_q;
  logic [W-1:0] fine_d, fine_q;
  logic [EXPONENT_W-1:0] fine_shift_d, exponent_q;

  always_comb begin
    coarse_shift_d = '0;
    for (int g = GROUPS - 1; g >= 0; g--) begin
      if (filled[g]) coarse_shift_d = EXPONENT_W'(g * GROUP);
    end
    coarse_d = value << coarse_shift_d;
    fine_d = coarse_q;
    fine_shift_d = coarse_shift_q;
    for (int k = FINE - 1; k >= 0; k--) begin
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
