// SPDX-License-Identifier: Apache-2.0
// The unit in a four-state simulator: what was never written is X there, and none of it may reach a result.
module icarus_smoke #(
    parameter int SEARCH = scoring_unit_pkg::SCAN
);

  localparam int DEPTH = 32;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic awvalid = 1'b0;
  logic wvalid = 1'b0;
  logic bready = 1'b1;
  logic arvalid = 1'b0;
  logic rready = 1'b1;
  logic [19:0] awaddr = '0;
  logic [19:0] araddr = '0;
  logic [31:0] wdata = '0;
  logic awready;
  logic wready;
  logic bvalid;
  logic arready;
  logic rvalid;
  logic [1:0] bresp;
  logic [1:0] rresp;
  logic [31:0] rdata;
  logic irq;
  logic busy;
  integer failures = 0;

  scoring_unit #(
      .LANES(4),
      .DEPTH(DEPTH),
      .SEARCH(SEARCH)
  ) dut (
      .clk_i(clk),
      .rst_ni(rst_n),
      .axil_awvalid_i(awvalid),
      .axil_awready_o(awready),
      .axil_awaddr_i(awaddr),
      .axil_wvalid_i(wvalid),
      .axil_wready_o(wready),
      .axil_wdata_i(wdata),
      .axil_wstrb_i(4'hF),
      .axil_bvalid_o(bvalid),
      .axil_bready_i(bready),
      .axil_bresp_o(bresp),
      .axil_arvalid_i(arvalid),
      .axil_arready_o(arready),
      .axil_araddr_i(araddr),
      .axil_rvalid_o(rvalid),
      .axil_rready_i(rready),
      .axil_rdata_o(rdata),
      .axil_rresp_o(rresp),
      .irq_o(irq),
      .busy_o(busy)
  );

  always #5 clk = !clk;

  // Control outputs are known from the first reset edge on.
  always @(negedge clk) begin
    if (!rst_n && (^{awready, wready, bvalid, arready, rvalid, irq, busy}) === 1'bx) begin
      $display("FAIL: an output is X in reset");
      failures = failures + 1;
    end
    if (rst_n && (^{awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp, irq, busy}) === 1'bx) begin
      $display("FAIL: an output is X at %0t", $time);
      failures = failures + 1;
    end
  end

  task automatic write(input logic [31:0] offset, input logic [31:0] data);
    logic taken;
    begin
      @(negedge clk);
      awaddr = offset[19:0];
      wdata = data;
      awvalid = 1'b1;
      wvalid = 1'b1;
      taken = 1'b0;
      while (!taken) begin
        #1 taken = awready;
        @(negedge clk);
      end
      awvalid = 1'b0;
      wvalid = 1'b0;
      if (bvalid !== 1'b1 || bresp !== 2'b00) begin
        $display("FAIL: write at %h, response %b %b", offset, bvalid, bresp);
        failures = failures + 1;
      end
    end
  endtask

  task automatic read(input logic [31:0] offset, output logic [31:0] data);
    begin
      @(negedge clk);
      araddr = offset[19:0];
      arvalid = 1'b1;
      @(negedge clk);
      arvalid = 1'b0;
      data = rdata;
      if (rvalid !== 1'b1 || rresp !== 2'b00) begin
        $display("FAIL: read at %h, response %b %b", offset, rvalid, rresp);
        failures = failures + 1;
      end
      @(negedge clk);
    end
  endtask

  task automatic insert(input logic [31:0] slot, input logic [63:0] cost, input logic [31:0] order);
    logic [31:0] base;
    begin
      base = scoring_unit_regs_pkg::CANDIDATE_OFFSET + slot * scoring_unit_regs_pkg::CANDIDATE_STRIDE;
      write(base + scoring_unit_regs_pkg::CANDIDATE_COST_LO_OFFSET, cost[31:0]);
      write(base + scoring_unit_regs_pkg::CANDIDATE_COST_HI_OFFSET, cost[63:32]);
      write(scoring_unit_regs_pkg::NEXT_ORDER_OFFSET, order);
      write(base + scoring_unit_regs_pkg::CANDIDATE_INSERT_OFFSET, 32'd0);
    end
  endtask

  task automatic terms(input logic [31:0] slot, input logic [31:0] size, input logic [31:0] last);
    logic [31:0] base;
    begin
      base = scoring_unit_regs_pkg::CANDIDATE_OFFSET + slot * scoring_unit_regs_pkg::CANDIDATE_STRIDE;
      write(base + scoring_unit_regs_pkg::CANDIDATE_SIZE_LO_OFFSET, size);
      write(base + scoring_unit_regs_pkg::CANDIDATE_SIZE_HI_OFFSET, 32'd0);
      write(base + scoring_unit_regs_pkg::CANDIDATE_LAST_LO_OFFSET, last);
      write(base + scoring_unit_regs_pkg::CANDIDATE_LAST_HI_OFFSET, 32'd0);
    end
  endtask

  task automatic search(input logic [31:0] expected, input logic [31:0] expected_cycles);
    logic [31:0] word;
    logic [31:0] cycles;
    begin
      write(scoring_unit_regs_pkg::CONTROL_OFFSET, scoring_unit_regs_pkg::CONTROL_START_MASK);
      while (busy) @(negedge clk);
      read(scoring_unit_regs_pkg::RESULT_OFFSET, word);
      read(scoring_unit_regs_pkg::CYCLES_OFFSET, cycles);
      // The cached search has no such formula.
      if (word !== expected || (SEARCH == scoring_unit_pkg::SCAN && cycles !== expected_cycles) || ^cycles === 1'bx) begin
        $display("FAIL: result %h after %0d cycles, expected %h after %0d", word, cycles, expected, expected_cycles);
        failures = failures + 1;
      end
    end
  endtask

  localparam logic [31:0] DONE = scoring_unit_regs_pkg::RESULT_DONE_MASK;
  localparam logic [31:0] FINITE = scoring_unit_regs_pkg::RESULT_CLASS_FINITE << scoring_unit_regs_pkg::RESULT_CLASS_SHIFT;
  localparam logic [31:0] NONE = scoring_unit_regs_pkg::RESULT_CLASS_NONE << scoring_unit_regs_pkg::RESULT_CLASS_SHIFT;

  initial begin
    #100000 $display("FAIL: no end at %0t", $time);
    $finish;
  end

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    search(DONE | scoring_unit_regs_pkg::RESULT_EMPTY_MASK | NONE, 32'd4);
    // Size and last access never written, and not used. Most slots never written at all.
    insert(32'd9, 64'd70, 32'd1);
    insert(32'd2, 64'd71, 32'd2);
    search(DONE | FINITE | 32'd9, 32'd3 + 32'd17 + 32'd8);
    insert(32'd31, 64'd70, 32'd3);
    search(DONE | FINITE | 32'd31, 32'd8 + 32'd18 + 32'd8);
    terms(32'd9, 32'd10, 32'd5);
    terms(32'd2, 32'd20, 32'd5);
    terms(32'd31, 32'd10, 32'd6);
    write(scoring_unit_regs_pkg::CLOCK_LO_OFFSET, 32'd100);
    write(scoring_unit_regs_pkg::MODE_OFFSET, 32'd3);
    search(DONE | FINITE | 32'd2, 32'd8 + 32'd18 + 32'd8);
    // Time alone has passed; then the winner leaves.
    write(scoring_unit_regs_pkg::CLOCK_LO_OFFSET, 32'd101);
    search(DONE | FINITE | 32'd2, 32'd8 + 32'd18 + 32'd8);
    write(scoring_unit_regs_pkg::CANDIDATE_OFFSET + 2 * scoring_unit_regs_pkg::CANDIDATE_STRIDE +
              scoring_unit_regs_pkg::CANDIDATE_REMOVE_OFFSET, 32'd0);
    search(DONE | FINITE | 32'd9, 32'd8 + 32'd18 + 32'd8);
    write(scoring_unit_regs_pkg::CONTROL_OFFSET, scoring_unit_regs_pkg::CONTROL_SOFT_RESET_MASK);
    search(DONE | scoring_unit_regs_pkg::RESULT_EMPTY_MASK | NONE, 32'd4);
    if (failures == 0) $display("PASS");
    $finish;
  end

endmodule
