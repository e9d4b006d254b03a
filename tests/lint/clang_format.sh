#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: clang_format.sh SOURCE_DIR: every C and C++ file is as clang-format writes it.
set -euo pipefail
cd "$1"
if ! command -v clang-format >/dev/null; then
  echo "SKIPPED: clang-format is absent (apt-get install clang-format)"
  exit 77
fi
# another version formats differently; Debian 12 has 14
if ! clang-format --version | grep -q 'version 14\.'; then
  echo "SKIPPED: $(clang-format --version); the files are formatted with version 14"
  exit 77
fi
git ls-files -z '*.c' '*.h' '*.cpp' ':!rtl/generated' ':!tests/cpu/programs' | xargs -0 -r clang-format --dry-run --Werror
echo "formatted: $(git ls-files '*.c' '*.h' '*.cpp' ':!rtl/generated' ':!tests/cpu/programs' | wc -l) files"
