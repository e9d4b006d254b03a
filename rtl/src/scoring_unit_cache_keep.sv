// SPDX-License-Identifier: Apache-2.0
// What is kept of every block: its winner's fields, and until when it is known to stay the winner. Block b is word
// b / LANES of bank b mod LANES, so that a group is read at once, each block in the lane of its bank.
//
// A winner's size and last access are kept as MODE had them (1 for a size that does not count): a change of MODE makes
// all of it invalid.

module scoring_unit_cache_keep #(
    parameter int LANES = 4,
    parameter int ROWS = 128,
    parameter int COST_W = scoring_unit_pkg::COST_W,
    parameter int SIZE_W = scoring_unit_pkg::SIZE_W,
    parameter int TIME_W = scoring_unit_pkg::TIME_W,
    parameter int ORDER_W = scoring_unit_pkg::ORDER_W,
    parameter int SLOT_W = 9,
    parameter bit FAULT_ENDLESS = 1'b0,  // wrong on purpose: nothing expires
    localparam int LANE_W = $clog2(LANES),
    localparam int BLOCK_W = scoring_unit_pkg::block_width(ROWS, LANES),
    localparam int GROUP_W = scoring_unit_pkg::group_width(ROWS, LANES),
    localparam int PLACE_W = 2 * LANE_W,
    localparam int LIFE_W = scoring_unit_pkg::LIFE_W
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic              clear_i,
    input logic [TIME_W-1:0] clock_i,

    // Reading: a group, or one block of it.
    input  logic                     group_i,
    input  logic                     single_i,
    input  logic [GROUP_W-1:0]       group_index_i,
    input  logic [LANE_W-1:0]        single_lane_i,
    // One cycle later, to the lanes.
    input  logic [LANES-1:0]         kept_i,
    output logic                     read_o,
    output logic [LANES-1:0]         valid_o,
    output logic [LANES*COST_W-1:0]  cost_o,
    output logic [LANES*SIZE_W-1:0]  size_o,
    output logic [LANES*TIME_W-1:0]  last_o,
    output logic [LANES*ORDER_W-1:0] order_o,
    output logic [LANES*SLOT_W-1:0]  slot_o,
    // Two cycles later.
    output logic [LANES-1:0]         expired_o,
    // SINGLE_LATENCY cycles later: what is left of a single winner's time, as in scoring_unit_cache_life.
    output logic [LIFE_W-1:0]        single_life_o,

    // A block's new winner.
    input logic               winner_i,
    input logic [BLOCK_W-1:0] winner_block_i,
    input logic [COST_W-1:0]  winner_cost_i,
    input logic [SIZE_W-1:0]  winner_size_i,
    input logic [TIME_W-1:0]  winner_last_i,
    input logic [ORDER_W-1:0] winner_order_i,
    input logic [PLACE_W-1:0] winner_place_i,
    // And until when it is kept: the last moment at which it is valid, if there is one.
    input logic               keep_i,
    input logic [BLOCK_W-1:0] keep_block_i,
    input logic               keep_forever_i,
    input logic [TIME_W-1:0]  keep_until_i
);

  localparam int GROUPS = scoring_unit_pkg::groups(ROWS, LANES);
  localparam int WINNER_W = COST_W + SIZE_W + TIME_W + ORDER_W + PLACE_W;
  localparam int CODE_W = scoring_unit_pkg::CODE_W;

  logic single_q;
  logic group_q;
  logic [GROUP_W-1:0] group_index_q;
  logic [LANE_W-1:0] single_lane_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      single_q <= 1'b0;
      group_q <= 1'b0;
    end else if (clear_i) begin
      single_q <= 1'b0;
      group_q <= 1'b0;
    end else begin
      single_q <= single_i;
      group_q <= group_i;
    end
  end

  always_ff @(posedge clk_i) begin
    group_index_q <= group_index_i;
    single_lane_q <= single_lane_i;
  end

  assign read_o = group_q || single_q;

  logic [GROUP_W-1:0] winner_word;
  logic [GROUP_W-1:0] keep_word;
  assign winner_word = GROUP_W'(winner_block_i >> LANE_W);
  assign keep_word = GROUP_W'(keep_block_i >> LANE_W);

  logic [LANES-1:0] endless;
  logic [LANES*TIME_W-1:0] until_time;
  logic [LANES-1:0] expired_q;

  for (genvar l = 0; l < LANES; l++) begin : gen_bank
    logic winner_here;
    logic keep_here;
    logic [WINNER_W-1:0] winner;
    logic [TIME_W:0] until_word;
    logic [PLACE_W-1:0] place;

    assign winner_here = winner_i && winner_block_i[LANE_W-1:0] == LANE_W'(l);
    assign keep_here = keep_i && keep_block_i[LANE_W-1:0] == LANE_W'(l);

    scoring_unit_ram #(
        .BYTES(1),
        .BYTE_W(WINNER_W),
        .DEPTH(GROUPS),
        .ADDR_W(GROUP_W)
    ) u_winner (
        .clk_i,
        .write_i(winner_here),
        .write_addr_i(winner_word),
        .write_data_i({winner_cost_i, winner_size_i, winner_last_i, winner_order_i, winner_place_i}),
        .read_i(group_i || single_i),
        .read_addr_i(group_index_i),
        .read_data_o(winner)
    );

    scoring_unit_ram #(
        .BYTES(1),
        .BYTE_W(TIME_W + 1),
        .DEPTH(GROUPS),
        .ADDR_W(GROUP_W)
    ) u_until (
        .clk_i,
        .write_i(keep_here),
        .write_addr_i(keep_word),
        .write_data_i({keep_forever_i, keep_until_i}),
        .read_i(group_i || single_i),
        .read_addr_i(group_index_i),
        .read_data_o(until_word)
    );

    assign valid_o[l] = single_q ? single_lane_q == LANE_W'(l) : group_q && kept_i[l];
    assign {cost_o[l*COST_W+:COST_W], size_o[l*SIZE_W+:SIZE_W], last_o[l*TIME_W+:TIME_W], order_o[l*ORDER_W+:ORDER_W],
            place} = winner;
    assign slot_o[l*SLOT_W+:SLOT_W] = SLOT_W'({group_index_q, LANE_W'(l), place});
    assign endless[l] = until_word[TIME_W];
    assign until_time[l*TIME_W+:TIME_W] = until_word[TIME_W-1:0];

    always_ff @(posedge clk_i) begin
      expired_q[l] <= kept_i[l] && !FAULT_ENDLESS && !until_word[TIME_W] && clock_i > until_word[TIME_W-1:0];
    end
  end

  assign expired_o = expired_q;

  // What is left of a single one's time.
  logic [TIME_W-1:0] left_q;
  logic left_forever_q;
  logic [CODE_W-1:0] left_code;
  logic left_forever;
  logic left_nothing;
  logic [LIFE_W-1:0] single_life_q;

  always_ff @(posedge clk_i) begin
    left_q <= until_time[32'(single_lane_q)*TIME_W+:TIME_W] - clock_i;
    left_forever_q <= endless[single_lane_q];
  end

  scoring_unit_cache_log #(
      .W(TIME_W)
  ) u_left (
      .clk_i,
      .value_i(left_q),
      .code_o(left_code)
  );
  scoring_unit_delay #(
      .WIDTH(2),
      .STAGES(scoring_unit_pkg::NORMALISE_STAGES)
  ) u_left_forever (
      .clk_i,
      .data_i({left_forever_q, left_q == '0}),
      .data_o({left_forever, left_nothing})
  );

  always_ff @(posedge clk_i) begin
    single_life_q <= left_forever ? '1 : left_nothing ? '0 : LIFE_W'(left_code) + 1'b1;
  end

  assign single_life_o = single_life_q;

  logic unused_code;
  assign unused_code = ^left_code;

endmodule
