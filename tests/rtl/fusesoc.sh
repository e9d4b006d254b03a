#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: fusesoc.sh FUSESOC ROOT WORK: the targets of the core files run. Exit 77: FuseSoC is absent.
fusesoc=$1
root=$2
work=$3/fusesoc
[ -x "$fusesoc" ] || fusesoc=$(command -v fusesoc) || {
  echo "SKIPPED: fusesoc is not installed (.venv/bin/python -m pip install -r tests/rtl/requirements.txt)"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

run() { # run ARGUMENTS...
  "$fusesoc" --cores-root "$root/rtl" --cores-root "$root/tests/rtl" run "$@" >log 2>&1
}

must() {
  run "$@" && return
  cat log
  echo "fusesoc run $* failed"
  exit 1
}

must --target lint dtrmc:ip:scoring_unit
must --target lint dtrmc:ip:scoring_unit --ARITHMETIC 1 --LANES 8
must --target lint_apb dtrmc:ip:scoring_unit
if run --target lint dtrmc:ip:scoring_unit --LANES 3; then
  echo "LANES=3 was accepted"
  exit 1
fi
must dtrmc:test:scoring_unit_bench --SEARCH 1
grep -qx PASS log || {
  cat log
  exit 1
}
echo "fusesoc: targets run"
