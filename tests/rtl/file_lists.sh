#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: file_lists.sh ROOT. rtl/scoring_unit.f and .core name every file of rtl/src, and tools accept the list.
cd "$1" || exit 1
status=0
for file in rtl/src/*.sv rtl/generated/*_pkg.sv; do
  grep -qx "$file" rtl/scoring_unit.f || { echo "rtl/scoring_unit.f lacks $file"; status=1; }
  grep -qx "      - ${file#rtl/}" rtl/scoring_unit.core || { echo "rtl/scoring_unit.core lacks ${file#rtl/}"; status=1; }
done
grep -q "src/scoring_unit_assert.svh: {is_include_file: true}" rtl/scoring_unit.core || {
  echo "rtl/scoring_unit.core lacks src/scoring_unit_assert.svh"
  status=1
}
for file in $(grep '\.sv$' rtl/scoring_unit.f | grep -v '^//'); do
  [ -e "$file" ] || { echo "rtl/scoring_unit.f names $file, which does not exist"; status=1; }
done
for top in scoring_unit scoring_unit_apb; do
  verilator --lint-only -Wall --top-module $top -f rtl/scoring_unit.f || status=1
done
exit $status
