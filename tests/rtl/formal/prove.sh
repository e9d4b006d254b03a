#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: prove.sh PROOF ROOT WORK [fault]
# Proofs of the RTL with the Debian tools yosys and abc. With "fault" a bug is put in, and the proof has to fail.
# Exit 77: a tool is absent.
set -eu
proof=$1
root=$2
work=$3/formal_$proof${4:-}
fault=0
[ "${4:-}" = fault ] && fault=1
mkdir -p "$work"
assertions= # those of the modules are left out where the bench proves more than they say
here=$root/tests/rtl/formal
packages="$root/rtl/generated/scoring_unit_regs_pkg.sv $root/rtl/generated/scoring_unit_log2_pkg.sv
  $root/rtl/src/scoring_unit_pkg.sv"
modules=$(ls "$root"/rtl/src/*.sv | grep -v -e _pkg.sv -e scoring_unit_apb.sv)

for tool in yosys yosys-abc; do
  command -v $tool >/dev/null || {
    echo "SKIPPED: $tool is not installed (apt-get install yosys)"
    exit 77
  }
done

# elaborate TOP PARAMETERS FILES SCRIPT DEFINES: the design as one module whose registers start undefined where nothing is said.
elaborate() {
  yosys -q -p "
    read_verilog -sv -formal $(echo $packages)
    read_verilog -sv -formal -I $root/rtl/src $assertions ${5:-} -defer $(echo $3)
    chparam $2 $1
    hierarchy -check -top $1
    proc
    flatten
    opt -full
    memory -nordff
    opt -full
    async2sync
    dffunmap
    opt_clean
    $4" >"$work/yosys.log" 2>&1 || {
    cat "$work/yosys.log"
    exit 2
  }
}

# aiger TOP PARAMETERS FILES DEFINES: for abc.
aiger() {
  elaborate "$1" "$2" "$3" "setundef -undriven -anyseq; memory_map; formalff -clk2ff -ff2anyinit; opt -full
    techmap; dffunmap; opt -fast; abc -g AND -fast; opt_clean; write_aiger -zinit $work/$1.aig" "${4:-}"
}

# unbounded TOP PARAMETERS FILES SECONDS: abc's property directed reachability.
unbounded() {
  aiger "$1" "$2" "$3"
  yosys-abc -c "read_aiger $work/$1.aig; fold; strash; pdr -T $4" >"$work/pdr.log" 2>&1
  grep -q 'Property proved' "$work/pdr.log"
}

# bounded TOP PARAMETERS FILES FRAMES SECONDS DEFINES: abc's bmc3, which has to reach all frames. Says how deep it came.
bounded() {
  aiger "$1" "$2" "$3" "${6:-}"
  yosys-abc -c "read_aiger $work/$1.aig; fold; strash; bmc3 -F $4 -T $5 -v" >"$work/bmc.log" 2>&1
  grep asserted "$work/bmc.log"
  grep -q "No output asserted in $4 frames" "$work/bmc.log"
}

compare="$root/rtl/src/scoring_unit_compress.sv $root/rtl/src/scoring_unit_compare.sv"
status=0
case $proof in
compare_laws)
  # As near_flag: frames from any state until the pipelines have filled are base case and step in one.
  bounded compare_laws "-set FAULT_INVERT_TIES $fault" \
    "$compare $root/rtl/src/scoring_unit_multiply.sv $here/compare_laws.sv" 12 3600 || status=1
  ;;
near_flag)
  if [ $fault = 1 ]; then # <= becomes <
    sed 's/apart <= a_margin/apart < a_margin/' "$root/rtl/src/scoring_unit_compare.sv" >"$work/compare.sv"
    compare="$root/rtl/src/scoring_unit_compress.sv $work/compare.sv"
  fi
  # A pipeline without feedback: what holds once it has filled holds for ever.
  bounded near_flag "" "$compare $here/multiply_free.sv $here/near_flag.sv" 8 600 || status=1
  ;;
axil_rules)
  assertions="-D SCORING_UNIT_ASSERTIONS"
  source=$root/rtl/src/scoring_unit_axil.sv
  if [ $fault = 1 ]; then # a response that is not held
    sed 's/end else if (axil_bready_i) begin/end else begin/' "$source" >"$work/axil.sv"
    source=$work/axil.sv
  fi
  unbounded axil_rules "" "$source $here/axil_rules.sv" 600 || status=1
  ;;
no_lost_update)
  assertions="-D SCORING_UNIT_ASSERTIONS"
  files="$root/rtl/src/scoring_unit_regs.sv $root/rtl/src/scoring_unit_update.sv $here/no_lost_update.sv"
  if [ $fault = 1 ]; then # full one word too late
    sed 's/level_d == LEVEL_W.(DEPTH)/level_d > LEVEL_W'"'"'(DEPTH)/' "$root/rtl/src/scoring_unit_queue.sv" >"$work/queue.sv"
    bounded no_lost_update "" "$files $work/queue.sv" 30 300 || status=1
  else
    bounded no_lost_update "" "$files $root/rtl/src/scoring_unit_queue.sv" 30 600 || status=1
  fi
  ;;
argmin)
  bounded argmin "-set FAULT_INVERT_TIES $fault" "$modules $here/argmin.sv" 140 3600 || status=1
  if [ $fault = 0 ] && bounded argmin "" "$modules $here/argmin.sv" 140 3600 "-D REACHED" >/dev/null; then
    echo "the schedule does not end within the frames"
    status=1
  fi
  ;;
*)
  echo "unknown proof $proof"
  exit 2
  ;;
esac

if [ $fault = 1 ]; then
  [ $status = 1 ] || {
    echo "$proof: the bug was not found"
    exit 1
  }
  echo "$proof: the bug is found"
  exit 0
fi
[ $status = 0 ] || {
  tail -n 30 "$work"/*.log
  echo "$proof: failed"
  exit 1
}
echo "$proof: proved"
