// SPDX-License-Identifier: Apache-2.0
// Which of two entries of scoring_unit_key_log goes first: the lower {class, sign, key, order}. One stage.

module scoring_unit_compare_key #(
    parameter int KEY_W = 24,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(KEY_W, 0, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,  // forget what is in the pipeline
    input  logic               valid_i,
    input  logic [ENTRY_W-1:0] a_i,
    input  logic [ENTRY_W-1:0] b_i,
    output logic               valid_o,
    output logic [ENTRY_W-1:0] winner_o
);

  localparam int RANK_W = 3 + KEY_W + ORDER_W;

  logic [2:0] a_class;  // and sign
  logic [2:0] b_class;
  logic [ORDER_W-1:0] a_order;
  logic [ORDER_W-1:0] b_order;
  logic [SLOT_W-1:0] a_slot;
  logic [SLOT_W-1:0] b_slot;
  logic [KEY_W-1:0] a_key;
  logic [KEY_W-1:0] b_key;
  assign {a_class, a_order, a_slot, a_key} = a_i;
  assign {b_class, b_order, b_slot, b_key} = b_i;

  logic [RANK_W-1:0] a_rank;
  logic [RANK_W-1:0] b_rank;
  assign a_rank = {a_class, a_key, a_order};
  assign b_rank = {b_class, b_key, b_order};

  logic valid_q;
  logic [ENTRY_W-1:0] winner_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (clear_i) valid_q <= 1'b0;
    else valid_q <= valid_i;
  end

  always_ff @(posedge clk_i) winner_q <= a_rank < b_rank ? a_i : b_i;

  assign valid_o = valid_q;
  assign winner_o = winner_q;

  // Slots only travel with their entry.
  logic unused_slots;
  assign unused_slots = ^{a_slot, b_slot};

endmodule
