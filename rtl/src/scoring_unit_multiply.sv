// SPDX-License-Identifier: Apache-2.0
// Unsigned product of any two widths, nothing truncated, in two stages: 18 x 18 bit partial products (one DSP block
// each on ECP5), then their sum. Partial products of one weight are added first; three column sums fit side by side
// without overlap, so that the final sum has three operands whatever the widths.

module scoring_unit_multiply #(
    parameter int A_W = 48,
    parameter int B_W = 88
) (
    input  logic               clk_i,
    input  logic [A_W-1:0]     a_i,
    input  logic [B_W-1:0]     b_i,
    output logic [A_W+B_W-1:0] product_o
);

  localparam int CHUNK = 18;
  localparam int A_CHUNKS = (A_W + CHUNK - 1) / CHUNK;
  localparam int B_CHUNKS = (B_W + CHUNK - 1) / CHUNK;
  localparam int COLUMNS = A_CHUNKS + B_CHUNKS - 1;
  // A column sum is narrower than three chunks (fewer than 2^18 partial products of 36 bits).
  localparam int COLUMN_W = 3 * CHUNK;
  localparam int SUM_W = CHUNK * (COLUMNS + 3);

  logic [A_CHUNKS*CHUNK-1:0] a;
  logic [B_CHUNKS*CHUNK-1:0] b;
  logic [2*CHUNK-1:0] partial_q[0:A_CHUNKS*B_CHUNKS-1];
  logic [COLUMN_W-1:0] column;
  logic [SUM_W-1:0] operand_0;
  logic [SUM_W-1:0] operand_1;
  logic [SUM_W-1:0] operand_2;
  logic [A_W+B_W-1:0] product_q;

  always_comb begin
    a = '0;
    b = '0;
    a[A_W-1:0] = a_i;
    b[B_W-1:0] = b_i;
  end

  for (genvar i = 0; i < A_CHUNKS; i++) begin : gen_a
    for (genvar j = 0; j < B_CHUNKS; j++) begin : gen_b
      always_ff @(posedge clk_i) begin
        partial_q[i*B_CHUNKS+j] <= {{CHUNK{1'b0}}, a[i*CHUNK+:CHUNK]} * {{CHUNK{1'b0}}, b[j*CHUNK+:CHUNK]};
      end
    end
  end

  always_comb begin
    operand_0 = '0;
    operand_1 = '0;
    operand_2 = '0;
    column = '0;
    for (int k = 0; k < COLUMNS; k++) begin
      column = '0;
      for (int i = 0; i < A_CHUNKS; i++) begin
        if (k - i >= 0 && k - i < B_CHUNKS) column = column + COLUMN_W'(partial_q[i*B_CHUNKS+k-i]);
      end
      if (k % 3 == 0) operand_0[k*CHUNK+:COLUMN_W] = column;
      if (k % 3 == 1) operand_1[k*CHUNK+:COLUMN_W] = column;
      if (k % 3 == 2) operand_2[k*CHUNK+:COLUMN_W] = column;
    end
  end

  logic [SUM_W-1:0] sum;
  assign sum = operand_0 + operand_1 + operand_2;

  always_ff @(posedge clk_i) product_q <= sum[A_W+B_W-1:0];

  assign product_o = product_q;

  // The chunks' padding makes the operands wider than the product; those bits are zero.
  logic unused_sum;
  assign unused_sum = ^sum[SUM_W-1:A_W+B_W];

endmodule
