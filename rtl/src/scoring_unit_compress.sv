// SPDX-License-Identifier: Apache-2.0
// Carry-save addition: N numbers to two with the same sum (modulo 2^W), without a carry chain. Layers of full adders,
// three numbers to two each. Recursive, a layer an instance.

module scoring_unit_compress #(
    parameter int N = 6,
    parameter int W = 136
) (
    input  logic [N*W-1:0] terms_i,
    output logic [W-1:0]   sum_o,
    output logic [W-1:0]   carry_o
);

  if (N == 1) begin : gen_one
    assign sum_o   = terms_i;
    assign carry_o = '0;
  end else if (N == 2) begin : gen_two
    assign sum_o   = terms_i[W-1:0];
    assign carry_o = terms_i[2*W-1:W];
  end else begin : gen_layer
    localparam int TRIPLES = N / 3;
    localparam int LEFT = N - TRIPLES;

    logic [LEFT*W-1:0] next;

    for (genvar t = 0; t < TRIPLES; t++) begin : gen_triple
      logic [W-1:0] a, b, c;
      assign a = terms_i[3*t*W+:W];
      assign b = terms_i[(3*t+1)*W+:W];
      assign c = terms_i[(3*t+2)*W+:W];
      assign next[2*t*W+:W] = a ^ b ^ c;
      assign next[(2*t+1)*W+:W] = {(a[W-2:0] & b[W-2:0]) | (a[W-2:0] & c[W-2:0]) | (b[W-2:0] & c[W-2:0]), 1'b0};

      logic unused_top;
      assign unused_top = ^{a[W-1], b[W-1], c[W-1]};
    end
    if (LEFT > 2 * TRIPLES) begin : gen_rest
      assign next[LEFT*W-1:2*TRIPLES*W] = terms_i[N*W-1:3*TRIPLES*W];
    end

    scoring_unit_compress #(
        .N(LEFT),
        .W(W)
    ) u_next (
        .terms_i(next),
        .sum_o,
        .carry_o
    );
  end

endmodule
