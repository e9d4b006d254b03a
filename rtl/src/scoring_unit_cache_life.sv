// SPDX-License-Identifier: Apache-2.0
// How long the outcome of a comparison holds while only the clock runs on, as a code:
//   0: not even now       n: for 2^((n - 1) / 16) units of time at least       all ones: for ever
//
// Let S be the candidate with the smaller |h|, L the other; c, z, s their |cost|, size and staleness; P = c_L z_S s_S
// the larger cross product, D the difference of the two. After t, |h_S| / |h_L| has become
//   (1 - D / P) (1 + t / s_L) / (1 + t / s_S) <= (1 - D / P) (1 + t (s_S - s_L) / (s_S s_L)).
// It does not grow unless S is the staler one, nor does it pass c_S z_L / (c_L z_S), which is safe where it is below
// 2^(-1/16). Else it stays below 1 - 2^-51 as long as t <= 0.917 D s_S / (c_S z_L (s_S - s_L)), provided that
// D / P > 2^-47: what is left of D / P is 0.083 of it. So beside the outcome, NEAR stays false. Below 2^-47 nothing is
// promised. Equal quotients stay equal only where the stalenesses are. Classes and signs do not change with time (as for INFINITE, see scoring_unit_cache).
// All of it in logarithms, each rounded to the safe side: an error costs a rescan, never a wrong victim.

