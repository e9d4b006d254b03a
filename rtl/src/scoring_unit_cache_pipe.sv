// SPDX-License-Identifier: Apache-2.0
// scoring_unit_delay for what must not survive a reset: all bits start as 0.

module scoring_unit_cache_pipe #(
    parameter int WIDTH = 1,
    parameter int STAGES = 1  // 1 or more
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,
    input  logic [WIDTH-1:0] data_i,
    output logic [WIDTH-1:0] data_o
);

  logic [STAGES*WIDTH-1:0] data_q;
  logic [(STAGES+1)*WIDTH-1:0] data_d;

  assign data_d = {data_q, data_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_q <= '0;
    else if (clear_i) data_q <= '0;
    else data_q <= data_d[STAGES*WIDTH-1:0];
  end

  assign data_o = data_q[STAGES*WIDTH-1-:WIDTH];

  logic unused_oldest;
  assign unused_oldest = ^data_d[STAGES*WIDTH+:WIDTH];

endmodule
