// SPDX-License-Identifier: Apache-2.0
// Constants that the modules of the scoring unit share.
//
// A candidate travels through the search as one flat vector, always in this order, most significant first:
//   {class[2], negative, order[ORDER_W], slot[SLOT_W], magnitude[COST_W], denominator[SIZE_W + TIME_W]}
// with h = (negative ? -1 : 1) x magnitude / denominator where the class is FINITE. With approximate arithmetic the last
// two fields hold floats (scoring_unit_key_float), or one a key and the other nothing (scoring_unit_key_log).

package scoring_unit_pkg;

  // Default widths in bits. The public traces need 44 (unsigned), 36, 48; order numbers insertions.
  localparam int COST_W = 48; // signed, sign included
  localparam int SIZE_W = 40;
  localparam int TIME_W = 48;
  localparam int ORDER_W = 32;

  // Classes, best first: a lower code beats a higher one. The codes are those of RESULT.CLASS.
  localparam logic [1:0] CLASS_ZERO = 2'd0;
  localparam logic [1:0] CLASS_FINITE = 2'd1;
  localparam logic [1:0] CLASS_INFINITE = 2'd2;
  localparam logic [1:0] CLASS_NONE = 2'd3;

  // NEAR: the cross products differ by at most larger >> NEAR_SHIFT. Two quotients that round to one double are
  // less than 2^-52 apart (relative), so 51 catches them all.
  localparam int NEAR_SHIFT = 51;

  // Cycles of size x staleness (scoring_unit_lane), and through scoring_unit_compare.
  localparam int MULTIPLY_LATENCY = 2;
  localparam int COMPARE_LATENCY = 4;

  // Kinds of arithmetic: the codes of PARAMS.ARITHMETIC.
  localparam int EXACT = 0;
  localparam int LOG2 = 1;
  localparam int MITCHELL = 2;
  localparam int FLOAT = 3;

  // Kinds of search: the codes of PARAMS.SEARCH.
  localparam int SCAN = 0;
  localparam int CACHE = 1;

  // Default formats. LOG_FRACTION_W: bits after the point of logarithms. LOG_SEGMENT_W: logarithm of the table's length.
  localparam int LOG_FRACTION_W = 16;
  localparam int LOG_SEGMENT_W = 6;
  localparam int FLOAT_EXPONENT_W = 7; // holds COST_W and SIZE_W + TIME_W
  localparam int FLOAT_MANTISSA_W = 16; // without the leading one

  // Stages of scoring_unit_normalise (in the cached search; in a lane), _log2 (with a table), _float.
  localparam int NORMALISE_STAGES = 2;
  localparam int LANE_NORMALISE_STAGES = 3;
  localparam int LOG2_STAGES = LANE_NORMALISE_STAGES + 3;
  localparam int FLOAT_STAGES = LANE_NORMALISE_STAGES + 1;

  // Cycles from a row's address to its terms, to its entries (at least 4), and through a comparison.
  localparam int TERMS_LATENCY = 3;
  localparam int LANE_LATENCY_EXACT = TERMS_LATENCY + MULTIPLY_LATENCY;
  localparam int LANE_LATENCY_LOG2 = TERMS_LATENCY + LOG2_STAGES + 2;
  localparam int LANE_LATENCY_MITCHELL = TERMS_LATENCY + LANE_NORMALISE_STAGES + 2;
  localparam int LANE_LATENCY_FLOAT = TERMS_LATENCY + FLOAT_STAGES + 2;
  localparam int COMPARE_LATENCY_EXACT = COMPARE_LATENCY;
  localparam int COMPARE_LATENCY_LOG = 1;
  localparam int COMPARE_LATENCY_FLOAT = 3;

  // With exact arithmetic, cycles from a comparison's input to what it says about closeness.
  localparam int NEAR_LATENCY = COMPARE_LATENCY + 1;
  // Cycles that the last comparison's flags are behind its winner.
  localparam int NEAR_LAG_EXACT = NEAR_LATENCY - COMPARE_LATENCY;
  localparam int NEAR_LAG_APPROXIMATE = 0;

  function automatic integer near_lag(input integer arithmetic);
    near_lag = arithmetic == EXACT ? NEAR_LAG_EXACT : NEAR_LAG_APPROXIMATE;
  endfunction

  function automatic integer lane_latency(input integer arithmetic);
    case (arithmetic)
      LOG2: lane_latency = LANE_LATENCY_LOG2;
      MITCHELL: lane_latency = LANE_LATENCY_MITCHELL;
      FLOAT: lane_latency = LANE_LATENCY_FLOAT;
      default: lane_latency = LANE_LATENCY_EXACT;
    endcase
  endfunction

  function automatic integer compare_latency(input integer arithmetic);
    case (arithmetic)
      LOG2, MITCHELL: compare_latency = COMPARE_LATENCY_LOG;
      FLOAT: compare_latency = COMPARE_LATENCY_FLOAT;
      default: compare_latency = COMPARE_LATENCY_EXACT;
    endcase
  endfunction

  // Cached search. Cycles from a comparison's winner to how long it holds; logarithms in sixteenths; codes of durations.
  localparam int LIFE_STAGES = NORMALISE_STAGES + 1;
  localparam int LIFE_LATENCY = NEAR_LATENCY - COMPARE_LATENCY + LIFE_STAGES;
  localparam int CODE_W = 12;
  localparam int CODE_SLACK = 3;
  localparam int LIFE_W = 11;

  // Slot field of an entry in the cached search, see scoring_unit_cache_leaf.
  function automatic integer tag_width(input integer size_w, input integer time_w, input integer slot_w);
    tag_width = 3 * CODE_W + size_w + time_w + slot_w;
  endfunction

  // Blocks of LANES rows, and groups of LANES blocks; the last group may be larger than the table.
  function automatic integer groups(input integer rows, input integer lanes);
    groups = (rows + lanes * lanes - 1) / (lanes * lanes);
  endfunction

  function automatic integer group_width(input integer rows, input integer lanes);
    group_width = groups(rows, lanes) > 1 ? $clog2(groups(rows, lanes)) : 1;
  endfunction

  function automatic integer block_width(input integer rows, input integer lanes);
    block_width = $clog2(groups(rows, lanes) * lanes);
  endfunction

  // Width of the sum of three logarithms.
  function automatic integer log_key_width(input integer cost_w, input integer size_w, input integer time_w,
                                           input integer fraction_w);
    log_key_width = $clog2(cost_w + size_w + time_w) + fraction_w;
  endfunction

  // Width of the vector above.
  function automatic integer entry_width(input integer cost_w, input integer den_w, input integer order_w,
                                         input integer slot_w);
    entry_width = 2 + 1 + order_w + slot_w + cost_w + den_w;
  endfunction

endpackage