module scoring_unit_cache_life #(
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    localparam int PRODUCT_W = COST_W + SIZE_W + TIME_W,
    localparam int CODE_W = scoring_unit_pkg::CODE_W,
    localparam int LIFE_W = scoring_unit_pkg::LIFE_W
) (
    input  logic                 clk_i,
    // With the candidates at the comparison's input.
    input  logic [CODE_W-1:0]    a_log_magnitude_i,
    input  logic [CODE_W-1:0]    a_log_size_i,
    input  logic [CODE_W-1:0]    a_log_staleness_i,
    input  logic [TIME_W-1:0]    a_staleness_i,
    input  logic [CODE_W-1:0]    b_log_magnitude_i,
    input  logic [CODE_W-1:0]    b_log_size_i,
    input  logic [CODE_W-1:0]    b_log_staleness_i,
    input  logic [TIME_W-1:0]    b_staleness_i,
    // NEAR_LATENCY cycles later.
    input  logic                 finite_i,      // both finite and of one sign
    input  logic                 below_i,       // |h| of a is smaller
    input  logic [PRODUCT_W-1:0] difference_i,  // of the cross products
    // NEAR_LATENCY + LIFE_STAGES cycles later.
    output logic [LIFE_W-1:0]    life_o
);

  localparam int NEAR_LATENCY = scoring_unit_pkg::NEAR_LATENCY;
  localparam int LOG_LATENCY = scoring_unit_pkg::NORMALISE_STAGES;
  localparam int SUM_W = CODE_W + 1;
  localparam int SIGNED_W = CODE_W + 4;
  localparam int SLACK = scoring_unit_pkg::CODE_SLACK;
  localparam int MARGIN = 2;  // log2(1 / 0.917) in sixteenths
  localparam int BAND = 47 * 16;

  // Beside the comparison: products of magnitude and size, and how far apart the stalenesses are.
  logic [SUM_W-1:0] ab_q;  // magnitude of a x size of b
  logic [SUM_W-1:0] ba_q;
  logic [CODE_W-1:0] a_log_staleness_q;
  logic [CODE_W-1:0] b_log_staleness_q;
  logic [TIME_W-1:0] apart_q;
  logic a_staler_q;
  logic b_staler_q;

  always_ff @(posedge clk_i) begin
    ab_q <= {1'b0, a_log_magnitude_i} + {1'b0, b_log_size_i};
    ba_q <= {1'b0, b_log_magnitude_i} + {1'b0, a_log_size_i};
    a_log_staleness_q <= a_log_staleness_i;
    b_log_staleness_q <= b_log_staleness_i;
    apart_q <= a_staleness_i > b_staleness_i ? a_staleness_i - b_staleness_i : b_staleness_i - a_staleness_i;
    a_staler_q <= a_staleness_i > b_staleness_i;
    b_staler_q <= b_staleness_i > a_staleness_i;
  end

  logic [CODE_W-1:0] log_apart;
  scoring_unit_cache_log #(
      .W(TIME_W)
  ) u_log_apart (
      .clk_i,
      .value_i(apart_q),
      .code_o(log_apart)
  );

  localparam int BESIDE_W = 2 * SUM_W + 2 * CODE_W + 2;
  logic [BESIDE_W-1:0] beside;
  logic [SUM_W-1:0] ab;
  logic [SUM_W-1:0] ba;
  logic [CODE_W-1:0] a_log_staleness;
  logic [CODE_W-1:0] b_log_staleness;
  logic a_staler;
  logic b_staler;
  logic [CODE_W-1:0] apart;

  scoring_unit_delay #(
      .WIDTH(BESIDE_W),
      .STAGES(NEAR_LATENCY + LOG_LATENCY - 1)
  ) u_beside (
      .clk_i,
      .data_i({ab_q, ba_q, a_log_staleness_q, b_log_staleness_q, a_staler_q, b_staler_q}),
      .data_o(beside)
  );
  scoring_unit_delay #(
      .WIDTH(CODE_W),
      .STAGES(NEAR_LATENCY - 1)
  ) u_apart (
      .clk_i,
      .data_i(log_apart),
      .data_o(apart)
  );
  assign {ab, ba, a_log_staleness, b_log_staleness, a_staler, b_staler} = beside;

  // After the comparison.
  logic [CODE_W-1:0] log_difference;
  logic finite;
  logic below;
  logic equal;

  scoring_unit_cache_log #(
      .W(PRODUCT_W)
  ) u_log_difference (
      .clk_i,
      .value_i(difference_i),
      .code_o(log_difference)
  );
  scoring_unit_delay #(
      .WIDTH(3),
      .STAGES(LOG_LATENCY)
  ) u_outcome (
      .clk_i,
      .data_i({finite_i, below_i, difference_i == '0}),
      .data_o({finite, below, equal})
  );

  function automatic logic signed [SIGNED_W-1:0] wide(input logic [SUM_W-1:0] value);
    wide = $signed({{(SIGNED_W - SUM_W) {1'b0}}, value});
  endfunction

  logic signed [SIGNED_W-1:0] small_large;  // c_S z_L
  logic signed [SIGNED_W-1:0] large_small;  // c_L z_S
  logic signed [SIGNED_W-1:0] small_staleness;
  logic signed [SIGNED_W-1:0] difference;
  logic signed [SIGNED_W-1:0] code;
  logic [LIFE_W-1:0] next_code;
  logic in_band;
  logic safe;
  logic [LIFE_W-1:0] life_d;
  logic [LIFE_W-1:0] life_q;

  assign small_large = wide(below ? ab : ba);
  assign large_small = wide(below ? ba : ab);
  assign small_staleness = wide({1'b0, below ? a_log_staleness : b_log_staleness});
  assign difference = wide({1'b0, log_difference});
  assign code = difference + small_staleness - small_large - wide({1'b0, apart}) - SIGNED_W'(3 * SLACK + MARGIN);
  assign next_code = code[LIFE_W-1:0] + 1'b1;
  assign in_band = difference + SIGNED_W'(BAND) <= large_small + small_staleness + SIGNED_W'(3 * SLACK);
  assign safe = !(below ? a_staler : b_staler) || large_small > small_large + SIGNED_W'(2 * SLACK);

  always_comb begin
    if (!finite) life_d = '1;
    else if (equal) life_d = a_staler || b_staler ? '0 : '1;
    else if (in_band) life_d = '0;
    else if (safe) life_d = '1;
    else if (code < 0) life_d = '0;
    else if (code >= SIGNED_W'(16 * TIME_W)) life_d = '1;
    else life_d = next_code;
  end

  always_ff @(posedge clk_i) life_q <= life_d;

  assign life_o = life_q;

  logic unused_code;
  assign unused_code = ^code;

endmodule
