// SPDX-License-Identifier: Apache-2.0
// A lane's entry on its way into the cached search: its slot field gets what a comparison needs to say how long it
// holds (logarithms, staleness) and what the cache keeps of a winner (size, staleness).
//   {log magnitude, log size, log staleness, size, staleness, slot}

module scoring_unit_cache_leaf #(
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    localparam int DEN_W = SIZE_W + TIME_W,
    localparam int TERMS_W = COST_W + SIZE_W + TIME_W,
    localparam int ENTRY_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, SLOT_W),
    localparam int TAG_W = scoring_unit_pkg::tag_width(SIZE_W, TIME_W, SLOT_W),
    localparam int WIDE_W = scoring_unit_pkg::entry_width(COST_W, DEN_W, ORDER_W, TAG_W)
) (
    input  logic               clk_i,
    input  logic [TERMS_W-1:0] terms_i,  // {magnitude, size, staleness}: MULTIPLY_LATENCY cycles before the entry
    input  logic [ENTRY_W-1:0] entry_i,
    input  logic               drop_i,   // with the entry: it does not take part
    output logic [WIDE_W-1:0]  entry_o   // in the same cycle
);

  localparam int CODE_W = scoring_unit_pkg::CODE_W;
  localparam int LOG_LATENCY = scoring_unit_pkg::NORMALISE_STAGES;
  localparam int MULTIPLY_LATENCY = scoring_unit_pkg::MULTIPLY_LATENCY;

  logic [COST_W-1:0] magnitude;
  logic [SIZE_W-1:0] size;
  logic [TIME_W-1:0] staleness;
  assign {magnitude, size, staleness} = terms_i;

  logic [CODE_W-1:0] log_magnitude;
  logic [CODE_W-1:0] log_size;
  logic [CODE_W-1:0] log_staleness;
  logic [3*CODE_W-1:0] logs;
  logic [SIZE_W+TIME_W-1:0] terms;

  scoring_unit_cache_log #(
      .W(COST_W)
  ) u_log_magnitude (
      .clk_i,
      .value_i(magnitude),
      .code_o(log_magnitude)
  );
  scoring_unit_cache_log #(
      .W(SIZE_W)
  ) u_log_size (
      .clk_i,
      .value_i(size),
      .code_o(log_size)
  );
  scoring_unit_cache_log #(
      .W(TIME_W)
  ) u_log_staleness (
      .clk_i,
      .value_i(staleness),
      .code_o(log_staleness)
  );

  scoring_unit_delay #(
      .WIDTH(3 * CODE_W),
      .STAGES(MULTIPLY_LATENCY - LOG_LATENCY)
  ) u_logs (
      .clk_i,
      .data_i({log_magnitude, log_size, log_staleness}),
      .data_o(logs)
  );
  scoring_unit_delay #(
      .WIDTH(SIZE_W + TIME_W),
      .STAGES(MULTIPLY_LATENCY)
  ) u_terms (
      .clk_i,
      .data_i({size, staleness}),
      .data_o(terms)
  );

  logic [1:0] entry_class;
  assign entry_class = drop_i ? scoring_unit_pkg::CLASS_NONE : entry_i[ENTRY_W-1-:2];
  assign entry_o = {
    entry_class, entry_i[ENTRY_W-3:SLOT_W+COST_W+DEN_W], logs, terms, entry_i[SLOT_W+COST_W+DEN_W-1:0]
  };

endmodule
