// SPDX-License-Identifier: Apache-2.0
// main() of the plain Catch2 programs. Where a test found its reference data absent and nothing failed, the
// program returns 77, which ctest shows as skipped.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/skip.h"

int main(int argc, char** argv) {
  const int result = Catch::Session().run(argc, argv);
  if (result == 0 && dtrmc::test::skipped()) return 77;
  return result;
}
