// SPDX-License-Identifier: Apache-2.0
// The whole unit, small: whatever four candidates the solver writes over the bus, whichever of them it removes, under
// every mode and clock, the result is what the decision rule says; and again after one more change. The order of the
// accesses is fixed, the values are free, so that a bounded proof over all frames of the schedule is complete.

module argmin #(
    parameter int LANES = 2,
    parameter bit FAULT_INVERT_TIES = 1'b0,
    localparam int COST_W = 3,
    localparam int SIZE_W = 2,
    localparam int TIME_W = 2
) (
    input logic clk_i
);

  localparam int DEPTH = 4;

  (* anyconst *)logic [DEPTH*COST_W-1:0] costs;
  (* anyconst *)logic [DEPTH*SIZE_W-1:0] sizes;
  (* anyconst *)logic [DEPTH*TIME_W-1:0] lasts;
  (* anyconst *)logic [DEPTH-1:0] keeps;
  (* anyconst *)logic [TIME_W-1:0] clock;
  (* anyconst *)logic [1:0] mode;
  (* anyconst *)logic [1:0] changed;
  (* anyconst *)logic [COST_W-1:0] new_cost;

  logic rst_nq;
  logic [4:0] step_q;
  logic searching_q;
  initial rst_nq = 1'b0;
  initial step_q = '0;
  initial searching_q = 1'b0;

  // Steps 0-15: cost, size, insert, remove of four slots; 16 clock; 17 mode; 18 start; 19 new cost; 20 start.
  localparam logic [4:0] FIRST_START = 5'd18;
  localparam logic [4:0] LAST_START = 5'd20;
  logic write;
  logic [31:0] offset, data;
  logic [1:0] slot;
  logic is_start;
  assign slot = step_q[3:2];
  assign is_start = step_q == FIRST_START || step_q == LAST_START;
  assign write = rst_nq && step_q <= LAST_START && !searching_q;

  always_comb begin
    offset = scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET;  // nothing
    data = '0;
    if (step_q < 5'd16) begin
      case (step_q[1:0])
        2'd0: begin
          offset = scoring_unit_regs_pkg::CANDIDATE_COST_LO_OFFSET;
          data = {{(32 - COST_W) {costs[slot*COST_W+COST_W-1]}}, costs[slot*COST_W+:COST_W]};
        end
        2'd1: begin
          offset = scoring_unit_regs_pkg::CANDIDATE_SIZE_LO_OFFSET;
          data = {{(32 - SIZE_W) {1'b0}}, sizes[slot*SIZE_W+:SIZE_W]};
        end
        2'd2: begin
          offset = scoring_unit_regs_pkg::CANDIDATE_INSERT_OFFSET;
          data = {{(32 - TIME_W) {1'b0}}, lasts[slot*TIME_W+:TIME_W]};
        end
        default: offset = scoring_unit_regs_pkg::CANDIDATE_REMOVE_OFFSET;
      endcase
      offset = offset + scoring_unit_regs_pkg::CANDIDATE_OFFSET +
          32'(slot) * scoring_unit_regs_pkg::CANDIDATE_STRIDE;
      if (step_q[1:0] == 2'd3 && keeps[slot]) offset = scoring_unit_regs_pkg::IRQ_ENABLE_OFFSET;
    end else begin
      case (step_q)
        5'd16: begin
          offset = scoring_unit_regs_pkg::CLOCK_LO_OFFSET;
          data = {{(32 - TIME_W) {1'b0}}, clock};
        end
        5'd17: begin
          offset = scoring_unit_regs_pkg::MODE_OFFSET;
          data = {30'd0, mode};
        end
        5'd19: begin
          offset = scoring_unit_regs_pkg::CANDIDATE_OFFSET + 32'(changed) * scoring_unit_regs_pkg::CANDIDATE_STRIDE +
              scoring_unit_regs_pkg::CANDIDATE_COST_LO_OFFSET;
          data = {{(32 - COST_W) {new_cost[COST_W-1]}}, new_cost};
        end
        default: begin
          offset = scoring_unit_regs_pkg::CONTROL_OFFSET;
          data = 32'd1 << scoring_unit_regs_pkg::CONTROL_START_SHIFT;
        end
      endcase
    end
  end

  logic ready, rvalid;
  logic [31:0] result;
  logic [1:0] rresp, bresp;
  logic bvalid;

  scoring_unit #(
      .LANES(LANES),
      .DEPTH(DEPTH),
      .COST_W(COST_W),
      .SIZE_W(SIZE_W),
      .TIME_W(TIME_W),
      .ORDER_W(3),
      .QUEUE(2),
      .FAULT_INVERT_TIES(FAULT_INVERT_TIES)
  ) u_unit (
      .clk_i,
      .rst_ni(rst_nq),
      .axil_awvalid_i(write),
      .axil_awready_o(ready),
      .axil_awaddr_i(offset[19:0]),
      .axil_wvalid_i(write),
      .axil_wdata_i(data),
      .axil_wstrb_i(4'hF),
      .axil_bvalid_o(bvalid),
      .axil_bready_i(1'b1),
      .axil_bresp_o(bresp),
      .axil_arvalid_i(searching_q),
      .axil_araddr_i(20'(scoring_unit_regs_pkg::RESULT_OFFSET)),
      .axil_rvalid_o(rvalid),
      .axil_rready_i(1'b1),
      .axil_rdata_o(result),
      .axil_rresp_o(rresp)
  );

  // The decision rule.
  logic [1:0] best_class, entry_class;
  logic [1:0] best_slot;
  logic signed [11:0] cost, best_cost;
  logic signed [11:0] denominator, best_denominator;
  logic [11:0] size, staleness;
  logic zero, negative, better;

  always_comb begin
    best_class = scoring_unit_pkg::CLASS_NONE;
    best_slot = '0;
    best_cost = '0;
    best_denominator = 12'sd1;
    zero = 1'b0;
    negative = 1'b0;
    for (int s = 0; s < DEPTH; s++) begin
      cost = $signed({{(12 - COST_W) {costs[s*COST_W+COST_W-1]}}, costs[s*COST_W+:COST_W]});
      if (step_q > 5'd19 && 32'(changed) == s) cost = $signed({{(12 - COST_W) {new_cost[COST_W-1]}}, new_cost});
      size = mode[scoring_unit_regs_pkg::MODE_USE_SIZE_SHIFT] ? 12'(sizes[s*SIZE_W+:SIZE_W]) : 12'd1;
      staleness = !mode[scoring_unit_regs_pkg::MODE_USE_STALENESS_SHIFT] ? 12'd1 :
          clock > lasts[s*TIME_W+:TIME_W] ? 12'(clock) - 12'(lasts[s*TIME_W+:TIME_W]) : 12'd0;
      denominator = $signed(size * staleness);
      entry_class = denominator == 0 ? scoring_unit_pkg::CLASS_INFINITE :
          cost == 0 ? scoring_unit_pkg::CLASS_ZERO : scoring_unit_pkg::CLASS_FINITE;
      // Orders rise with the slots here: "highest order" is the later one.
      if (entry_class != best_class) better = entry_class < best_class;
      else if (entry_class == scoring_unit_pkg::CLASS_ZERO) better = 1'b0;
      else if (entry_class == scoring_unit_pkg::CLASS_INFINITE) better = 1'b1;
      else better = cost * best_denominator <= best_cost * denominator;
      if (keeps[s]) begin
        zero = zero || entry_class == scoring_unit_pkg::CLASS_ZERO;
        negative = negative || (entry_class == scoring_unit_pkg::CLASS_FINITE && cost < 0);
        if (better) begin
          best_class = entry_class;
          best_slot = 2'(s);
          best_cost = cost;
          best_denominator = denominator;
        end
      end
    end
  end

  logic finished;
  assign finished = searching_q && rvalid && result[scoring_unit_regs_pkg::RESULT_DONE_SHIFT];

  always_ff @(posedge clk_i) begin
    rst_nq <= 1'b1;
    if (write && ready) begin
      step_q <= step_q + 5'd1;
      searching_q <= is_start;
    end
    if (finished) searching_q <= 1'b0;
  end

  always_comb begin
    assert (!bvalid || bresp == 2'b00);
    assert (!rvalid || rresp == 2'b00);
    if (finished) begin
      assert (result[scoring_unit_regs_pkg::RESULT_EMPTY_SHIFT] == (best_class == scoring_unit_pkg::CLASS_NONE));
      assert (result[scoring_unit_regs_pkg::RESULT_CLASS_SHIFT+:2] == best_class);
      assert (best_class == scoring_unit_pkg::CLASS_NONE ||
          result[scoring_unit_regs_pkg::RESULT_SLOT_SHIFT+:2] == best_slot);
      assert (result[scoring_unit_regs_pkg::RESULT_MIXED_SHIFT] == (zero && negative));
      assert (!result[scoring_unit_regs_pkg::RESULT_SAT_SHIFT]);
      assert (!result[scoring_unit_regs_pkg::RESULT_NEAR_SHIFT]);
    end
  end

`ifdef REACHED
  // Not an assertion of the unit: that the schedule ends within the frames of the proof. It has to fail.
  always_comb assert (!(step_q > LAST_START && !searching_q && rst_nq));
`endif

endmodule
