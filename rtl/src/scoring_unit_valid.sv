// SPDX-License-Identifier: Apache-2.0
// Which slots hold a candidate, how many, and the highest row with one. Registers, so that a reset empties the table
// at once. The highest row is found anew at each start, in three cycles, so that it depends on the table alone.

module scoring_unit_valid #(
    parameter int LANES = 4,
    parameter int ROWS = 128,
    parameter int ROW_W = 7,
    parameter int SLOT_W = 9
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              clear_i,
    // Set or remove one slot.
    input  logic              write_i,
    input  logic [SLOT_W-1:0] write_slot_i,
    input  logic              write_valid_i,
    output logic [31:0]       count_o,
    // Valid bits of a row.
    input  logic [ROW_W-1:0]  row_i,
    output logic [LANES-1:0]  row_valid_o,
    output logic [ROWS-1:0]   row_any_o,  // rows with a candidate
    // Highest row: from the fourth cycle after start_i.
    input  logic              start_i,
    output logic              top_known_o,
    output logic              any_o,
    output logic [ROW_W-1:0]  top_row_o
);

  localparam int GROUP = 32;  // rows a group
  localparam int GROUPS = (ROWS + GROUP - 1) / GROUP;
  localparam int GROUP_W = GROUPS > 1 ? $clog2(GROUPS) : 1;
  localparam int LANE_W = $clog2(LANES);

  logic [ROWS*LANES-1:0] valid_q;
  logic [GROUPS*GROUP-1:0] row_any_q;
  logic [31:0] count_q;

  logic [ROW_W-1:0] write_row;
  logic was_valid;
  logic [LANES-1:0] written_row;  // the slot's row after the write

  assign write_row = ROW_W'(write_slot_i >> LANE_W);
  assign was_valid = valid_q[write_slot_i];

  always_comb begin
    written_row = valid_q[32'(write_row)*LANES+:LANES];
    for (int l = 0; l < LANES; l++) begin
      if ((32'(write_slot_i) & (LANES - 1)) == l) written_row[l] = write_valid_i;
    end
  end

  // A table of 16384 slots has as many bits.
  // verilator lint_off WIDTHCONCAT
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      row_any_q <= '0;
      count_q <= '0;
    end else if (clear_i) begin
      valid_q <= '0;
      row_any_q <= '0;
      count_q <= '0;
    end else if (write_i) begin
      valid_q[write_slot_i] <= write_valid_i;
      row_any_q[32'(write_row)] <= |written_row;
      if (write_valid_i && !was_valid) count_q <= count_q + 32'd1;
      if (!write_valid_i && was_valid) count_q <= count_q - 32'd1;
    end
  end

  // verilator lint_on WIDTHCONCAT

  assign count_o = count_q;
  assign row_any_o = row_any_q[ROWS-1:0];
  assign row_valid_o = valid_q[32'(row_i)*LANES+:LANES];

  // Highest set bit by halving; logarithmic depth.
  function automatic logic [GROUP_W-1:0] highest_group(input logic [GROUPS-1:0] bits);
    logic [GROUPS-1:0] rest;
    begin
      rest = bits;
      highest_group = '0;
      for (int k = GROUP_W - 1; k >= 0; k--) begin
        if ((rest >> (1 << k)) != '0) begin
          highest_group[k] = 1'b1;
          rest = rest >> (1 << k);
        end
      end
    end
  endfunction

  function automatic logic [4:0] highest_row(input logic [GROUP-1:0] bits);
    logic [GROUP-1:0] rest;
    begin
      rest = bits;
      highest_row = '0;
      for (int k = 4; k >= 0; k--) begin
        if ((rest >> (1 << k)) != '0) begin
          highest_row[k] = 1'b1;
          rest = rest >> (1 << k);
        end
      end
    end
  endfunction

  logic [2:0] phase_q;
  logic top_known_q;
  logic [GROUPS-1:0] group_any_q;
  logic [GROUP_W-1:0] group_q;
  logic any_q;
  logic [ROW_W-1:0] top_row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      top_known_q <= 1'b0;
    end else if (clear_i) begin
      phase_q <= '0;
      top_known_q <= 1'b0;
    end else begin
      phase_q <= {phase_q[1:0], start_i};
      if (start_i) top_known_q <= 1'b0;
      else if (phase_q[2]) top_known_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (phase_q[0]) begin
      for (int g = 0; g < GROUPS; g++) group_any_q[g] <= |row_any_q[g*GROUP+:GROUP];
    end
    if (phase_q[1]) begin
      group_q <= highest_group(group_any_q);
      any_q <= |group_any_q;
    end
    if (phase_q[2]) top_row_q <= ROW_W'({group_q, highest_row(row_any_q[32'(group_q)*GROUP+:GROUP])});
  end

  assign top_known_o = top_known_q;
  assign any_o = any_q;
  assign top_row_o = top_row_q;

endmodule
