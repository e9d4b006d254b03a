// SPDX-License-Identifier: Apache-2.0
// One PicoRV32 (of the Python package pythondata-cpu-picorv32) behind the ports of ibex_tile: every input is sampled
// with the rising clock edge, and a request of cycle c may be answered in cycle c + 1 at the earliest.
//
// The core's look-ahead interface announces an access one cycle before the access itself, so a request answered at
// once is the memory without wait states that the cycle counts of its README assume. The configuration is that of the
// counts as well: dual-port registers, barrel shifter, sequential multiplier and divider.
module picorv32_tile (
    input logic clk_i,
    input logic rst_ni,

    output logic        instr_req_o,
    output logic [31:0] instr_addr_o,
    input  logic        instr_rvalid_i,
    input  logic [31:0] instr_rdata_i,

    output logic        data_req_o,
    output logic        data_we_o,
    output logic [ 3:0] data_be_o,
    output logic [31:0] data_addr_o,
    output logic [31:0] data_wdata_o,
    input  logic        data_rvalid_i,
    input  logic [31:0] data_rdata_i,

    output logic        retired_o,   // an instruction was started, so the one before has retired
    output logic        id_valid_o,  // an instruction starts; pc_id_o is its address
    output logic [31:0] pc_id_o,
    output logic        trap_o       // stopped for good: illegal instruction, misaligned access, EBREAK
);

  logic ready_q;
  logic [31:0] rdata_q;
  always_ff @(posedge clk_i) begin
    ready_q <= rst_ni & (instr_rvalid_i | data_rvalid_i);
    rdata_q <= instr_rvalid_i ? instr_rdata_i : data_rdata_i;
  end

  logic la_read, la_write;
  logic [31:0] la_addr, la_wdata;
  logic [3:0] la_wstrb;

  picorv32 #(
      .BARREL_SHIFTER(1),
      .ENABLE_MUL    (1),
      .ENABLE_DIV    (1),
      .REGS_INIT_ZERO(1),
      .PROGADDR_RESET(32'h7fff_ff80)
  ) u_core (
      .clk   (clk_i),
      .resetn(rst_ni),
      .trap  (trap_o),

      .mem_valid(),
      .mem_instr(),
      .mem_ready(ready_q),
      .mem_addr (),
      .mem_wdata(),
      .mem_wstrb(),
      .mem_rdata(rdata_q),

      .mem_la_read (la_read),
      .mem_la_write(la_write),
      .mem_la_addr (la_addr),
      .mem_la_wdata(la_wdata),
      .mem_la_wstrb(la_wstrb),

      .pcpi_valid(),
      .pcpi_insn (),
      .pcpi_rs1  (),
      .pcpi_rs2  (),
      .pcpi_wr   (1'b0),
      .pcpi_rd   ('0),
      .pcpi_wait (1'b0),
      .pcpi_ready(1'b0),

      .irq('0),
      .eoi(),

      .trace_valid(),
      .trace_data ()
  );

  logic fetch;
  assign fetch        = u_core.mem_do_prefetch | u_core.mem_do_rinst;
  assign instr_req_o  = la_read & fetch;
  assign instr_addr_o = la_addr;
  assign data_req_o   = la_write | (la_read & ~fetch);
  assign data_we_o    = la_write;
  assign data_be_o    = la_write ? la_wstrb : 4'hf;
  assign data_addr_o  = la_addr;
  assign data_wdata_o = la_wdata;
  assign retired_o    = u_core.launch_next_insn;
  assign id_valid_o   = u_core.launch_next_insn;
  assign pc_id_o      = u_core.next_pc;
endmodule
