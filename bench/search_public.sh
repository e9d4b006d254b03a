#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: search_public.sh PROGRAM
# Every public trace with the cached search, each decision beside a scan, with 512 and 4096 slots.
shared=${DTRMC_SHARED:-../shared}
if [ ! -d "$shared/traces/public" ]; then
  echo "SKIPPED: reference data $shared/traces/public is absent (set DTRMC_SHARED to the folder that holds it)"
  exit 77
fi
set -e
traces="resnet32 unet transformer densenet121 inceptionv4 lstm treelstm unrolled_gan"
for unit in cache-l4-checked cache-l4-d4096-checked; do
  # shellcheck disable=SC2086
  "$1" $traces --heuristic dtr-eq,dtr,dtr-local,msps,lru,size --ratio 0.2,0.3,0.5 --unit $unit
done
# shellcheck disable=SC2086
"$1" lstm --ratio 0.3 --copies 12 --unit cache-l4-d4096-checked
