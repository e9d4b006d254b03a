// SPDX-License-Identifier: Apache-2.0
// Progress of long work on a terminal: share, rate, time left, on one line of stderr that is rewritten. Silent where
// stderr is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace dtrmc::report {

class Progress {
 public:
  // `what` is done `total` times in all, counted in `unit` ("operators").
  Progress(std::string what, std::uint64_t total, std::string unit);
  ~Progress(); // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(); // cheap; looks at the clock now and then

 private:
  void draw();

  std::string what_;
  std::string unit_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::uint64_t next_look_ = 1;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
};

} // namespace dtrmc::report
