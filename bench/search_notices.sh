#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: search_notices.sh PROGRAM
# A cached search in which nothing expires: the scan beside it must stop the simulation.
if output=$("$1" lstm-recorded --ratio 0.3 --unit cache-faulty 2>&1); then
  echo "the fault was not noticed"
  exit 1
fi
case $output in
*"the cached search differs from the scan"*) ;;
*)
  echo "$output"
  exit 1
  ;;
esac
