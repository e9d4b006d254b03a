// SPDX-License-Identifier: Apache-2.0
#include "host/report/step_plot.h"

#include <catch2/catch.hpp>

using dtrmc::report::StepMaxima;

TEST_CASE("maxima of slices, values persisting and slices merging", "[report]") {
  StepMaxima maxima(4);
  maxima.add(0, 5);
  maxima.add(1, 9); // a peak of one time unit
  maxima.add(2, 1);
  maxima.add(75, 3);
  CHECK(maxima.finish(100) == std::vector<std::uint64_t>{9, 1, 3, 3}); // merged slices are wider than a quarter at 75
  StepMaxima one(3);
  one.add(0, 2);
  CHECK(one.finish(3) == std::vector<std::uint64_t>{2, 2, 2});
  CHECK(one.finish(0) == std::vector<std::uint64_t>{0, 0, 0});
}

TEST_CASE("the plot shows bars and the limit", "[report]") {
  dtrmc::report::PlotOptions options;
  options.height = 2;
  options.unicode = false;
  options.x_left = "0";
  options.x_right = "t";
  const auto lines = dtrmc::report::plot({0, 1000, 2000}, 2000, options);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "  2.00 kB |--# budget 2.00 kB");
  CHECK(lines[1] == "  1.00 kB | ##");
  CHECK(lines[2] == "           0 t");
}

TEST_CASE("bytes for people", "[report]") {
  using dtrmc::report::short_bytes;
  CHECK(short_bytes(0) == "0 B");
  CHECK(short_bytes(999) == "999 B");
  CHECK(short_bytes(1000) == "1.00 kB");
  CHECK(short_bytes(12345678) == "12.3 MB");
  CHECK(short_bytes(123456789) == "123 MB");
  CHECK(short_bytes(999999999) == "1.00 GB");
}
