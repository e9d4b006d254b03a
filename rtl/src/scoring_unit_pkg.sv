// SPDX-License-Identifier: Apache-2.0
// Constants that the modules of the scoring unit share.
//
// A candidate travels through the search as one flat vector, always in this order, most significant first:
//   {class[2], negative, order[ORDER_W], slot[SLOT_W], magnitude[COST_W], denominator[SIZE_W + TIME_W]}
// with h = (negative ? -1 : 1) x magnitude / denominator where the class is FINITE.

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

  // Cycles through scoring_unit_multiply and scoring_unit_compare.
  localparam int MULTIPLY_LATENCY = 2;
  localparam int COMPARE_LATENCY = MULTIPLY_LATENCY + 1;

  // Width of the vector above.
  function automatic integer entry_width(input integer cost_w, input integer den_w, input integer order_w,
                                         input integer slot_w);
    entry_width = 2 + 1 + order_w + slot_w + cost_w + den_w;
  endfunction

endpackage
