// SPDX-License-Identifier: Apache-2.0
// Best of a stream of candidates, one a cycle at most; there may be gaps while open_i says that more will come. A
// comparison takes compare_latency cycles, so that many minima are in flight, interleaved: each new candidate meets the
// one that leaves the comparator in its cycle. After the last candidate the survivors meet pairwise as they come out:
// one waits in pending_q for the next. With exact arithmetic what meets the minimum that comes out waits in a register
// for it (ACCUMULATE_LATENCY): a choice of candidates in front of multipliers is too long a path.

module scoring_unit_accumulate #(
    parameter int ARITHMETIC = scoring_unit_pkg::EXACT,
    parameter int FLOAT_EXPONENT_W = scoring_unit_pkg::FLOAT_EXPONENT_W,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int DEN_W = scoring_unit_pkg::SIZE_W + scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic               open_i,
    input  logic               valid_i,
    input  logic [ENTRY_W-1:0] entry_i,
    output logic               done_o,    // one cycle: winner_o is the best of all since the last done or clear
    output logic [ENTRY_W-1:0] winner_o,
    output logic               near_o     // in the cycle of done_o at the latest
);

  localparam int LIVE_W = $clog2(scoring_unit_pkg::compare_latency(ARITHMETIC) + 2);

  logic offered;  // a candidate of the stream meets what comes out now
  logic [ENTRY_W-1:0] offer;  // it, or else the minimum that waits
  logic open;
  logic op_valid;
  logic [ENTRY_W-1:0] op_a;
  logic [ENTRY_W-1:0] op_b;
  logic out_valid;
  logic [ENTRY_W-1:0] out;

  logic pending_valid_q, pending_valid_d;
  logic [ENTRY_W-1:0] pending_q, pending_d;
  logic [LIVE_W-1:0] live_q, live_d;  // minima in the comparator or pending

  always_comb begin
    op_valid = 1'b0;
    op_a = offer;
    op_b = out;
    pending_valid_d = pending_valid_q;
    pending_d = pending_q;
    live_d = live_q;
    done_o = 1'b0;
    if (offered) begin
      op_valid = 1'b1;
      if (!out_valid) begin
        op_b[ENTRY_W-1-:2] = scoring_unit_pkg::CLASS_NONE;  // the first few meet nobody
        live_d = live_q + 1'b1;
      end
    end else if (out_valid) begin
      if (live_q == LIVE_W'(1) && !open) begin
        done_o = 1'b1;
        live_d = '0;
      end else if (pending_valid_q) begin
        op_valid = 1'b1;
        pending_valid_d = 1'b0;
        live_d = live_q - 1'b1;
      end else begin
        pending_d = out;
        pending_valid_d = 1'b1;
      end
    end else if (pending_valid_q && live_q == LIVE_W'(1) && !open) begin
      // The last one waits for nobody: once more through the comparator, alone.
      op_valid = 1'b1;
      op_b[ENTRY_W-1-:2] = scoring_unit_pkg::CLASS_NONE;
      pending_valid_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_valid_q <= 1'b0;
      live_q <= '0;
    end else if (clear_i) begin
      pending_valid_q <= 1'b0;
      live_q <= '0;
    end else begin
      pending_valid_q <= pending_valid_d;
      live_q <= live_d;
    end
  end

  always_ff @(posedge clk_i) pending_q <= pending_d;

  if (scoring_unit_pkg::accumulate_latency(ARITHMETIC) == 0) begin : gen_now
    assign offered = valid_i;
    assign offer = valid_i ? entry_i : pending_q;
    assign open = open_i;
  end else begin : gen_later
    logic offered_q;
    logic open_q;
    logic [ENTRY_W-1:0] offer_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        offered_q <= 1'b0;
        open_q <= 1'b0;
      end else if (clear_i) begin
        offered_q <= 1'b0;
        open_q <= 1'b0;
      end else begin
        offered_q <= valid_i;
        open_q <= open_i;
      end
    end

    always_ff @(posedge clk_i) offer_q <= valid_i ? entry_i : pending_d;

    assign offered = offered_q;
    assign offer = offer_q;
    assign open = open_q;
  end

  scoring_unit_choose #(
      .ARITHMETIC(ARITHMETIC),
      .FLOAT_EXPONENT_W(FLOAT_EXPONENT_W),
      .COST_W(COST_W),
      .DEN_W(DEN_W),
      .ORDER_W(ORDER_W),
      .SLOT_W(SLOT_W),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
  ) u_compare (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(op_valid),
      .a_i(op_a),
      .b_i(op_b),
      .valid_o(out_valid),
      .winner_o(out),
      .near_o
  );

  assign winner_o = out;

endmodule
