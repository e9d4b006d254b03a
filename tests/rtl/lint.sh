#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: lint.sh verilator|icarus|yosys|all ROOT WORK
# The RTL in the language subset that three tools share, without a single message, with assertions and without; Icarus
# runs a bench as well. Exit 77: the tool is absent; "all" goes on without it.
tool=$1
root=$2
work=$3
include=-I$root/rtl/src
on=-DSCORING_UNIT_ASSERTIONS
packages="$root/rtl/generated/scoring_unit_regs_pkg.sv $root/rtl/generated/scoring_unit_log2_pkg.sv
  $root/rtl/src/scoring_unit_pkg.sv"
modules=$(ls "$root"/rtl/src/*.sv | grep -v _pkg.sv)
log=$work/lint_$tool.log

need() {
  command -v "$1" >/dev/null && return
  echo "SKIPPED: $1 is not installed (apt-get install $2)"
  exit 77
}

# Any word from a tool is a failure.
quiet() {
  if "$@" >"$log" 2>&1 && [ ! -s "$log" ]; then
    return
  fi
  echo "$@"
  cat "$log"
  exit 1
}

case $tool in
all)
  status=0
  for tool in verilator icarus yosys; do
    "$0" $tool "$root" "$work"
    code=$?
    [ $code = 0 ] || [ $code = 77 ] || status=1
  done
  exit $status
  ;;
verilator)
  need verilator verilator
  for parameters in "-GLANES=1 -GDEPTH=512" "-GLANES=2 -GDEPTH=64" "-GLANES=4 -GDEPTH=512" "-GLANES=4 -GDEPTH=16" \
    "-GLANES=8 -GDEPTH=16384" "-GLANES=16 -GDEPTH=16" "-GLANES=1 -GDEPTH=1" \
    "-GLANES=4 -GDEPTH=24 -GCOST_W=33 -GSIZE_W=20 -GTIME_W=24 -GORDER_W=16" \
    "-GLANES=2 -GDEPTH=32 -GCOST_W=64 -GSIZE_W=64 -GTIME_W=64" \
    "-GSEARCH=1" "-GSEARCH=1 -GDEPTH=16" "-GSEARCH=1 -GLANES=16 -GDEPTH=16384" "-GSEARCH=1 -GSIZE_W=1 -GTIME_W=2" \
    "-GSEARCH=1 -GLANES=2 -GDEPTH=24 -GCOST_W=64 -GSIZE_W=64 -GTIME_W=64" "-GSEARCH=1 -GCHECK_CACHE=1'b1" \
    "-GARITHMETIC=1" "-GARITHMETIC=1 -GLOG_FRACTION_W=8 -GLOG_SEGMENT_W=8 -GSIZE_W=1 -GTIME_W=2" \
    "-GARITHMETIC=1 -GLOG_FRACTION_W=22 -GLOG_SEGMENT_W=1 -GLANES=1 -GDEPTH=1" \
    "-GARITHMETIC=2 -GLANES=16" "-GARITHMETIC=2 -GLOG_FRACTION_W=22 -GCOST_W=64 -GSIZE_W=64 -GTIME_W=64" \
    "-GARITHMETIC=2 -GLOG_FRACTION_W=22 -GCOST_W=33 -GSIZE_W=20 -GTIME_W=24 -GORDER_W=16" \
    "-GARITHMETIC=3" "-GARITHMETIC=3 -GFLOAT_MANTISSA_W=1 -GSIZE_W=1" \
    "-GARITHMETIC=3 -GFLOAT_EXPONENT_W=8 -GFLOAT_MANTISSA_W=22 -GLANES=2 -GCOST_W=64 -GSIZE_W=64 -GTIME_W=64"; do
    # shellcheck disable=SC2086
    quiet verilator --lint-only -Wall "$include" --top-module scoring_unit $parameters $packages $modules
  done
  for parameters in "" "-GDEPTH=24 -GLANES=2" "-GLANES=1 -GDEPTH=1" "-GSEARCH=1" "-GSEARCH=1 -GLANES=2 -GDEPTH=24" \
    "-GSEARCH=1 -GLANES=16 -GDEPTH=16384" "-GARITHMETIC=1" "-GARITHMETIC=2" "-GARITHMETIC=3"; do
    # shellcheck disable=SC2086
    quiet verilator --lint-only -Wall "$include" $on --top-module scoring_unit $parameters $packages $modules
  done
  for assertions in "" $on; do
    # shellcheck disable=SC2086
    quiet verilator --lint-only -Wall "$include" $assertions --top-module scoring_unit_apb -GQUEUE=2 $packages $modules
  done
  for wrong in "-GLANES=3" "-GSEARCH=2" "-GSEARCH=1 -GLANES=1" "-GSEARCH=1 -GARITHMETIC=1" "-GARITHMETIC=4" \
    "-GARITHMETIC=1 -GLOG_SEGMENT_W=9" "-GARITHMETIC=2 -GLOG_FRACTION_W=23" \
    "-GARITHMETIC=3 -GFLOAT_EXPONENT_W=6"; do
    # shellcheck disable=SC2086
    if verilator --lint-only -Wno-fatal "$include" --top-module scoring_unit $wrong $packages $modules >"$log" 2>&1; then
      echo "$wrong was accepted"
      exit 1
    fi
  done
  ;;
icarus)
  need iverilog iverilog
  for parameters in "-Pscoring_unit.LANES=1" "-Pscoring_unit.LANES=4" "-Pscoring_unit.LANES=16" \
    "-Pscoring_unit.SEARCH=1" "-Pscoring_unit.ARITHMETIC=1" "-Pscoring_unit.ARITHMETIC=2" "-Pscoring_unit.ARITHMETIC=3"; do
    # shellcheck disable=SC2086
    quiet iverilog -g2012 -Wall "$include" -o "$work/lint_icarus.vvp" -s scoring_unit $parameters $packages $modules
  done
  # shellcheck disable=SC2086
  quiet iverilog -g2012 -Wall "$include" $on -o "$work/lint_icarus.vvp" -s scoring_unit_apb $packages $modules
  # And it runs there, in four states. An endless loop without time passing is a way to fail, too.
  for search in 0 1; do
    # shellcheck disable=SC2086
    quiet iverilog -g2012 -Wall "$include" $on -o "$work/icarus_smoke.vvp" -s icarus_smoke \
      -Picarus_smoke.SEARCH=$search $packages $modules "$root/tests/rtl/icarus_smoke.sv"
    timeout 120 vvp -n "$work/icarus_smoke.vvp" >"$log" 2>&1
    if [ "$(cat "$log")" != PASS ]; then
      cat "$log"
      echo "icarus_smoke failed, search $search"
      exit 1
    fi
  done
  ;;
yosys)
  need yosys yosys
  # The known message is about an array of registers, which is what is meant; the memories must stay memories: three
  # modules of RAM, and with logarithms two tables for each of two widths (cost and staleness have the same).
  # The cached search adds winners, their times, and where a block's winner is.
  for kind in "0 0" "1 0" "2 0" "3 0" "0 1"; do
    arithmetic=${kind% *}
    search=${kind#* }
    memories=$((3 + 3 * search))
    [ "$arithmetic" = 1 ] && memories=7
    yosys -q -w 'Replacing memory .partial_q with list of registers' -p "
      read_verilog -sv $include $on $(echo $packages $modules)
      chparam -set ARITHMETIC $arithmetic -set SEARCH $search scoring_unit_apb
      hierarchy -check -top scoring_unit_apb
      proc
      check -assert
      opt_clean
      memory -nomap
      select -assert-count $memories t:\$mem_v2
      " >"$log" 2>&1 || {
      cat "$log"
      exit 1
    }
    if grep -i warning "$log" | grep -v "partial_q"; then
      exit 1
    fi
  done
  ;;
*)
  echo "unknown tool $tool"
  exit 2
  ;;
esac
echo "$tool: clean"
