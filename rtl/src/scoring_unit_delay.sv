// SPDX-License-Identifier: Apache-2.0
// What travels beside a pipeline: WIDTH bits, STAGES cycles (0: none).

module scoring_unit_delay #(
    parameter int WIDTH = 1,
    parameter int STAGES = 1
) (
    input  logic             clk_i,
    input  logic [WIDTH-1:0] data_i,
    output logic [WIDTH-1:0] data_o
);

  if (STAGES == 0) begin : gen_wire
    assign data_o = data_i;

    logic unused_clock;
    assign unused_clock = clk_i;
  end else begin : gen_stages
    logic [STAGES*WIDTH-1:0] data_q;

    if (STAGES == 1) begin : gen_one
      always_ff @(posedge clk_i) data_q <= data_i;
    end else begin : gen_more
      always_ff @(posedge clk_i) data_q <= {data_q[(STAGES-1)*WIDTH-1:0], data_i};
    end
    assign data_o = data_q[STAGES*WIDTH-1-:WIDTH];
  end

endmodule
