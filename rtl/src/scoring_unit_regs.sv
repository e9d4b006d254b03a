// SPDX-License-Identifier: Apache-2.0
// The register map of rtl/regs/scoring_unit.rdl: decoding, configuration registers, what waits while a search runs.
// Candidate writes reach the table one cycle after their grant; a search cannot start earlier than that.

module scoring_unit_regs #(
    parameter int LANES = 4,
    parameter int DEPTH = 512,
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int LOG_FRACTION_W = scoring_unit_pkg::LOG_FRACTION_W,
    parameter int LOG_SEGMENT_W = scoring_unit_pkg::LOG_SEGMENT_W,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int FLOAT_MANTISSA_W = scoring_unit_pkg::FLOAT_MANTISSA_W,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
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

    // Table port: byte enables of the slot's fields, at most one field at a time.
    output logic [7:0]        table_cost_o,
    output logic [7:0]        table_size_o,
    output logic [7:0]        table_last_o,
    output logic [3:0]        table_order_o,
    output logic              table_valid_o,
    output logic [SLOT_W-1:0] table_slot_o,
    output logic [31:0]       table_data_o,

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
  logic [31:0] to_field;
  logic waits;  // not while busy
  logic fire;
  assign to_candidate = write_word >= scoring_unit_regs_pkg::CANDIDATE_OFFSET;
  assign to_slot = write_word[STRIDE_W+:MAP_SLOT_W];
  assign to_field = {{(32 - STRIDE_W) {1'b0}}, write_word[STRIDE_W-1:0]};

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
    waits = 1'b0;
    if (to_candidate) begin
      write_error_o = 32'(to_slot) >= DEPTH;
      waits = !write_error_o;
    end else begin
      case (write_word)
        scoring_unit_regs_pkg::MODE_OFFSET, scoring_unit_regs_pkg::CLOCK_LO_OFFSET,
        scoring_unit_regs_pkg::CLOCK_HI_OFFSET:
        waits = 1'b1;
        scoring_unit_regs_pkg::CONTROL_OFFSET: waits = start_bit && !soft_reset_bit;
        scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET: waits = 1'b0;
        default: write_error_o = 1'b1;
      endcase
    end
  end

  assign write_grant_o = !(waits && busy_i);
  assign fire = write_i && write_grant_o && !write_error_o;

  logic to_control;
  assign to_control = fire && !to_candidate && write_word == scoring_unit_regs_pkg::CONTROL_OFFSET;
  assign soft_reset_o = to_control && soft_reset_bit;
  assign start_o = to_control && start_bit && !soft_reset_bit;
  assign clear_done_o = to_control && clear_done_bit;

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
  assign mode_d = strobed(mode_word, write_data_i, write_strb_i);
  assign irq_enable_d = strobed(irq_enable_word, write_data_i, write_strb_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      use_size_q <= 1'b0;
      use_staleness_q <= 1'b0;
      irq_enable_q <= 1'b0;
      clock_q <= '0;
    end else if (soft_reset_o) begin
      use_size_q <= 1'b0;
      use_staleness_q <= 1'b0;
      irq_enable_q <= 1'b0;
      clock_q <= '0;
    end else if (fire && !to_candidate) begin
      case (write_word)
        scoring_unit_regs_pkg::MODE_OFFSET: begin
          use_size_q <= mode_d[scoring_unit_regs_pkg::MODE_USE_SIZE_SHIFT];
          use_staleness_q <= mode_d[scoring_unit_regs_pkg::MODE_USE_STALENESS_SHIFT];
        end
        scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET:
        irq_enable_q <= irq_enable_d[scoring_unit_regs_pkg::IRQ_ENABLE_DONE_SHIFT];
        scoring_unit_regs_pkg::CLOCK_LO_OFFSET:
        clock_q[31:0] <= strobed(clock_q[31:0], write_data_i, write_strb_i);
        scoring_unit_regs_pkg::CLOCK_HI_OFFSET:
        clock_q[63:32] <= strobed(clock_q[63:32], write_data_i, write_strb_i);
        default: ;
      endcase
    end
  end

  assign use_size_o = use_size_q;
  assign use_staleness_o = use_staleness_q;
  assign clock_o = clock_q;
  assign irq_o = done_i && irq_enable_q;

  // Bits of a word without a meaning.
  logic unused_bits;
  assign unused_bits = ^{mode_d, irq_enable_d};

  // Table port.
  logic [7:0] cost_d, cost_q;
  logic [7:0] size_d, size_q;
  logic [7:0] last_d, last_q;
  logic [3:0] order_d, order_q;
  logic valid_d, valid_q;
  logic valid_strb;
  logic [SLOT_W-1:0] slot_q;
  logic [31:0] data_q;

  assign valid_strb = write_strb_i[scoring_unit_regs_pkg::CANDIDATE_VALID_SHIFT/8];

  always_comb begin
    cost_d  = '0;
    size_d  = '0;
    last_d  = '0;
    order_d = '0;
    valid_d = 1'b0;
    if (fire && to_candidate) begin
      case (to_field)
        scoring_unit_regs_pkg::CANDIDATE_COST_LO_OFFSET: cost_d[3:0] = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_COST_HI_OFFSET: cost_d[7:4] = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_SIZE_LO_OFFSET: size_d[3:0] = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_SIZE_HI_OFFSET: size_d[7:4] = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_LAST_LO_OFFSET: last_d[3:0] = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_LAST_HI_OFFSET: last_d[7:4] = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_ORDER_OFFSET: order_d = write_strb_i;
        scoring_unit_regs_pkg::CANDIDATE_VALID_OFFSET:
        valid_d = valid_strb;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cost_q  <= '0;
      size_q  <= '0;
      last_q  <= '0;
      order_q <= '0;
      valid_q <= 1'b0;
    end else begin
      cost_q  <= cost_d;
      size_q  <= size_d;
      last_q  <= last_d;
      order_q <= order_d;
      valid_q <= valid_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fire) begin
      slot_q <= SLOT_W'(to_slot);
      data_q <= write_data_i;
    end
  end

  assign table_cost_o  = cost_q;
  assign table_size_o  = size_q;
  assign table_last_o  = last_q;
  assign table_order_o = order_q;
  assign table_valid_o = valid_q;
  assign table_slot_o  = slot_q;
  assign table_data_o  = data_q;

  // Reads.
  localparam logic [31:0] PARAMS =
      (32'(LANES) << scoring_unit_regs_pkg::PARAMS_LANES_SHIFT) |
      (32'(ARITHMETIC) << scoring_unit_regs_pkg::PARAMS_ARITHMETIC_SHIFT) |
      (scoring_unit_regs_pkg::PARAMS_SEARCH_SCAN << scoring_unit_regs_pkg::PARAMS_SEARCH_SHIFT) |
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
      default: read_error_o = 1'b1;
    endcase
  end

endmodule
