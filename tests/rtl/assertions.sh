#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: assertions.sh ROOT WORK
# The macros of rtl/src/scoring_unit_assert.svh stop a simulation that breaks a rule, in one line with name and time, under
# Icarus and Verilator; and are nothing where they are not turned on. Exit 77: a tool is absent.
root=$1
work=$2/assertions
for tool in iverilog verilator; do
  command -v $tool >/dev/null || {
    echo "SKIPPED: $tool is not installed (apt-get install $tool)"
    exit 77
  }
done
mkdir -p "$work" || exit 1
sources="$root/rtl/src/scoring_unit_queue.sv $root/rtl/src/scoring_unit_axil.sv $root/tests/rtl/assertions.sv"

failed() {
  echo "$1"
  cat "$work/log"
  exit 1
}

icarus() { # icarus CASE [OPTION]
  # shellcheck disable=SC2086
  iverilog -g2012 -Wall ${2:-} "-I$root/rtl/src" -s assertions "-Passertions.CASE=$1" -o "$work/$1.vvp" $sources >"$work/log" 2>&1 ||
    failed "iverilog, case $1"
  vvp -n "$work/$1.vvp" >>"$work/log" 2>&1
}

simulate() { # simulate CASE OPTION: Verilator
  # shellcheck disable=SC2086
  verilator --binary --timing -O0 -CFLAGS -O0 --Mdir "$work/$1" -Wno-fatal -Wno-WIDTH --top-module assertions "-GCASE=$1" \
    $2 "-I$root/rtl/src" $sources >"$work/log" 2>&1 || failed "verilator, case $1"
  "$work/$1/Vassertions" >"$work/log" 2>&1
}

# Stopped at the first edge after the rule was broken, whose rising edges are at 5, 15, ...
stops() { # stops SIMULATOR CASE LINE
  "$1" "$2" -DSCORING_UNIT_ASSERTIONS && failed "$1: case $2 goes on"
  grep -q "$3 at 1[01]5" "$work/log" || failed "$1: case $2 does not say: $3"
}

stops icarus 1 "assertion failed: assertions.u_queue.no_push_while_full"
stops icarus 2 "assertion failed: assertions.u_queue.no_push_while_full"
stops icarus 3 "assertion failed: assertions.u_axil.write_is_answered"
stops icarus 4 "assertion failed: assertions.u_axil.write_response_is_held"
stops icarus 5 "assumption failed: assertions.u_axil.write_address_is_held"
stops simulate 1 "assertion failed: TOP.assertions.u_queue.no_push_while_full"
stops simulate 5 "assumption failed: TOP.assertions.u_axil.write_address_is_held"
for case in 0 6; do # nothing wrong; in reset
  icarus $case -DSCORING_UNIT_ASSERTIONS || failed "icarus: case $case is stopped"
  grep -qx PASS "$work/log" || failed "icarus: case $case does not pass"
done
for case in 1 2 3 4 5; do
  icarus $case || failed "icarus: case $case is stopped without assertions"
  grep -qx PASS "$work/log" || failed "icarus: case $case does not pass without assertions"
done
echo "assertions: stop what breaks a rule"
