// SPDX-License-Identifier: Apache-2.0
// Rules of AXI4-Lite, of scoring_unit_axil against any registers behind it and any master that keeps the rules: what is
// valid stays, unchanged, until it is taken; each request is carried out and answered once, with the answer that the
// registers gave.

module axil_rules (
    input logic clk_i
);

  (* anyseq *)logic awvalid;
  (* anyseq *)logic [19:0] awaddr;
  (* anyseq *)logic wvalid;
  (* anyseq *)logic [31:0] wdata;
  (* anyseq *)logic [3:0] wstrb;
  (* anyseq *)logic bready;
  (* anyseq *)logic arvalid;
  (* anyseq *)logic [19:0] araddr;
  (* anyseq *)logic rready;
  (* anyseq *)logic write_grant;
  (* anyseq *)logic write_error;
  (* anyseq *)logic [31:0] read_data;
  (* anyseq *)logic read_error;
  logic awready, wready, bvalid, arready, rvalid, write;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata, write_data;
  logic [19:0] write_addr, read_addr;
  logic [3:0] write_strb;

  logic rst_nq;
  initial rst_nq = 1'b0;
  always_ff @(posedge clk_i) rst_nq <= 1'b1;

  scoring_unit_axil u_axil (
      .clk_i,
      .rst_ni(rst_nq),
      .axil_awvalid_i(awvalid),
      .axil_awready_o(awready),
      .axil_awaddr_i(awaddr),
      .axil_wvalid_i(wvalid),
      .axil_wready_o(wready),
      .axil_wdata_i(wdata),
      .axil_wstrb_i(wstrb),
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

  // What the two last cycles were, and what is owed.
  logic seen_q;
  logic aw_held_q, w_held_q, ar_held_q, b_held_q, r_held_q;
  logic [19:0] awaddr_q, araddr_q;
  logic [31:0] wdata_q, rdata_q;
  logic [3:0] wstrb_q;
  logic [1:0] bresp_q, rresp_q;
  logic owed_b_q, owed_r_q;  // accepted, not answered
  logic [1:0] answer_b_q, answer_r_q;
  logic [31:0] answer_data_q;
  initial seen_q = 1'b0;
  initial owed_b_q = 1'b0;
  initial owed_r_q = 1'b0;

  always_ff @(posedge clk_i) begin
    seen_q <= rst_nq;
    aw_held_q <= awvalid && !awready;
    w_held_q <= wvalid && !wready;
    ar_held_q <= arvalid && !arready;
    b_held_q <= bvalid && !bready;
    r_held_q <= rvalid && !rready;
    awaddr_q <= awaddr;
    araddr_q <= araddr;
    wdata_q <= wdata;
    wstrb_q <= wstrb;
    bresp_q <= bresp;
    rresp_q <= rresp;
    rdata_q <= rdata;
    if (rst_nq) begin
      if (awvalid && awready) begin
        owed_b_q <= 1'b1;
        answer_b_q <= write_error ? 2'b10 : 2'b00;
      end else if (bvalid && bready) owed_b_q <= 1'b0;
      if (arvalid && arready) begin
        owed_r_q <= 1'b1;
        answer_r_q <= read_error ? 2'b10 : 2'b00;
        answer_data_q <= read_error ? '0 : read_data;
      end else if (rvalid && rready) owed_r_q <= 1'b0;
    end
  end

  always_comb begin
    if (seen_q) begin
      // The master's side of the rules.
      assume (!aw_held_q || (awvalid && awaddr == awaddr_q));
      assume (!w_held_q || (wvalid && wdata == wdata_q && wstrb == wstrb_q));
      assume (!ar_held_q || (arvalid && araddr == araddr_q));
      // Ours.
      assert (!b_held_q || (bvalid && bresp == bresp_q));
      assert (!r_held_q || (rvalid && rresp == rresp_q && rdata == rdata_q));
    end
    if (!rst_nq) assert (!bvalid && !rvalid);
    if (rst_nq) begin
      // Address and data of a write are taken together, when and as the registers carry it out.
      assert (awready == wready);
      assert (!awready || (awvalid && wvalid));
      assert ((write && write_grant) == awready);
      assert (!awready || (write_addr == awaddr && write_data == wdata && write_strb == wstrb));
      assert (!arready || read_addr == araddr);
      // One answer to each request, after it, and the registers' own.
      assert (bvalid == owed_b_q);
      assert (rvalid == owed_r_q);
      assert (!bvalid || bresp == answer_b_q);
      assert (!rvalid || (rresp == answer_r_q && rdata == answer_data_q));
      assert (!(awready && owed_b_q));
      assert (!(arvalid && arready && owed_r_q));
    end
  end

endmodule
