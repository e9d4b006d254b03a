// SPDX-License-Identifier: Apache-2.0
// Assertions of the scoring unit, as macros. With SCORING_UNIT_ASSERTIONS defined a simulator stops at the first one that
// does not hold, with its hierarchical name and the time; X does not hold. With FORMAL beside it (yosys: read_verilog
// -formal) they are proof obligations. Otherwise, and in synthesis, they are nothing.
//
//   SCORING_UNIT_ASSERT(NAME, CLK, RST_N, CONDITION)         holds at every clock edge outside of reset
//   SCORING_UNIT_ASSERT_NEXT(NAME, CLK, RST_N, IF, THEN)     after an edge at which IF held, THEN holds at the next one
//   SCORING_UNIT_ASSERT_HELD(NAME, CLK, RST_N, IF, W, VALUE) after an edge at which IF held, VALUE is the same at the next
//   SCORING_UNIT_ASSUME_HELD(...)                            the same as a duty of whoever drives the inputs
//
// NAME, an identifier, names a generate block; RST_N is asynchronous, and forgets what held before. VALUE has W bits. They
// stand on module level, without a semicolon. What else an assertion needs is put between `ifdef SCORING_UNIT_ASSERTIONS
// and `endif. rtl/synth/synthesize.py leaves all of this out of its hash, so a name begins with SCORING_UNIT_AS.

`ifndef SCORING_UNIT_ASSERT_SVH
`define SCORING_UNIT_ASSERT_SVH

`ifdef SCORING_UNIT_ASSERTIONS
`ifdef FORMAL
`define SCORING_UNIT_ASSERTS
`define SCORING_UNIT_ASSERT_(what_, condition_) assert (condition_);
`define SCORING_UNIT_ASSUME_(what_, condition_) assume (condition_);
`else
`ifndef SYNTHESIS
`define SCORING_UNIT_ASSERTS
`define SCORING_UNIT_ASSERT_(what_, condition_) \
  if ((condition_) !== 1'b1) $fatal(1, "%s failed: %m at %0t", what_, $time);
`define SCORING_UNIT_ASSUME_(what_, condition_) `SCORING_UNIT_ASSERT_(what_, condition_)
`endif
`endif
`endif

`ifdef SCORING_UNIT_ASSERTS
`define SCORING_UNIT_ASSERT(name_, clk_, rst_n_, condition_) \
  if (1) begin : name_ \
    always @(posedge clk_ or negedge rst_n_) begin \
      if (rst_n_) begin \
        `SCORING_UNIT_ASSERT_("assertion", condition_) \
      end \
    end \
  end
`define SCORING_UNIT_ASSERT_NEXT(name_, clk_, rst_n_, if_, then_) \
  if (1) begin : name_ \
    logic due_q; \
    always @(posedge clk_ or negedge rst_n_) begin \
      if (!rst_n_) due_q <= 1'b0; \
      else begin \
        due_q <= if_; \
        `SCORING_UNIT_ASSERT_("assertion", !due_q || (then_)) \
      end \
    end \
  end
`define SCORING_UNIT_ASSERT_HELD_(name_, clk_, rst_n_, if_, width_, value_, check_, what_) \
  if (1) begin : name_ \
    logic due_q; \
    logic [(width_)-1:0] value_q; \
    always @(posedge clk_) value_q <= value_; \
    always @(posedge clk_ or negedge rst_n_) begin \
      if (!rst_n_) due_q <= 1'b0; \
      else begin \
        due_q <= if_; \
        check_(what_, !due_q || value_q == (value_)) \
      end \
    end \
  end
`define SCORING_UNIT_ASSERT_HELD(name_, clk_, rst_n_, if_, width_, value_) \
  `SCORING_UNIT_ASSERT_HELD_(name_, clk_, rst_n_, if_, width_, value_, `SCORING_UNIT_ASSERT_, "assertion")
`define SCORING_UNIT_ASSUME_HELD(name_, clk_, rst_n_, if_, width_, value_) \
  `SCORING_UNIT_ASSERT_HELD_(name_, clk_, rst_n_, if_, width_, value_, `SCORING_UNIT_ASSUME_, "assumption")
`else
`define SCORING_UNIT_ASSERT(name_, clk_, rst_n_, condition_)
`define SCORING_UNIT_ASSERT_NEXT(name_, clk_, rst_n_, if_, then_)
`define SCORING_UNIT_ASSERT_HELD(name_, clk_, rst_n_, if_, width_, value_)
`define SCORING_UNIT_ASSUME_HELD(name_, clk_, rst_n_, if_, width_, value_)
`endif

`endif
