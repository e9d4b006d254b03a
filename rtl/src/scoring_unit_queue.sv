// SPDX-License-Identifier: Apache-2.0
// A queue of words, oldest first, in a small memory that is read without a clock (distributed RAM). Whether it is empty
// or full is kept in registers, and the memory takes what is offered wherever there is room, pushed or not, since these
// are on the bus's longest ways.

`include "scoring_unit_assert.svh"

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
  logic [LEVEL_W-2:0] head_q;
  logic [LEVEL_W-2:0] tail_q;
  logic [LEVEL_W-1:0] level_d, level_q;
  logic empty_q;
  logic full_q;

  always_comb begin
    level_d = level_q;
    if (push_i && !pop_i) level_d = level_q + 1'b1;
    if (!push_i && pop_i) level_d = level_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      level_q <= '0;
      empty_q <= 1'b1;
      full_q <= 1'b0;
    end else if (clear_i) begin
      head_q <= '0;
      tail_q <= '0;
      level_q <= '0;
      empty_q <= 1'b1;
      full_q <= 1'b0;
    end else begin
      level_q <= level_d;
      empty_q <= level_d == '0;
      full_q <= level_d == LEVEL_W'(DEPTH);
      if (push_i) tail_q <= tail_q + 1'b1;
      if (pop_i) head_q <= head_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!full_q) memory[tail_q] <= data_i;
  end

  assign data_o = memory[head_q];
  assign level_o = level_q;
  assign empty_o = empty_q;
  assign full_o = full_q;

  `SCORING_UNIT_ASSERT(no_push_while_full, clk_i, rst_ni, !(push_i && full_o))
  `SCORING_UNIT_ASSERT(no_pop_while_empty, clk_i, rst_ni, !(pop_i && empty_o))
  `SCORING_UNIT_ASSERT(flags_tell_the_level, clk_i, rst_ni,
                       empty_q == (level_q == '0) && full_q == (level_q == LEVEL_W'(DEPTH)) && level_q <= LEVEL_W'(DEPTH))
  `SCORING_UNIT_ASSERT(level_is_between_the_ends, clk_i, rst_ni, level_q[LEVEL_W-2:0] == tail_q - head_q)

endmodule
