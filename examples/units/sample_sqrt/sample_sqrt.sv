// SPDX-License-Identifier: Apache-2.0
// A scoring unit of one's own: it looks at about sqrt(N) of N candidates, drawn at random, and evicts the best of
// those, as the DTR prototype does. Ports and register map are those of rtl/src/scoring_unit.sv; bus interface and
// registers are its modules, table and search are this file's.
//
// One draw a cycle from a linear feedback shift register, over slots 0 to the next power of two above the highest in
// use: a slot without a candidate is a cycle lost, a slot drawn twice counts twice. The search ends with the first
// number of hits whose square reaches N. The register runs on from search to search and begins anew at reset, so that
// a run repeats exactly. Simple rather than fast: comparison and multiplication take one long cycle.

module sample_sqrt #(
    parameter int DEPTH = 512,  // a power of two from 2
    localparam int ADDR_W = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic              axil_awvalid_i,
    output logic              axil_awready_o,
    input  logic [ADDR_W-1:0] axil_awaddr_i,
    input  logic              axil_wvalid_i,
    output logic              axil_wready_o,
    input  logic [31:0]       axil_wdata_i,
    input  logic [3:0]        axil_wstrb_i,
    output logic              axil_bvalid_o,
    input  logic              axil_bready_i,
    output logic [1:0]        axil_bresp_o,
    input  logic              axil_arvalid_i,
    output logic              axil_arready_o,
    input  logic [ADDR_W-1:0] axil_araddr_i,
    output logic              axil_rvalid_o,
    input  logic              axil_rready_i,
    output logic [31:0]       axil_rdata_o,
    output logic [1:0]        axil_rresp_o,

    output logic irq_o,
    output logic busy_o
);

  localparam int SLOT_W = $clog2(DEPTH);
  localparam int COST_W = scoring_unit_pkg::COST_W;
  localparam int SIZE_W = scoring_unit_pkg::SIZE_W;
  localparam int TIME_W = scoring_unit_pkg::TIME_W;
  localparam int DEN_W = SIZE_W + TIME_W;
  localparam int PRODUCT_W = COST_W + DEN_W;

  // Bus and registers: as they are.
  logic write, write_grant, write_error, read_error;
  logic [ADDR_W-1:0] write_addr, read_addr;
  logic [31:0] write_data, read_data;
  logic [3:0] write_strb;

  scoring_unit_axil u_axil (
      .clk_i,
      .rst_ni,
      .axil_awvalid_i,
      .axil_awready_o,
      .axil_awaddr_i,
      .axil_wvalid_i,
      .axil_wready_o,
      .axil_wdata_i,
      .axil_wstrb_i,
      .axil_bvalid_o,
      .axil_bready_i,
      .axil_bresp_o,
      .axil_arvalid_i,
      .axil_arready_o,
      .axil_araddr_i,
      .axil_rvalid_o,
      .axil_rready_i,
      .axil_rdata_o,
      .axil_rresp_o,
      .write_o(write),
      .write_addr_o(write_addr),
      .write_data_o(write_data),
      .write_strb_o(write_strb),
      .write_grant_i(write_grant),
      .write_error_i(write_error),
      .read_addr_o(read_addr),
      .read_data_i(read_data),
      .read_error_i(read_error)
  );

  logic soft_reset, start, clear_done, use_size, use_staleness, queued;
  logic update, insert, remove;
  logic [63:0] clock;
  logic [SLOT_W-1:0] update_slot;
  logic [7:0] update_cost, update_size, update_last;
  logic [31:0] update_low, update_high;
  logic [32:0] update_order;
  logic busy_q, done_q, empty_q, sat_q, zero_q, negative_q;
  logic [1:0] class_q;
  logic [SLOT_W-1:0] slot_q;
  logic [31:0] cycles_q, count_q;
  logic [63:0] total_cycles_q;

  scoring_unit_regs #(
      .LANES(1),
      .DEPTH(DEPTH),
      .SLOT_W(SLOT_W)
  ) u_regs (
      .clk_i,
      .rst_ni,
      .write_i(write),
      .write_addr_i(write_addr),
      .write_data_i(write_data),
      .write_strb_i(write_strb),
      .write_grant_o(write_grant),
      .write_error_o(write_error),
      .read_addr_i(read_addr),
      .read_data_o(read_data),
      .read_error_o(read_error),
      .soft_reset_o(soft_reset),
      .start_o(start),
      .clear_done_o(clear_done),
      .use_size_o(use_size),
      .use_staleness_o(use_staleness),
      .clock_o(clock),
      .irq_o,
      .queued_o(queued),
      .update_o(update),
      .update_slot_o(update_slot),
      .update_cost_o(update_cost),
      .update_size_o(update_size),
      .update_last_o(update_last),
      .update_low_o(update_low),
      .update_high_o(update_high),
      .update_insert_o(insert),
      .update_remove_o(remove),
      .update_order_o(update_order),
      .hold_i(busy_q),
      .busy_i(busy_q),
      .done_i(done_q),
      .empty_i(empty_q),
      .near_i(1'b0),  // no question of rounding where the choice is random
      .mixed_i(!busy_q && zero_q && negative_q),
      .sat_i(!busy_q && sat_q),
      .class_i(class_q),
      .slot_i(slot_q),
      .cycles_i(cycles_q),
      .total_cycles_i(total_cycles_q),
      .count_i(count_q)
  );

  // Table.
  logic [63:0] cost_table[0:DEPTH-1];
  logic [63:0] size_table[0:DEPTH-1];
  logic [63:0] last_table[0:DEPTH-1];
  logic [32:0] order_table[0:DEPTH-1];
  logic [DEPTH-1:0] valid_q;
  logic [63:0] update_data;
  assign update_data = {update_high, update_low};

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < 8; b++) begin
      if (update && update_cost[b]) cost_table[update_slot][8*b+:8] <= update_data[8*b+:8];
      if (update && update_size[b]) size_table[update_slot][8*b+:8] <= update_data[8*b+:8];
      if (update && update_last[b]) last_table[update_slot][8*b+:8] <= update_data[8*b+:8];
    end
    if (insert) order_table[update_slot] <= update_order;
  end

  logic [SLOT_W-1:0] reach_q;  // ones up to the highest slot used since reset

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      count_q <= '0;
      reach_q <= '0;
    end else if (soft_reset) begin
      valid_q <= '0;
      count_q <= '0;
      reach_q <= '0;
    end else if (insert || remove) begin
      valid_q[update_slot] <= insert;
      if (insert && !valid_q[update_slot]) count_q <= count_q + 32'd1;
      if (remove && valid_q[update_slot]) count_q <= count_q - 32'd1;
      if (insert) begin
        for (int b = 0; b < SLOT_W; b++) if ((update_slot >> b) != '0) reach_q[b] <= 1'b1;
      end
    end
  end

  // Draws: x^32 + x^22 + x^2 + x + 1, 16 steps a draw so that draws that follow each other have little in common.
  logic [31:0] random_q;
  logic [31:0] random_d;
  logic [SLOT_W-1:0] drawn;

  function automatic logic [31:0] shifted(input logic [31:0] state);
    shifted = state;
    for (int step = 0; step < 16; step++) begin
      shifted = {shifted[30:0], shifted[31] ^ shifted[21] ^ shifted[1] ^ shifted[0]};
    end
  endfunction

  assign random_d = shifted(random_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) random_q <= 32'h1;
    else if (soft_reset) random_q <= 32'h1;
    else if (busy_q) random_q <= random_d;
  end

  assign drawn = random_q[SLOT_W-1:0] & reach_q;

  // The candidate drawn, and whether it beats the best so far.
  logic hit;
  logic [63:0] cost, size, last;
  logic [31:0] order;
  logic negative, older, better, below, equal;
  logic [COST_W-1:0] magnitude;
  logic [SIZE_W-1:0] size_term;
  logic [TIME_W-1:0] staleness_term;
  logic [DEN_W-1:0] denominator;
  logic [1:0] entry_class;
  logic misfit;
  logic best_negative_q;
  logic [31:0] best_order_q;
  logic [COST_W-1:0] best_magnitude_q;
  logic [DEN_W-1:0] best_denominator_q;
  logic [PRODUCT_W-1:0] product, best_product;

  assign hit = busy_q && valid_q[drawn];
  assign cost = cost_table[drawn];
  assign size = size_table[drawn];
  assign last = last_table[drawn];
  assign order = order_table[drawn][31:0];
  assign negative = cost[63];
  assign magnitude = negative ? -cost[COST_W-1:0] : cost[COST_W-1:0];
  assign size_term = use_size ? size[SIZE_W-1:0] : SIZE_W'(1);
  assign staleness_term = !use_staleness ? TIME_W'(1) :
      clock[TIME_W-1:0] > last[TIME_W-1:0] ? clock[TIME_W-1:0] - last[TIME_W-1:0] : '0;
  assign denominator = {{TIME_W{1'b0}}, size_term} * {{SIZE_W{1'b0}}, staleness_term};
  assign entry_class = denominator == '0 ? scoring_unit_pkg::CLASS_INFINITE :
      magnitude == '0 ? scoring_unit_pkg::CLASS_ZERO : scoring_unit_pkg::CLASS_FINITE;
  assign misfit = cost[63:COST_W-1] != {(65 - COST_W) {cost[63]}} || (use_size && (size >> SIZE_W) != '0) ||
      (use_staleness && (last >> TIME_W) != '0) || order_table[drawn][32];

  assign product = {{DEN_W{1'b0}}, magnitude} * {{COST_W{1'b0}}, best_denominator_q};
  assign best_product = {{DEN_W{1'b0}}, best_magnitude_q} * {{COST_W{1'b0}}, denominator};
  assign below = product < best_product;
  assign equal = product == best_product;
  assign older = order < best_order_q;

  always_comb begin
    if (entry_class != class_q) better = entry_class < class_q;
    else if (entry_class == scoring_unit_pkg::CLASS_ZERO) better = older;
    else if (entry_class == scoring_unit_pkg::CLASS_INFINITE) better = !older;
    else if (negative != best_negative_q) better = negative;
    else if (equal) better = !older;
    else better = below != negative;
  end

  // Search.
  logic [SLOT_W:0] hits_q;  // until their square reaches the number of candidates
  logic [31:0] square_q;
  logic [31:0] square_d;
  assign square_d = square_q + 32'(hits_q) + 32'(hits_q) + 32'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, done_q, empty_q, sat_q, zero_q, negative_q} <= '0;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
      total_cycles_q <= '0;
    end else if (soft_reset) begin
      {busy_q, done_q, empty_q, sat_q, zero_q, negative_q} <= '0;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
      total_cycles_q <= '0;
    end else if (start) begin
      busy_q <= 1'b1;
      {done_q, empty_q, zero_q, negative_q} <= '0;
      sat_q <= use_staleness && (clock >> TIME_W) != '0;
      class_q <= scoring_unit_pkg::CLASS_NONE;
      slot_q <= '0;
      cycles_q <= '0;
    end else if (busy_q) begin
      cycles_q <= cycles_q + 32'd1;
      total_cycles_q <= total_cycles_q + 64'd1;
      if (hit) begin
        sat_q <= sat_q || misfit;
        zero_q <= zero_q || entry_class == scoring_unit_pkg::CLASS_ZERO;
        negative_q <= negative_q || (entry_class == scoring_unit_pkg::CLASS_FINITE && negative);
        if (better) begin
          class_q <= entry_class;
          slot_q <= drawn;
        end
      end
      if (count_q == '0 || (hit && square_d >= count_q)) begin
        busy_q <= 1'b0;
        done_q <= 1'b1;
        empty_q <= count_q == '0;
      end
    end else if (clear_done) begin
      done_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      hits_q <= '0;
      square_q <= '0;
    end else if (hit) begin
      hits_q <= hits_q + 1'b1;
      square_q <= square_d;
      if (better) begin
        best_negative_q <= negative;
        best_order_q <= order;
        best_magnitude_q <= magnitude;
        best_denominator_q <= denominator;
      end
    end
  end

  assign busy_o = busy_q || queued;

endmodule
