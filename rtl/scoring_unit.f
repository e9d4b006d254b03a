// SPDX-License-Identifier: Apache-2.0
// Files of the scoring unit for simulators and linters, from the folder above rtl/:
//   verilator --lint-only -Wall --top-module scoring_unit -f rtl/scoring_unit.f
//   iverilog -g2012 -s scoring_unit -c rtl/scoring_unit.f
+incdir+rtl/src
rtl/generated/scoring_unit_regs_pkg.sv
rtl/generated/scoring_unit_log2_pkg.sv
rtl/src/scoring_unit_pkg.sv
rtl/src/scoring_unit.sv
rtl/src/scoring_unit_accumulate.sv
rtl/src/scoring_unit_apb.sv
rtl/src/scoring_unit_axil.sv
rtl/src/scoring_unit_cache.sv
rtl/src/scoring_unit_cache_block.sv
rtl/src/scoring_unit_cache_check.sv
rtl/src/scoring_unit_cache_keep.sv
rtl/src/scoring_unit_cache_leaf.sv
rtl/src/scoring_unit_cache_life.sv
rtl/src/scoring_unit_cache_log.sv
rtl/src/scoring_unit_cache_pipe.sv
rtl/src/scoring_unit_cache_plan.sv
rtl/src/scoring_unit_cache_tree.sv
rtl/src/scoring_unit_choose.sv
rtl/src/scoring_unit_compare.sv
rtl/src/scoring_unit_compare_float.sv
rtl/src/scoring_unit_compare_key.sv
rtl/src/scoring_unit_compress.sv
rtl/src/scoring_unit_delay.sv
rtl/src/scoring_unit_float.sv
rtl/src/scoring_unit_key_float.sv
rtl/src/scoring_unit_key_log.sv
rtl/src/scoring_unit_lane.sv
rtl/src/scoring_unit_log2.sv
rtl/src/scoring_unit_multiply.sv
rtl/src/scoring_unit_normalise.sv
rtl/src/scoring_unit_queue.sv
rtl/src/scoring_unit_ram.sv
rtl/src/scoring_unit_regs.sv
rtl/src/scoring_unit_round.sv
rtl/src/scoring_unit_search.sv
rtl/src/scoring_unit_tree.sv
rtl/src/scoring_unit_update.sv
rtl/src/scoring_unit_valid.sv
