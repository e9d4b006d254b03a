// SPDX-License-Identifier: Apache-2.0
// The register map of rtl/regs/scoring_unit.rdl: decoding, configuration registers, the queue of writes.
//
// What a search depends on (slots, MODE, CLOCK, NEXT_ORDER) is written through a queue, in order. While the search
// holds it (hold_i), writes wait in it; else they pass it by and take effect as if it were not there. START is granted
// once the queue is empty, so that a search sees everything written before it and nothing after.

`include "scoring_unit_assert.svh"

module scoring_unit_regs #(
    parameter int LANES = 4,
    parameter int DEPTH = 512,
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int SEARCH = scoring_unit_pkg::SCAN,
    parameter int LOG_FRACTION_W = scoring_unit_pkg::LOG_FRACTION_W,
    parameter int LOG_SEGMENT_W = scoring_unit_pkg::LOG_SEGMENT_W,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int FLOAT_MANTISSA_W = scoring_unit_pkg::FLOAT_MANTISSA_W,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter int QUEUE = 16,
    parameter int ADDR_W = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic              write_i,
    input  logic [ADDR_W-1:0] write_addr_i,
    input  logic [31:0]       write_data_i,
    input  logic [3:0]        write_strb_i,
    output logic              write_grant_o,
    output logic              write_error_o,
    input  logic [ADDR_W-1:0] read_addr_i,
    output logic [31:0]       read_data_o,
    output logic              read_error_o,

    output logic        soft_reset_o,
    output logic        start_o,
    output logic        clear_done_o,
    output logic        use_size_o,
    output logic        use_staleness_o,
    output logic [63:0] clock_o,
    output logic        irq_o,

    output logic        queued_o,  // writes wait in the queue

    // A slot's update, as in scoring_unit_update.
    output logic              update_o,
    output logic [SLOT_W-1:0] update_slot_o,
    output logic [7:0]        update_cost_o,
    output logic [7:0]        update_size_o,
    output logic [7:0]        update_last_o,
    output logic [31:0]       update_low_o,
    output logic [31:0]       update_high_o,
    output logic              update_insert_o,
    output logic              update_remove_o,
    output logic [ORDER_W:0]  update_order_o,

    input logic              hold_i,
    input logic              busy_i,
    input logic              done_i,
    input logic              empty_i,
    input logic              near_i,
    input logic              mixed_i,
    input logic              sat_i,
    input logic [1:0]        class_i,
    input logic [SLOT_W-1:0] slot_i,
    input logic [31:0]       cycles_i,
    input logic [63:0]       total_cycles_i,
    input logic [31:0]       count_i
);

  localparam int STRIDE_W = $clog2(scoring_unit_regs_pkg::CANDIDATE_STRIDE);
  localparam int MAP_SLOT_W = $clog2(scoring_unit_regs_pkg::CANDIDATE_COUNT);

  logic [31:0] write_word;  // byte offsets of the words
  logic [31:0] read_word;
  assign write_word = {{(32 - ADDR_W) {1'b0}}, write_addr_i[ADDR_W-1:2], 2'b00};
  assign read_word  = {{(32 - ADDR_W) {1'b0}}, read_addr_i[ADDR_W-1:2], 2'b00};

  logic unused_addr;
  assign unused_addr = ^{write_addr_i[1:0], read_addr_i[1:0]};

  // Writes.
  logic to_candidate;
  logic [MAP_SLOT_W-1:0] to_slot;
  logic to_register;  // of those that go through the queue
  logic queues;  // goes through the queue
  logic starts;
  logic fire;
  // The slots are the upper half of the window.
  assign to_candidate = (write_word & scoring_unit_regs_pkg::CANDIDATE_OFFSET) != '0;
  assign to_slot = write_word[STRIDE_W+:MAP_SLOT_W];

  function automatic logic bit_set(input logic [31:0] data, input logic [3:0] strb, input integer index);
    bit_set = strb[index/8] && data[index];
  endfunction

  logic soft_reset_bit;
  logic start_bit;
  logic clear_done_bit;
  assign soft_reset_bit = bit_set(write_data_i, write_strb_i, scoring_unit_regs_pkg::CONTROL_SOFT_RESET_SHIFT);
  assign start_bit = bit_set(write_data_i, write_strb_i, scoring_unit_regs_pkg::CONTROL_START_SHIFT);
  assign clear_done_bit = bit_set(write_data_i, write_strb_i, scoring_unit_regs_pkg::CONTROL_CLEAR_DONE_SHIFT);

  always_comb begin
    write_error_o = 1'b0;
    to_register = 1'b0;
    starts = 1'b0;
    if (to_candidate) begin
      // A power of two is compared without a carry chain.
      write_error_o = (DEPTH & (DEPTH - 1)) == 0 ? (32'(to_slot) >> $clog2(DEPTH)) != '0 : 32'(to_slot) >= DEPTH;
    end else begin
      case (write_word)
        scoring_unit_regs_pkg::MODE_OFFSET, scoring_unit_regs_pkg::CLOCK_LO_OFFSET,
        scoring_unit_regs_pkg::CLOCK_HI_OFFSET, scoring_unit_regs_pkg::NEXT_ORDER_OFFSET:
        to_register = 1'b1;
        scoring_unit_regs_pkg::CONTROL_OFFSET: starts = start_bit && !soft_reset_bit;
        scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET: ;
        default: write_error_o = 1'b1;
      endcase
    end
    queues = to_register || (to_candidate && !write_error_o);
  end

  logic queue_empty;
  logic queue_full;
  assign write_grant_o = !(queues && queue_full) && !(starts && (hold_i || !queue_empty));
  assign fire = write_i && write_grant_o && !write_error_o;

  // The queue. A word: slot's field or register, word address within the slots or registers, data, strobes. The
  // registers that it serves lie within the reach of two slots.
  localparam int WORD_W = SLOT_W + STRIDE_W - 2;
  localparam int QUEUE_W = 1 + WORD_W + 32 + 4;
  localparam int LEVEL_W = $clog2(QUEUE) + 1;

  logic [QUEUE_W-1:0] queue_in;
  logic [QUEUE_W-1:0] queue_out;
  logic [LEVEL_W-1:0] queue_level;
  logic queue_push;
  logic queue_pop;

  assign queue_in = {to_candidate, write_word[2+:WORD_W], write_data_i, write_strb_i};
  assign queue_push = write_i && queues && !queue_full && (hold_i || !queue_empty);
  assign queue_pop = !hold_i && !queue_empty;

  scoring_unit_queue #(
      .WIDTH(QUEUE_W),
      .DEPTH(QUEUE)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_o),
      .push_i(queue_push),
      .data_i(queue_in),
      .pop_i(queue_pop),
      .data_o(queue_out),
      .empty_o(queue_empty),
      .full_o(queue_full),
      .level_o(queue_level)
  );

  assign queued_o = !queue_empty;

  // The write that is carried out: the oldest of the queue, or the bus's. An empty queue grants it, so that the grant is
  // not on the way.
  logic out_candidate;
  logic take_candidate;
  logic take_register;
  logic [WORD_W-1:0] take_address;
  logic [31:0] take_data;
  logic [3:0] take_strb;
  logic [31:0] take_word;

  assign out_candidate = queue_out[QUEUE_W-1];
  assign take_candidate = !hold_i && (queue_empty ? write_i && to_candidate && !write_error_o : out_candidate);
  assign take_register = !hold_i && (queue_empty ? write_i && to_register : !out_candidate);
  assign {take_address, take_data, take_strb} = queue_empty ? queue_in[QUEUE_W-2:0] : queue_out[QUEUE_W-2:0];
  assign take_word = {{(30 - WORD_W) {1'b0}}, take_address, 2'b00};

  // None of the other registers' decoding is on the way to a start. A soft reset acts one cycle later, from a register,
  // since everything hears it: in the cycle of the write's response, before the bus can bring another write.
  logic to_control;
  logic starts_now;
  logic soft_reset_q;
  assign to_control = write_i && write_word == scoring_unit_regs_pkg::CONTROL_OFFSET;
  assign starts_now = start_bit && !soft_reset_bit;
  assign start_o = to_control && starts_now && !hold_i && queue_empty;
  assign clear_done_o = to_control && clear_done_bit && !(starts_now && (hold_i || !queue_empty));
  assign soft_reset_o = soft_reset_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) soft_reset_q <= 1'b0;
    else soft_reset_q <= to_control && soft_reset_bit;
  end

  function automatic logic [31:0] strobed(input logic [31:0] old, input logic [31:0] data, input logic [3:0] strb);
    for (int b = 0; b < 4; b++) strobed[8*b+:8] = strb[b] ? data[8*b+:8] : old[8*b+:8];
  endfunction

  logic [31:0] mode_d;
  logic [31:0] irq_enable_d;
  logic use_size_q;
  logic use_staleness_q;
  logic irq_enable_q;
  logic [63:0] clock_q;
  logic [31:0] mode_word;
  logic [31:0] irq_enable_word;

  assign mode_word = (32'(use_size_q) << scoring_unit_regs_pkg::MODE_USE_SIZE_SHIFT) |
      (32'(use_staleness_q) << scoring_unit_regs_pkg::MODE_USE_STALENESS_SHIFT);
  assign irq_enable_word = 32'(irq_enable_q) << scoring_unit_regs_pkg::IRQ_ENABLE_DONE_SHIFT;
  assign mode_d = strobed(mode_word, take_data, take_strb);
  assign irq_enable_d = strobed(irq_enable_word, write_data_i, write_strb_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      use_size_q <= 1'b0;
      use_staleness_q <= 1'b0;
      clock_q <= '0;
    end else if (soft_reset_o) begin
      use_size_q <= 1'b0;
      use_staleness_q <= 1'b0;
      clock_q <= '0;
    end else if (take_register) begin
      case (take_word)
        scoring_unit_regs_pkg::MODE_OFFSET: begin
          use_size_q <= mode_d[scoring_unit_regs_pkg::MODE_USE_SIZE_SHIFT];
          use_staleness_q <= mode_d[scoring_unit_regs_pkg::MODE_USE_STALENESS_SHIFT];
        end
        scoring_unit_regs_pkg::CLOCK_LO_OFFSET: clock_q[31:0] <= strobed(clock_q[31:0], take_data, take_strb);
        scoring_unit_regs_pkg::CLOCK_HI_OFFSET: clock_q[63:32] <= strobed(clock_q[63:32], take_data, take_strb);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_q <= 1'b0;
    else if (soft_reset_o) irq_enable_q <= 1'b0;
    else if (fire && !to_candidate && write_word == scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET) begin
      irq_enable_q <= irq_enable_d[scoring_unit_regs_pkg::IRQ_ENABLE_DONE_SHIFT];
    end
  end

  assign use_size_o = use_size_q;
  assign use_staleness_o = use_staleness_q;
  assign clock_o = clock_q;
  assign irq_o = done_i && irq_enable_q;

  // Bits of a word without a meaning.
  logic unused_bits;
  assign unused_bits = ^{mode_d, irq_enable_d};

  // Slots and insertion order.
  logic [31:0] next_order;

  scoring_unit_update #(
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W)
  ) u_update (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_o),
      .field_i(take_candidate),
      .slot_i(take_word[STRIDE_W+:SLOT_W]),
      .offset_i({{(32 - STRIDE_W) {1'b0}}, take_word[STRIDE_W-1:0]}),
      .next_order_i(take_register && take_word == scoring_unit_regs_pkg::NEXT_ORDER_OFFSET),
      .data_i(take_data),
      .strb_i(take_strb),
      .clock_high_i(clock_q[63:32]),
      .next_order_o(next_order),
      .update_o,
      .slot_o(update_slot_o),
      .cost_o(update_cost_o),
      .size_o(update_size_o),
      .last_o(update_last_o),
      .low_o(update_low_o),
      .high_o(update_high_o),
      .insert_o(update_insert_o),
      .remove_o(update_remove_o),
      .order_o(update_order_o)
  );

  // Reads.
  localparam logic [31:0] PARAMS =
      (32'(LANES) << scoring_unit_regs_pkg::PARAMS_LANES_SHIFT) |
      (32'(ARITHMETIC) << scoring_unit_regs_pkg::PARAMS_ARITHMETIC_SHIFT) |
      (32'(SEARCH) << scoring_unit_regs_pkg::PARAMS_SEARCH_SHIFT) |
      (32'(DEPTH) << scoring_unit_regs_pkg::PARAMS_DEPTH_SHIFT);
  localparam logic [31:0] WIDTHS =
      (32'(COST_W) << scoring_unit_regs_pkg::WIDTHS_COST_SHIFT) |
      (32'(SIZE_W) << scoring_unit_regs_pkg::WIDTHS_SIZE_SHIFT) |
      (32'(TIME_W) << scoring_unit_regs_pkg::WIDTHS_TIME_SHIFT) |
      (32'(ORDER_W) << scoring_unit_regs_pkg::WIDTHS_ORDER_SHIFT);
  localparam int FRACTION =
      ARITHMETIC == scoring_unit_pkg::EXACT ? 0 : ARITHMETIC == scoring_unit_pkg::FLOAT ? FLOAT_MANTISSA_W :
      LOG_FRACTION_W;
  localparam logic [31:0] FORMAT =
      (32'(FRACTION) << scoring_unit_regs_pkg::FORMAT_FRACTION_SHIFT) |
      (32'(ARITHMETIC == scoring_unit_pkg::LOG2 ? LOG_SEGMENT_W : 0) <<
       scoring_unit_regs_pkg::FORMAT_SEGMENTS_SHIFT) |
      (32'(ARITHMETIC == scoring_unit_pkg::FLOAT ? FLOAT_EXPONENT_W : 0) <<
       scoring_unit_regs_pkg::FORMAT_EXPONENT_SHIFT);

  logic [31:0] result_word;

  assign result_word = (32'(slot_i) << scoring_unit_regs_pkg::RESULT_SLOT_SHIFT) |
      (32'(class_i) << scoring_unit_regs_pkg::RESULT_CLASS_SHIFT) |
      (32'(sat_i) << scoring_unit_regs_pkg::RESULT_SAT_SHIFT) |
      (32'(mixed_i) << scoring_unit_regs_pkg::RESULT_MIXED_SHIFT) |
      (32'(near_i) << scoring_unit_regs_pkg::RESULT_NEAR_SHIFT) |
      (32'(empty_i) << scoring_unit_regs_pkg::RESULT_EMPTY_SHIFT) |
      (32'(done_i) << scoring_unit_regs_pkg::RESULT_DONE_SHIFT) |
      (32'(busy_i) << scoring_unit_regs_pkg::RESULT_BUSY_SHIFT);

  logic [31:0] queue_word;
  assign queue_word = (32'(queue_level) << scoring_unit_regs_pkg::QUEUE_LEVEL_SHIFT) |
      (32'(QUEUE) << scoring_unit_regs_pkg::QUEUE_DEPTH_SHIFT);

  logic [31:0] clock_lo;
  logic [31:0] clock_hi;
  logic [31:0] total_lo;
  logic [31:0] total_hi;
  assign {clock_hi, clock_lo} = clock_q;
  assign {total_hi, total_lo} = total_cycles_i;

  always_comb begin
    read_data_o  = '0;
    read_error_o = 1'b0;
    case (read_word)
      scoring_unit_regs_pkg::ID_OFFSET: read_data_o = scoring_unit_regs_pkg::ID_RESET;
      scoring_unit_regs_pkg::PARAMS_OFFSET: read_data_o = PARAMS;
      scoring_unit_regs_pkg::WIDTHS_OFFSET: read_data_o = WIDTHS;
      scoring_unit_regs_pkg::MODE_OFFSET: read_data_o = mode_word;
      scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET: read_data_o = irq_enable_word;
      scoring_unit_regs_pkg::CLOCK_LO_OFFSET: read_data_o = clock_lo;
      scoring_unit_regs_pkg::CLOCK_HI_OFFSET: read_data_o = clock_hi;
      scoring_unit_regs_pkg::RESULT_OFFSET: read_data_o = result_word;
      scoring_unit_regs_pkg::CYCLES_OFFSET: read_data_o = cycles_i;
      scoring_unit_regs_pkg::TOTAL_CYCLES_LO_OFFSET: read_data_o = total_lo;
      scoring_unit_regs_pkg::TOTAL_CYCLES_HI_OFFSET: read_data_o = total_hi;
      scoring_unit_regs_pkg::COUNT_OFFSET: read_data_o = count_i;
      scoring_unit_regs_pkg::FORMAT_OFFSET: read_data_o = FORMAT;
      scoring_unit_regs_pkg::NEXT_ORDER_OFFSET: read_data_o = next_order;
      scoring_unit_regs_pkg::QUEUE_OFFSET: read_data_o = queue_word;
      default: read_error_o = 1'b1;
    endcase
  end

  `SCORING_UNIT_ASSERT(start_is_what_was_granted, clk_i, rst_ni, start_o == (fire && starts))
  `SCORING_UNIT_ASSERT(start_finds_everything_written, clk_i, rst_ni, !(start_o && (hold_i || busy_i || !queue_empty)))
  `SCORING_UNIT_ASSERT(granted_write_waits_or_is_taken, clk_i, rst_ni,
                       !(fire && queues) || queue_push != (queue_empty && (take_candidate || take_register)))
  `SCORING_UNIT_ASSERT(push_is_what_was_granted, clk_i, rst_ni, !queue_push || fire)
  `SCORING_UNIT_ASSERT_NEXT(no_update_while_held, clk_i, rst_ni, hold_i, !update_o)
  `SCORING_UNIT_ASSERT_HELD(nothing_changes_while_held, clk_i, rst_ni, hold_i && !soft_reset_o, 98,
                            ({use_size_q, use_staleness_q, clock_q, next_order}))
  `SCORING_UNIT_ASSERT(slot_is_in_the_table, clk_i, rst_ni, !update_o || 32'(update_slot_o) < DEPTH)

endmodule
