// SPDX-License-Identifier: Apache-2.0
// One Ibex core (of the Python package pythondata-cpu-ibex) as the C++ side wants to see it: every input is sampled
// with the rising clock edge, so that one evaluation of the model is one cycle, and what cannot be seen at the core's
// ports (retirement, CSR writes) is led out.
//
// Both memory ports grant at once. The C++ side answers a request of cycle c in cycle c + 1 at the earliest, by
// setting *_rvalid_i and the data before the edge that begins that cycle.
//
// The clock is not gated here: while sleep_o is high the C++ side may leave the clock out, as Ibex's own top level
// does with its clock gate. The core's mcycle stands still for that time.
module ibex_tile
  import ibex_pkg::*;
#(
    // 0: "small" of Ibex's own list of configurations, 1: "maxperf"
    parameter bit MaxPerf = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [31:0] boot_addr_i,

    output logic        instr_req_o,
    output logic [31:0] instr_addr_o,
    input  logic        instr_rvalid_i,
    input  logic [31:0] instr_rdata_i,
    input  logic        instr_err_i,

    output logic        data_req_o,
    output logic        data_we_o,
    output logic [ 3:0] data_be_o,
    output logic [31:0] data_addr_o,
    output logic [31:0] data_wdata_o,
    input  logic        data_rvalid_i,
    input  logic [31:0] data_rdata_i,
    input  logic        data_err_i,

    input logic [31:0] irq_i,  // as bits of mip; not sampled: the level in this cycle

    output logic        sleep_o,          // asleep in WFI: without an enabled line this cycle needs no clock edge
    output logic        retired_o,        // an instruction retires in this cycle
    output logic        id_valid_o,       // pc_id_o is the address of an instruction in the decode stage
    output logic [31:0] pc_id_o,
    output logic        csr_access_o,     // the instruction in the decode stage accesses CSR csr_addr_o,
    output logic        csr_write_o,      // and writes it in this cycle
    output logic [11:0] csr_addr_o,
    output logic [31:0] csr_wdata_o,
    output logic        exception_o,      // a trap is taken in this cycle that is no interrupt,
    output logic [ 4:0] exception_cause_o,
    output logic [31:0] exception_value_o,
    output logic [31:0] exception_pc_o,
    output logic        irq_enabled_o,    // mstatus.MIE
    output logic [31:0] mie_o             // enabled interrupt lines
);

  logic instr_rvalid_q, instr_err_q, data_rvalid_q, data_err_q;
  logic [31:0] instr_rdata_q, data_rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      instr_rvalid_q <= 1'b0;
      data_rvalid_q  <= 1'b0;
    end else begin
      instr_rvalid_q <= instr_rvalid_i;
      data_rvalid_q  <= data_rvalid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    instr_err_q   <= instr_err_i;
    instr_rdata_q <= instr_rdata_i;
    data_err_q    <= data_err_i;
    data_rdata_q  <= data_rdata_i;
  end

  logic [ 4:0] rf_raddr_a, rf_raddr_b, rf_waddr;
  logic        rf_we;
  logic [31:0] rf_wdata, rf_rdata_a, rf_rdata_b;
  ibex_mubi_t  busy;

  // No instruction cache, so nothing answers here.
  logic [IC_TAG_SIZE-1:0]  ic_tag_rdata [IC_NUM_WAYS];
  logic [IC_LINE_SIZE-1:0] ic_data_rdata[IC_NUM_WAYS];
  for (genvar way = 0; way < IC_NUM_WAYS; way++) begin : gen_no_icache
    assign ic_tag_rdata[way]  = '0;
    assign ic_data_rdata[way] = '0;
  end

  ibex_core #(
      .MHPMCounterNum (0),
      .RV32M          (MaxPerf ? RV32MSingleCycle : RV32MFast),
      .RV32B          (RV32BNone),
      .BranchTargetALU(MaxPerf),
      .WritebackStage (MaxPerf)
  ) u_core (
      .clk_i,
      .rst_ni,

      .hart_id_i  ('0),
      .boot_addr_i,

      .instr_req_o,
      .instr_gnt_i   (instr_req_o),
      .instr_rvalid_i(instr_rvalid_q),
      .instr_addr_o,
      .instr_rdata_i (instr_rdata_q),
      .instr_err_i   (instr_err_q),

      .data_req_o,
      .data_gnt_i   (data_req_o),
      .data_rvalid_i(data_rvalid_q),
      .data_we_o,
      .data_be_o,
      .data_addr_o,
      .data_wdata_o,
      .data_rdata_i (data_rdata_q),
      .data_err_i   (data_err_q),

      .dummy_instr_id_o (),
      .dummy_instr_wb_o (),
      .rf_raddr_a_o     (rf_raddr_a),
      .rf_raddr_b_o     (rf_raddr_b),
      .rf_waddr_wb_o    (rf_waddr),
      .rf_we_wb_o       (rf_we),
      .rf_wdata_wb_ecc_o(rf_wdata),
      .rf_rdata_a_ecc_i (rf_rdata_a),
      .rf_rdata_b_ecc_i (rf_rdata_b),

      .ic_tag_req_o      (),
      .ic_tag_write_o    (),
      .ic_tag_addr_o     (),
      .ic_tag_wdata_o    (),
      .ic_tag_rdata_i    (ic_tag_rdata),
      .ic_data_req_o     (),
      .ic_data_write_o   (),
      .ic_data_addr_o    (),
      .ic_data_wdata_o   (),
      .ic_data_rdata_i   (ic_data_rdata),
      .ic_scr_key_valid_i(1'b1),
      .ic_scr_key_req_o  (),

      .irq_software_i(irq_i[3]),
      .irq_timer_i   (irq_i[7]),
      .irq_external_i(irq_i[11]),
      .irq_fast_i    (irq_i[30:16]),
      .irq_nm_i      (1'b0),
      .irq_pending_o (),

      .debug_req_i        (1'b0),
      .crash_dump_o       (),
      .double_fault_seen_o(),

      .fetch_enable_i        (IbexMuBiOn),
      .alert_minor_o         (),
      .alert_major_internal_o(),
      .alert_major_bus_o     (),
      .core_busy_o           (busy)
  );

  ibex_register_file_ff #(
      .DataWidth(32)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .test_en_i       (1'b0),
      .dummy_instr_id_i(1'b0),
      .dummy_instr_wb_i(1'b0),
      .raddr_a_i       (rf_raddr_a),
      .rdata_a_o       (rf_rdata_a),
      .raddr_b_i       (rf_raddr_b),
      .rdata_b_o       (rf_rdata_b),
      .waddr_a_i       (rf_waddr),
      .wdata_a_i       (rf_wdata),
      .we_a_i          (rf_we),
      .err_o           ()
  );

  // Ibex's own top level gates the clock by this flip-flop and the enabled lines.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sleep_o <= 1'b0;
    else sleep_o <= ~busy[0];
  end

  assign retired_o         = u_core.perf_instr_ret_wb;
  assign id_valid_o        = u_core.instr_valid_id;
  assign pc_id_o           = u_core.pc_id;
  assign csr_access_o      = u_core.csr_access;
  assign csr_write_o       = u_core.cs_registers_i.csr_we_int;
  assign csr_addr_o        = u_core.csr_addr;
  assign csr_wdata_o       = u_core.cs_registers_i.csr_wdata_int;
  assign exception_o       = u_core.csr_save_cause & ~u_core.exc_cause.irq_ext & ~u_core.exc_cause.irq_int;
  assign exception_cause_o = u_core.exc_cause.lower_cause;
  assign exception_value_o = u_core.csr_mtval;
  assign exception_pc_o    = u_core.cs_registers_i.exception_pc;
  assign irq_enabled_o     = u_core.csr_mstatus_mie;
  assign mie_o             = {1'b0, u_core.cs_registers_i.mie_q.irq_fast,
                              4'b0, u_core.cs_registers_i.mie_q.irq_external,
                              3'b0, u_core.cs_registers_i.mie_q.irq_timer,
                              3'b0, u_core.cs_registers_i.mie_q.irq_software, 3'b0};
endmodule
