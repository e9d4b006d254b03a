// SPDX-License-Identifier: Apache-2.0
// One write and one read port, an enable for every byte of BYTE_W bits, registered read: the template that block RAM is inferred from. Contents
// are undefined until written. Reading a word while it is written is not used here.

module scoring_unit_ram #(
    parameter int BYTES = 8,
    parameter int BYTE_W = 8,
    parameter int DEPTH = 128,
    parameter int ADDR_W = 7
) (
    input  logic                    clk_i,
    input  logic [BYTES-1:0]        write_i,
    input  logic [ADDR_W-1:0]       write_addr_i,
    input  logic [BYTE_W*BYTES-1:0] write_data_i,
    input  logic                    read_i,
    input  logic [ADDR_W-1:0]       read_addr_i,
    output logic [BYTE_W*BYTES-1:0] read_data_o
);

  logic [BYTE_W*BYTES-1:0] memory[0:DEPTH-1];

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < BYTES; b++) begin
      if (write_i[b]) memory[write_addr_i][BYTE_W*b+:BYTE_W] <= write_data_i[BYTE_W*b+:BYTE_W];
    end
    if (read_i) read_data_o <= memory[read_addr_i];
  end

endmodule
