#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: measure.sh ROOT BUILD [KINDS]
# Builds in BUILD, a folder of its own, where the units below count coverage (KINDS: line, toggle or "line;toggle", the
# default); runs the C++ benches, and reports what none of them has reached beside what README.md lists. Exit 77: a tool
# is absent.
root=$1
build=$2
kinds=${3:-line;toggle}
work=$2/coverage
units="exact-l1;exact-l4-cache;log2-fine-l1;mitchell-narrow-l2;fp24-l4"
# Test cases that need other units are left out.
benches="rtl_axi_pins_test rtl_bus_apb_test rtl_extremes_test rtl_lockstep_test rtl_decisions_test"
cases() {
  case $1 in
    rtl_decisions_test) echo "random decisions: exact-l1" ;;
    rtl_lockstep_test) echo "the behavioural model*" ;;
  esac
}
for tool in verilator verilator_coverage cmake ninja; do
  command -v $tool >/dev/null || {
    echo "SKIPPED: $tool is not installed"
    exit 77
  }
done
mkdir -p "$work/data" || exit 1
rm -f "$work"/data/*

{
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDTRMC_TESTS=ON "-DDTRMC_COVERAGE_KINDS=$kinds" \
    "-DDTRMC_COVERAGE_UNITS=$units;scoring_unit_apb" &&
    # shellcheck disable=SC2086
    cmake --build "$build" --target $benches
} >"$work/log" 2>&1 || {
  tail -n 30 "$work/log"
  exit 1
}

export DTRMC_RTL_COVERAGE="$work/data"
for bench in $benches; do
  (cd "$root" && "$build/tests/$bench" "$(cases "$bench")") >"$work/$bench.log" 2>&1 || {
    tail -n 30 "$work/$bench.log"
    exit 1
  }
  grep '^corners of' "$work/$bench.log"
  # Together with what the benches before it have left; apart what was counted before the first reset was over.
  for kind in dat begin; do
    find "$work/data" -name "*.$kind" -exec verilator_coverage --write "$work/merged" {} + >"$work/log" 2>&1 || {
      cat "$work/log"
      exit 1
    }
    rm -f "$work"/data/*."$kind"
    mv "$work/merged" "$work/data/merged.$kind"
  done
done
python3 "$root/tests/rtl/coverage/report.py" "$work/data/merged.dat" "$work/data/merged.begin" \
  "$root/tests/rtl/coverage/README.md" "$root/rtl/src"
