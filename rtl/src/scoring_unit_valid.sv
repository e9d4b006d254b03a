// SPDX-License-Identifier: Apache-2.0
// Which slots hold a candidate, how many, and the highest row with one. Registers, so that a reset empties the table
// at once. The highest row is found anew at each start, in three cycles, so that it depends on the table alone.

`include "scoring_unit_assert.svh"

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
    output logic [ROWS-1:0]   row_any_o,  // rows with a candidate, one cycle behind
    // Highest row: from the fourth cycle after start_i.
    input  logic              start_i,
    output logic              top_known_o,
    output logic              any_o,
    output logic [ROW_W-1:0]  top_row_o
);

  localparam int GROUP = 32;  // rows a group
  localparam int GROUPS = (ROWS + GROUP - 1) / GROUP;
  localparam int GROUP_W = GROUPS > 1 ? $clog2(GROUPS) : 1;

  localparam int COUNT_W = SLOT_W + 1;
  // Whether the written slot held a candidate is found in two cycles: first by the lower bits of its number, for each
  // value of the upper FAR_W bits, then by those.
  localparam int FAR_W = SLOT_W > 3 ? 3 : 1;
  localparam int NEAR_W = SLOT_W - FAR_W;

  logic [ROWS*LANES-1:0] valid_q;
  logic [GROUPS*GROUP*LANES-1:0] valid;  // padded
  logic [(1<<SLOT_W)-1:0] slots;  // padded
  logic [GROUPS*GROUP-1:0] row_any_d, row_any_q;

  // A table of 16384 slots has as many bits.
  // verilator lint_off WIDTHCONCAT
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (write_i) valid_q[write_slot_i] <= write_valid_i;
  end

  always_comb begin
    valid = '0;
    valid[ROWS*LANES-1:0] = valid_q;
    slots = '0;
    slots[ROWS*LANES-1:0] = valid_q;
    for (int r = 0; r < GROUPS * GROUP; r++) row_any_d[r] = |valid[r*LANES+:LANES];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) row_any_q <= '0;
    else if (clear_i) row_any_q <= '0;
    else row_any_q <= row_any_d;
  end

  // verilator lint_on WIDTHCONCAT

  assign row_any_o = row_any_q[ROWS-1:0];
  assign row_valid_o = valid_q[32'(row_i)*LANES+:LANES];

  // COUNT tells of a write as soon as the slot does.
  logic write_q;
  logic write_valid_q;
  logic [FAR_W-1:0] far_q;
  logic [(1<<FAR_W)-1:0] were_valid_q;
  logic was_valid;
  logic [COUNT_W-1:0] count_d, count_q;

  always_ff @(posedge clk_i) begin
    write_valid_q <= write_valid_i;
    far_q <= write_slot_i[SLOT_W-1-:FAR_W];
    for (int f = 0; f < (1 << FAR_W); f++) begin
      were_valid_q[f] <= slots[(f<<NEAR_W)+(32'(write_slot_i)&((1<<NEAR_W)-1))];
    end
  end

  assign was_valid = were_valid_q[far_q];

  always_comb begin
    count_d = count_q;
    if (write_q && write_valid_q && !was_valid) count_d = count_q + 1'b1;
    if (write_q && !write_valid_q && was_valid) count_d = count_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      count_q <= '0;
    end else if (clear_i) begin
      write_q <= 1'b0;
      count_q <= '0;
    end else begin
      write_q <= write_i;
      count_q <= count_d;
    end
  end

  assign count_o = 32'(count_d);

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
  logic [GROUPS*5-1:0] group_top_q;  // each group's highest row
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
      for (int g = 0; g < GROUPS; g++) group_any_q[g] <= |valid[g*GROUP*LANES+:GROUP*LANES];
    end
    if (phase_q[1]) begin
      group_q <= highest_group(group_any_q);
      any_q <= |group_any_q;
      for (int g = 0; g < GROUPS; g++) group_top_q[5*g+:5] <= highest_row(row_any_q[g*GROUP+:GROUP]);
    end
    if (phase_q[2]) top_row_q <= ROW_W'({group_q, group_top_q[5*32'(group_q)+:5]});
  end

  assign top_known_o = top_known_q;
  assign any_o = any_q;
  assign top_row_o = top_row_q;

  // verilator lint_off WIDTHCONCAT
  `SCORING_UNIT_ASSERT(count_is_of_the_valid_slots, clk_i, rst_ni, 32'(count_d) == $countones(valid_q))
  // verilator lint_on WIDTHCONCAT
  `SCORING_UNIT_ASSERT_NEXT(top_row_is_the_highest, clk_i, rst_ni, phase_q[2] && !clear_i,
                            any_q ? (row_any_q >> top_row_q) == 1 : row_any_q == '0)

endmodule
