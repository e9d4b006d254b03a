// SPDX-License-Identifier: Apache-2.0
// Unsigned product of any two widths, nothing truncated, as two numbers whose sum it is (modulo 2^OUT_W): whoever adds
// them can add more in the same carry chain. Two stages of registers around 18 x 18 bit partial products (one DSP block
// each on ECP5); behind them carry-save adders. Each multiplier has registers of its own on both sides (kept, lest
// synthesis shares them): DSP blocks lie in few rows across the chip, so that the ways to and from them take a cycle.
// A factor of 4 bits or fewer takes no DSP block.

module scoring_unit_multiply #(
    parameter int A_W = 48,  // the narrower factor first: fewer rows
    parameter int B_W = 88,
    parameter int OUT_W = A_W + B_W  // or more
) (
    input  logic             clk_i,
    input  logic [A_W-1:0]   a_i,
    input  logic [B_W-1:0]   b_i,
    output logic [OUT_W-1:0] sum_o,
    output logic [OUT_W-1:0] carry_o
);

  localparam int CHUNK = 18;
  localparam int NARROW = 4;
  localparam int A_CHUNKS = (A_W + CHUNK - 1) / CHUNK;
  localparam int B_CHUNKS = (B_W + CHUNK - 1) / CHUNK;
  // Partial products of one chunk of a with every second one of b lie side by side in a row.
  localparam int TURNS = B_CHUNKS > 1 ? 2 : 1;
  localparam int ROWS = TURNS * A_CHUNKS;
  localparam int PADDED_W = CHUNK * (A_CHUNKS + B_CHUNKS);
  localparam int ROW_W = PADDED_W > OUT_W ? PADDED_W : OUT_W;

  logic [A_CHUNKS*CHUNK-1:0] a;
  logic [B_CHUNKS*CHUNK-1:0] b;
  logic [2*CHUNK-1:0] partial_q[0:A_CHUNKS*B_CHUNKS-1];
  logic [ROWS*OUT_W-1:0] rows;

  always_comb begin
    a = '0;
    b = '0;
    a[A_W-1:0] = a_i;
    b[B_W-1:0] = b_i;
  end

  for (genvar i = 0; i < A_CHUNKS; i++) begin : gen_a
    for (genvar j = 0; j < B_CHUNKS; j++) begin : gen_b
      logic [CHUNK-1:0] a_q;
      logic [CHUNK-1:0] b_q;

      (* keep *) always_ff @(posedge clk_i) begin
        a_q <= a[i*CHUNK+:CHUNK];
        b_q <= b[j*CHUNK+:CHUNK];
      end

      if (A_W - i * CHUNK <= NARROW) begin : gen_adders
        logic [2*CHUNK-1:0] b_wide;
        logic [2*CHUNK-1:0] low, high;
        assign b_wide = {{CHUNK{1'b0}}, b_q};
        assign low = (b_wide & {2 * CHUNK{a_q[0]}}) + ((b_wide & {2 * CHUNK{a_q[1]}}) << 1);
        assign high = (b_wide & {2 * CHUNK{a_q[2]}}) + ((b_wide & {2 * CHUNK{a_q[3]}}) << 1);
        always_ff @(posedge clk_i) partial_q[i*B_CHUNKS+j] <= low + (high << 2);

        logic unused_padding;
        assign unused_padding = ^a_q[CHUNK-1:NARROW];
      end else begin : gen_block
        always_ff @(posedge clk_i) partial_q[i*B_CHUNKS+j] <= {{CHUNK{1'b0}}, a_q} * {{CHUNK{1'b0}}, b_q};
      end
    end
  end

  for (genvar i = 0; i < A_CHUNKS; i++) begin : gen_row
    for (genvar turn = 0; turn < TURNS; turn++) begin : gen_turn
      logic [ROW_W-1:0] row;

      always_comb begin
        row = '0;
        for (int j = 0; j < B_CHUNKS; j++) begin
          if (j % TURNS == turn) row[(i+j)*CHUNK+:2*CHUNK] = partial_q[i*B_CHUNKS+j];
        end
      end

      assign rows[(TURNS*i+turn)*OUT_W+:OUT_W] = row[OUT_W-1:0];

      // The chunks' padding may make a row wider than the product; those bits are zero.
      logic unused_row;
      assign unused_row = ^row;
    end
  end

  scoring_unit_compress #(
      .N(ROWS),
      .W(OUT_W)
  ) u_compress (
      .terms_i(rows),
      .sum_o,
      .carry_o
  );

endmodule
