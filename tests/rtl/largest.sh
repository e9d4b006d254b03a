#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: largest.sh ROOT WORK PACKAGE
# The largest parameters, LANES=16 and DEPTH=16384: elaborated by all three tools without a message, and simulated beside
# the behavioural model. PACKAGE: folder of rtl/generated/scoring_unit_pkg.h.
# Exit 77: a tool is absent.
root=$1
work=$2/largest
packages="$root/rtl/generated/scoring_unit_regs_pkg.sv $root/rtl/generated/scoring_unit_log2_pkg.sv
  $root/rtl/src/scoring_unit_pkg.sv"
modules=$(ls "$root"/rtl/src/*.sv | grep -v _pkg.sv)
for tool in verilator iverilog yosys; do
  command -v $tool >/dev/null || {
    echo "SKIPPED: $tool is not installed (apt-get install $tool)"
    exit 77
  }
done
mkdir -p "$work" || exit 1

failed() {
  echo "$1"
  cat "$work/log"
  exit 1
}

# shellcheck disable=SC2086
verilator --lint-only -Wall "-I$root/rtl/src" --top-module scoring_unit -GLANES=16 -GDEPTH=16384 $packages $modules >"$work/log" 2>&1 &&
  [ ! -s "$work/log" ] || failed "verilator -Wall"
# shellcheck disable=SC2086
iverilog -g2012 -Wall "-I$root/rtl/src" -o "$work/largest.vvp" -s scoring_unit -Pscoring_unit.LANES=16 -Pscoring_unit.DEPTH=16384 \
  $packages $modules >"$work/log" 2>&1 && [ ! -s "$work/log" ] || failed "iverilog -Wall"
yosys -q -w 'Replacing memory .partial_q with list of registers' -p "
  read_verilog -sv -I $root/rtl/src $(echo $packages $modules)
  chparam -set LANES 16 -set DEPTH 16384 scoring_unit
  hierarchy -check -top scoring_unit
  proc
  check -assert" >"$work/log" 2>&1 || failed yosys
grep -i warning "$work/log" | grep -v partial_q && exit 1

# Units by name are not wanted here: an empty table of them.
: >"$work/dtrmc_units.inc"
# shellcheck disable=SC2086
verilator --cc --exe --build --Mdir "$work/obj" --prefix Vlargest --top-module scoring_unit -y "$root/rtl/src" -O3 \
  --x-assign fast --x-initial fast -GLANES=16 -GDEPTH=16384 -DSCORING_UNIT_ASSERTIONS -CFLAGS "-std=c++17 -O1 -I$root -I$work -I$3" -LDFLAGS -lfmt \
  -MAKEFLAGS OPT_FAST=-O1 $packages "$root/rtl/src/scoring_unit.sv" \
  "$root/tests/rtl/largest.cpp" "$root/tests/rtl/unit_driver.cpp" "$root/tests/rtl/reference.cpp" \
  "$root/tests/rtl/lockstep_unit.cpp" "$root"/rtl/model/behavioural_*.cpp "$root/rtl/model/exact_arithmetic.cpp" \
  "$root/rtl/model/registry.cpp" -o largest >"$work/log" 2>&1 || failed "building the simulation"
"$work/obj/largest"
