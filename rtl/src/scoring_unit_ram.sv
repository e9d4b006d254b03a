// SPDX-License-Identifier: Apache-2.0
// One write and one read port, byte enables, registered read: the template that block RAM is inferred from. Contents
// are undefined until written. Reading a word while it is written is not used here.

module scoring_unit_ram #(
    parameter int BYTES = 8,
    parameter int DEPTH = 128,
    parameter int ADDR_W = 7
) (
    input  logic               clk_i,
    input  logic [BYTES-1:0]   write_i,
    input  logic [ADDR_W-1:0]  write_addr_i,
    input  logic [8*BYTES-1:0] write_data_i,
    input  logic               read_i,
    input  logic [ADDR_W-1:0]  read_addr_i,
    output logic [8*BYTES-1:0] read_data_o
);

  logic [8*BYTES-1:0] memory[0:DEPTH-1];

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < BYTES; b++) begin
      if (write_i[b]) memory[write_addr_i][8*b+:8] <= write_data_i[8*b+:8];
    end
    if (read_i) read_data_o <= memory[read_addr_i];
  end

endmodule
