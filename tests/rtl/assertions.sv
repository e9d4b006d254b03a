// SPDX-License-Identifier: Apache-2.0
// Breaks one rule of scoring_unit_queue or scoring_unit_axil at time 100, so that an assertion has to stop the simulation;
// prints PASS where none does. One case for each macro of scoring_unit_assert.svh, and one for X.
module assertions #(
    parameter int CASE = 0
);

  localparam int NOTHING = 0;
  localparam int PUSH_WHILE_FULL = 1;
  localparam int UNKNOWN = 2;
  localparam int NO_ANSWER = 3;
  localparam int ANSWER_CHANGES = 4;
  localparam int ADDRESS_CHANGES = 5;
  localparam int IN_RESET = 6;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic broken = 1'b0;
  logic push;
  logic full;
  logic empty;
  logic [1:0] level;
  logic [7:0] data;

  always #5 clk = !clk;

  assign push = CASE == UNKNOWN && broken ? 1'bx : !full || ((CASE == PUSH_WHILE_FULL || CASE == IN_RESET) && broken);

  scoring_unit_queue #(
      .WIDTH(8),
      .DEPTH(2)
  ) u_queue (
      .clk_i(clk),
      .rst_ni(rst_n),
      .clear_i(1'b0),
      .push_i(push),
      .data_i(8'd1),
      .pop_i(1'b0),
      .data_o(data),
      .empty_o(empty),
      .full_o(full),
      .level_o(level)
  );

  // A master that waits with BREADY, behind it registers that grant a second write only in the case about its address.
  logic [19:0] awaddr = 20'd4;
  logic awvalid = 1'b0;
  logic awready, wready, bvalid, arready, rvalid, write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, write_data;
  logic [19:0] write_addr, read_addr;
  logic [3:0] write_strb;

  scoring_unit_axil u_axil (
      .clk_i(clk),
      .rst_ni(rst_n),
      .axil_awvalid_i(awvalid),
      .axil_awready_o(awready),
      .axil_awaddr_i(awaddr),
      .axil_wvalid_i(awvalid),
      .axil_wready_o(wready),
      .axil_wdata_i(32'd0),
      .axil_wstrb_i(4'hF),
      .axil_bvalid_o(bvalid),
      .axil_bready_i(1'b0),
      .axil_bresp_o(bresp),
      .axil_arvalid_i(1'b0),
      .axil_arready_o(arready),
      .axil_araddr_i(20'd0),
      .axil_rvalid_o(rvalid),
      .axil_rready_i(1'b0),
      .axil_rdata_o(rdata),
      .axil_rresp_o(rresp),
      .write_o(write),
      .write_addr_o(write_addr),
      .write_data_o(write_data),
      .write_strb_o(write_strb),
      .write_grant_i(CASE != ADDRESS_CHANGES),
      .write_error_i(1'b0),
      .read_addr_o(read_addr),
      .read_data_i(32'd0),
      .read_error_i(1'b0)
  );

  initial begin
    #20 rst_n = 1'b1;
    #60 awvalid = CASE == ADDRESS_CHANGES || CASE == ANSWER_CHANGES;
    #20 broken = 1'b1;
    case (CASE)
      ADDRESS_CHANGES: awaddr = 20'd8;
      IN_RESET: rst_n = 1'b0;
`ifndef VERILATOR
      NO_ANSWER: begin
        force u_axil.bvalid_q = 1'b0;
        awvalid = 1'b1;
      end
      ANSWER_CHANGES: force u_axil.bresp_q = 2'b10;
`endif
      default: ;
    endcase
    #40 $display("PASS");
    $finish;
  end

  logic unused;
  assign unused = ^{data, empty, level, awready, wready, bvalid, arready, rvalid, write, bresp, rresp, rdata, write_data,
      write_addr, read_addr, write_strb};

endmodule
