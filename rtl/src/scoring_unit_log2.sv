// SPDX-License-Identifier: Apache-2.0
// log2 of an unsigned value as fixed point with FRACTION_W bits after the point; what leaves for 0 means nothing.
//   TABLE  the leading bits after the leading one choose one of 2^SEGMENT_W chords, the rest (to FRACTION_W bits in
//          all, truncated) the point on it, rounded down: five stages
//   else   Mitchell: the FRACTION_W bits after the leading one are the fraction: two stages
// Bit for bit score_log2 of rtl/model/score_key.h.

module scoring_unit_log2 #(
    parameter int W = 48,
    parameter bit TABLE = 1'b1,
    parameter int FRACTION_W = 16,
    parameter int SEGMENT_W = 6,
    localparam int EXPONENT_W = W > 1 ? $clog2(W) : 1,
    localparam int LOG_W = EXPONENT_W + FRACTION_W
) (
    input  logic             clk_i,
    input  logic [W-1:0]     value_i,
    output logic [LOG_W-1:0] log_o
);

  logic [EXPONENT_W-1:0] exponent;
  logic [W-1:0] mantissa;

  scoring_unit_normalise #(
      .W(W),
      .STAGES(scoring_unit_pkg::LANE_NORMALISE_STAGES)
  ) u_normalise (
      .clk_i,
      .value_i,
      .exponent_o(exponent),
      .mantissa_o(mantissa)
  );

  logic [W+FRACTION_W-1:0] padded;  // narrow values have fewer bits than the fraction
  logic [FRACTION_W-1:0] fraction;
  assign padded   = {mantissa, {FRACTION_W{1'b0}}};
  assign fraction = padded[W+FRACTION_W-2-:FRACTION_W];

  logic unused_padded;
  assign unused_padded = ^{padded[W+FRACTION_W-1], padded[W-1:0]};

  if (!TABLE) begin : gen_mitchell
    assign log_o = {exponent, fraction};
  end else begin : gen_table
    localparam int SEGMENTS = 1 << SEGMENT_W;
    localparam int STRIDE = scoring_unit_log2_pkg::SEGMENTS / SEGMENTS;
    localparam int SURPLUS = scoring_unit_log2_pkg::FRACTION_W - FRACTION_W;
    localparam int REST_W = FRACTION_W - SEGMENT_W;

    function automatic logic [31:0] entry(input integer index);
      entry = (scoring_unit_log2_pkg::log2_entry(index * STRIDE) + (32'd1 << (SURPLUS - 1))) >> SURPLUS;
    endfunction

    logic [FRACTION_W-1:0] base_rom[0:SEGMENTS-1];

    initial begin
      for (int i = 0; i < SEGMENTS; i++) base_rom[i] = FRACTION_W'(entry(i));
    end

    logic [SEGMENT_W-1:0] segment;
    assign segment = fraction[FRACTION_W-1-:SEGMENT_W];

    // Table; product; sum.
    logic [EXPONENT_W-1:0] exponent_3_q;
    logic [FRACTION_W-1:0] base_3_q;
    logic [EXPONENT_W-1:0] exponent_4_q;
    logic [FRACTION_W-1:0] base_4_q;
    logic [FRACTION_W-1:0] rise;  // beside base_4_q
    logic [LOG_W-1:0] log_5_q;

    always_ff @(posedge clk_i) begin
      exponent_3_q <= exponent;
      base_3_q <= base_rom[segment];
      exponent_4_q <= exponent_3_q;
      base_4_q <= base_3_q;
      log_5_q <= {exponent_4_q, base_4_q} + LOG_W'(rise);
    end

    if (REST_W == 0) begin : gen_steps
      assign rise = '0;
    end else begin : gen_chords
      // A chord rises by less than 1.45 x 2^REST_W.
      localparam int SLOPE_W = REST_W + 1;
      localparam int PRODUCT_W = SLOPE_W + REST_W;

      logic [SLOPE_W-1:0] slope_rom[0:SEGMENTS-1];

      initial begin
        for (int i = 0; i < SEGMENTS; i++) slope_rom[i] = SLOPE_W'(entry(i + 1) - entry(i));
      end

      logic [SLOPE_W-1:0] slope_3_q;
      logic [REST_W-1:0] rest_3_q;
      logic [PRODUCT_W-1:0] product_4_q;

      always_ff @(posedge clk_i) begin
        slope_3_q <= slope_rom[segment];
        rest_3_q <= fraction[REST_W-1:0];
        product_4_q <= PRODUCT_W'(slope_3_q) * PRODUCT_W'(rest_3_q);
      end

      assign rise = FRACTION_W'(product_4_q >> REST_W);
    end

    assign log_o = log_5_q;
  end

endmodule
