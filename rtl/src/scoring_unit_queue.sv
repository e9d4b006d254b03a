// SPDX-License-Identifier: Apache-2.0
// A queue of words, oldest first, in a small memory that is read without a clock (distributed RAM).

module scoring_unit_queue #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 16,  // a power of two, 2 or more
    localparam int LEVEL_W = $clog2(DEPTH) + 1
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic               push_i,   // not while full_o
    input  logic [WIDTH-1:0]   data_i,
    input  logic               pop_i,    // not while empty_o
    output logic [WIDTH-1:0]   data_o,   // the oldest; undefined while empty_o
    output logic               empty_o,
    output logic               full_o,
    output logic [LEVEL_W-1:0] level_o   // words in the queue
);

  logic [WIDTH-1:0] memory[0:DEPTH-1];
  logic [LEVEL_W-1:0] head_q;  // one bit more than the address, so that full and empty differ
  logic [LEVEL_W-1:0] tail_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else if (clear_i) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q + 1'b1;
      if (pop_i) head_q <= head_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) memory[tail_q[LEVEL_W-2:0]] <= data_i;
  end

  assign data_o = memory[head_q[LEVEL_W-2:0]];
  assign level_o = tail_q - head_q;
  assign empty_o = tail_q == head_q;
  assign full_o = level_o == LEVEL_W'(DEPTH);

endmodule
