// SPDX-License-Identifier: Apache-2.0
// Best of a stream of candidates, one a cycle at most; there may be gaps while open_i says that more will come. A
// comparison takes compare_latency cycles, so that many minima are in flight, interleaved: each new candidate meets the
// one that leaves the comparator in its cycle. After the last candidate the survivors meet pairwise as they come out:
// one waits in pending_q for the next.

`include "scoring_unit_assert.svh"

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

  logic op_valid;
  logic [ENTRY_W-1:0] op_a;
  logic [ENTRY_W-1:0] op_b;
  logic out_valid;
  logic done;
  logic [ENTRY_W-1:0] out;

  logic pending_valid_q, pending_valid_d;
  logic [ENTRY_W-1:0] pending_q, pending_d;
  logic [LIVE_W-1:0] live_q, live_d;  // minima in the comparator or pending

  always_comb begin
    op_valid = 1'b0;
    op_a = valid_i ? entry_i : pending_q;
    op_b = out;
    pending_valid_d = pending_valid_q;
    pending_d = pending_q;
    live_d = live_q;
    done = 1'b0;
    if (valid_i) begin
      op_valid = 1'b1;
      if (!out_valid) begin
        op_b[ENTRY_W-1-:2] = scoring_unit_pkg::CLASS_NONE;  // the first few meet nobody
        live_d = live_q + 1'b1;
      end
    end else if (out_valid) begin
      if (live_q == LIVE_W'(1) && !open_i) begin
        done = 1'b1;
        live_d = '0;
      end else if (pending_valid_q) begin
        op_valid = 1'b1;
        pending_valid_d = 1'b0;
        live_d = live_q - 1'b1;
      end else begin
        pending_d = out;
        pending_valid_d = 1'b1;
      end
    end else if (pending_valid_q && live_q == LIVE_W'(1) && !open_i) begin
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

  // The last comparison's NEAR comes with it.
  if (scoring_unit_pkg::near_lag(ARITHMETIC) == 1) begin : gen_near
    logic done_q;
    logic [ENTRY_W-1:0] winner_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) done_q <= 1'b0;
      else if (clear_i) done_q <= 1'b0;
      else done_q <= done;
    end

    always_ff @(posedge clk_i) winner_q <= out;

    assign done_o = done_q;
    assign winner_o = winner_q;
  end else begin : gen_no_near
    assign done_o = done;
    assign winner_o = out;
  end

`ifdef SCORING_UNIT_ASSERTIONS
  // Minima in the comparator, stage by stage.
  localparam int STAGES = scoring_unit_pkg::compare_latency(ARITHMETIC);
  logic [STAGES-1:0] in_flight_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_flight_q <= '0;
    else if (clear_i) in_flight_q <= '0;
    else in_flight_q <= STAGES'({in_flight_q, op_valid});
  end
`endif
  `SCORING_UNIT_ASSERT(comparator_answers_in_time, clk_i, rst_ni, out_valid == in_flight_q[STAGES-1])
  `SCORING_UNIT_ASSERT(no_minimum_is_lost, clk_i, rst_ni,
                       32'(live_q) == $countones(in_flight_q) + 32'(pending_valid_q) && 32'(live_q) <= STAGES + 1)
  `SCORING_UNIT_ASSERT(end_leaves_nothing_behind, clk_i, rst_ni, !done || (!valid_i && !pending_valid_q && live_q == 1))

endmodule
