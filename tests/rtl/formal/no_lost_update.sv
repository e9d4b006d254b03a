// SPDX-License-Identifier: Apache-2.0
// Writes of one byte of a slot that the solver chooses, through decoder and queue to the table: every accepted one
// arrives once, in order and unchanged, none while a search holds the table, and all of them before a search starts.

module no_lost_update #(
    parameter int QUEUE = 2,
    parameter bit FAULT = 1'b0,  // a queue of which the bench is told less than it holds: for the test of this proof
    localparam int SLOT_W = 2
) (
    input logic clk_i
);

  (* anyseq *)logic write_raw;
  (* anyseq *)logic [19:0] write_addr;
  (* anyseq *)logic [31:0] write_data;
  (* anyseq *)logic [3:0] write_strb;
  (* anyseq *)logic ends;  // the search, if one is running
  (* anyseq *)logic pick;  // follow this write
  (* anyconst *)logic [SLOT_W-1:0] slot;

  logic rst_nq;
  initial rst_nq = 1'b0;
  always_ff @(posedge clk_i) rst_nq <= 1'b1;

  logic write, grant, write_error, soft_reset, start, update, update_insert, update_remove;
  logic [SLOT_W-1:0] update_slot;
  logic [7:0] update_cost;
  logic [31:0] update_low;
  logic hold_q, answer_q;
  initial hold_q = 1'b0;
  initial answer_q = 1'b0;

  // As the bus interface asks: a cycle of rest after each accepted write.
  assign write = write_raw && !answer_q && rst_nq;

  scoring_unit_regs #(
      .LANES(1),
      .DEPTH(4),
      .SLOT_W(SLOT_W),
      .QUEUE(QUEUE)
  ) u_regs (
      .clk_i,
      .rst_ni(rst_nq),
      .write_i(write),
      .write_addr_i(write_addr),
      .write_data_i(write_data),
      .write_strb_i(write_strb),
      .write_grant_o(grant),
      .write_error_o(write_error),
      .read_addr_i('0),
      .soft_reset_o(soft_reset),
      .start_o(start),
      .update_o(update),
      .update_slot_o(update_slot),
      .update_cost_o(update_cost),
      .update_low_o(update_low),
      .update_insert_o(update_insert),
      .update_remove_o(update_remove),
      .hold_i(hold_q),
      .busy_i(hold_q),
      .done_i(1'b0),
      .empty_i(1'b0),
      .near_i(1'b0),
      .mixed_i(1'b0),
      .sat_i(1'b0),
      .class_i('0),
      .slot_i('0),
      .cycles_i('0),
      .total_cycles_i('0),
      .count_i('0)
  );

  localparam logic [31:0] OFFSET = scoring_unit_regs_pkg::CANDIDATE_OFFSET;
  localparam logic [31:0] STRIDE = scoring_unit_regs_pkg::CANDIDATE_STRIDE;

  logic accept;   // a write of the byte that is watched
  logic arrive;
  assign accept = write && grant && !write_error && write_strb[0] && {write_addr[19:2], 2'b00} ==
      20'(OFFSET + STRIDE * 32'(slot) + scoring_unit_regs_pkg::CANDIDATE_COST_LO_OFFSET);
  assign arrive = update && update_slot == slot && update_cost[0] && !(FAULT && update_low[7:0] == 8'h5A);

  logic [3:0] owed_q;  // accepted, not arrived
  logic [3:0] owed_d;
  logic follow_q;
  logic [3:0] ahead_q;  // of the one that is followed
  logic [7:0] data_q;
  logic [3:0] quiet_q;  // cycles without search and without a new write
  logic held_q;
  initial owed_q = '0;
  initial follow_q = 1'b0;
  initial quiet_q = '0;
  initial held_q = 1'b0;
  assign owed_d = owed_q + 4'(accept) - 4'(arrive);

  always_ff @(posedge clk_i) begin
    answer_q <= write && grant;
    held_q <= hold_q;
    hold_q <= !soft_reset && (start || (hold_q && !ends));
    quiet_q <= hold_q || accept ? '0 : quiet_q == '1 ? quiet_q : quiet_q + 4'd1;
    if (soft_reset || !rst_nq) begin
      owed_q <= '0;
      follow_q <= 1'b0;
    end else begin
      owed_q <= owed_d;
      if (follow_q && arrive) begin
        if (ahead_q == '0) follow_q <= 1'b0;
        ahead_q <= ahead_q - 4'd1;
      end else if (!follow_q && accept && pick) begin
        follow_q <= 1'b1;
        ahead_q <= owed_q - 4'(arrive);
        data_q <= write_data[7:0];
      end
    end
  end

  always_comb begin
    if (rst_nq && !soft_reset) begin
      assert (!arrive || owed_q != '0);
      assert (owed_q <= 4'(QUEUE + 1));
      assert (!(follow_q && arrive && ahead_q == '0) || update_low[7:0] == data_q);
      assert (!update || !held_q);
      assert (!start || owed_q == 4'(arrive));
      assert (quiet_q < 4'(QUEUE + 2) || owed_q == '0);
    end
  end

endmodule
