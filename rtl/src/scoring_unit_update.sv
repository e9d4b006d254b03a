// SPDX-License-Identifier: Apache-2.0
// From a write of a slot's field to the table: what one store sets beside its word, and the insertion order. One stage:
// the table holds the new value two clock edges after the write was taken.

module scoring_unit_update #(
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A write that is carried out now: of a slot's field, or of NEXT_ORDER.
    input  logic              field_i,
    input  logic [SLOT_W-1:0] slot_i,
    input  logic [31:0]       offset_i,      // of the field within the slot
    input  logic              next_order_i,
    input  logic [31:0]       data_i,
    input  logic [3:0]        strb_i,
    input  logic [31:0]       clock_high_i,  // follows a write of CLOCK_HI by one cycle
    output logic [31:0]       next_order_o,

    // To the table, one cycle: the slot changes with the edge that ends it. Byte enables of the fields' two words.
    output logic              update_o,
    output logic [SLOT_W-1:0] slot_o,
    output logic [7:0]        cost_o,
    output logic [7:0]        size_o,
    output logic [7:0]        last_o,
    output logic [31:0]       low_o,
    output logic [31:0]       high_o,
    output logic              insert_o,
    output logic              remove_o,
    output logic [ORDER_W:0]  order_o        // of an insertion; the top bit: does not fit
);

  logic field_q;
  logic [SLOT_W-1:0] slot_q;
  logic [31:0] offset_q;
  logic [31:0] data_q;
  logic [3:0] strb_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) field_q <= 1'b0;
    else if (clear_i) field_q <= 1'b0;
    else field_q <= field_i && strb_i != '0;
  end

  // Without an enable, since that of a hundred registers comes late.
  always_ff @(posedge clk_i) begin
    slot_q <= slot_i;
    offset_q <= offset_i;
    data_q <= data_i;
    strb_q <= strb_i;
  end

  // A store of a whole low word sets the high word as well: cost by its sign, size to 0, last access from the clock.
  logic [3:0] high_strb;
  logic [31:0] cost_high;
  assign cost_high = {32{data_q[31]}};
  assign high_strb = {4{&strb_q}};

  always_comb begin
    cost_o   = '0;
    size_o   = '0;
    last_o   = '0;
    high_o   = data_q;
    insert_o = 1'b0;
    remove_o = 1'b0;
    if (field_q) begin
      case (offset_q)
        scoring_unit_regs_pkg::CANDIDATE_COST_LO_OFFSET: begin
          cost_o = {high_strb, strb_q};
          high_o = cost_high;
        end
        scoring_unit_regs_pkg::CANDIDATE_COST_HI_OFFSET: cost_o = {strb_q, 4'h0};
        scoring_unit_regs_pkg::CANDIDATE_SIZE_LO_OFFSET: begin
          size_o = {high_strb, strb_q};
          high_o = '0;
        end
        scoring_unit_regs_pkg::CANDIDATE_SIZE_HI_OFFSET: size_o = {strb_q, 4'h0};
        scoring_unit_regs_pkg::CANDIDATE_LAST_LO_OFFSET: begin
          last_o = {high_strb, strb_q};
          high_o = clock_high_i;
        end
        scoring_unit_regs_pkg::CANDIDATE_LAST_HI_OFFSET: last_o = {strb_q, 4'h0};
        scoring_unit_regs_pkg::CANDIDATE_INSERT_OFFSET: begin
          last_o = {high_strb, strb_q};
          high_o = clock_high_i;
          insert_o = 1'b1;
        end
        scoring_unit_regs_pkg::CANDIDATE_REMOVE_OFFSET: remove_o = 1'b1;
        default: ;
      endcase
    end
  end

  assign update_o = field_q;
  assign slot_o = slot_q;
  assign low_o = data_q;

  // One bit more than the register shows: orders beyond 2^32 must not be taken for small ones.
  logic [32:0] order_d;
  logic [32:0] order_q;

  always_comb begin
    order_d = order_q;
    if (insert_o && order_q != '1) order_d = order_q + 1'b1;
    if (next_order_i && strb_i != '0) begin
      order_d[32] = 1'b0;
      for (int b = 0; b < 4; b++) begin
        if (strb_i[b]) order_d[8*b+:8] = data_i[8*b+:8];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) order_q <= '0;
    else if (clear_i) order_q <= '0;
    else order_q <= order_d;
  end

  assign next_order_o = order_q[31:0];
  assign order_o = {(order_q >> ORDER_W) != '0, order_q[ORDER_W-1:0]};

endmodule
