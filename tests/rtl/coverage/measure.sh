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
units="exact-l1;cache-l2-d64;cache-l8-d448;log2-fine-l1;log2-steps-l2;mitchell-narrow-l2;fp9-l1"
benches="rtl_directed_test rtl_bus_test rtl_bus_apb_test rtl_axi_pins_test rtl_registers_test rtl_decisions_test
  rtl_cache_test rtl_arithmetic_test rtl_lockstep_test"
for tool in verilator verilator_coverage cmake ninja; do
  command -v $tool >/dev/null || {
    echo "SKIPPED: $tool is not installed"
    exit 77
  }
done
mkdir -p "$work/data" || exit 1
rm -f "$work"/data/*.dat

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
  (cd "$root" && "$build/tests/$bench") >"$work/$bench.log" 2>&1 || {
    tail -n 30 "$work/$bench.log"
    exit 1
  }
  grep '^corners of' "$work/$bench.log"
  # Together with what the benches before it have left.
  find "$work/data" -name '*.dat' -exec verilator_coverage --write "$work/merged" {} + >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
  }
  rm -f "$work"/data/*.dat
  mv "$work/merged" "$work/data/merged.dat"
done
python3 "$root/tests/rtl/coverage/report.py" "$work/data/merged.dat" "$root/tests/rtl/coverage/README.md" "$root/rtl/src"
