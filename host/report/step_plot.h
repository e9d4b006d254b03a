// SPDX-License-Identifier: Apache-2.0
// A step function over time (memory in use) as a small picture for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtrmc::report {

// Largest value of a step function in each of `columns` equal slices of time. Bounded memory for runs of any length:
// while more than twice the columns are in use, neighbouring slices are merged.
class StepMaxima {
 public:
  explicit StepMaxima(std::size_t columns) : columns_(columns) {}

  // From `time` on the value is `value`. Times do not decrease. Any unit.
  void add(std::uint64_t time, std::uint64_t value);
  // Maxima of exactly `columns` slices of [0, end), where `end` is the time of the run's end.
  std::vector<std::uint64_t> finish(std::uint64_t end) const;

 private:
  void extend_to(std::uint64_t slice);

  std::size_t columns_;
  std::uint64_t width_ = 1; // time units of one slice
  std::vector<std::uint64_t> maxima_;
  std::uint64_t value_ = 0; // now
};

struct PlotOptions {
  std::size_t height = 10; // rows
  bool unicode = true;     // block characters; otherwise # and -
  std::string x_left, x_right;
};

// Rows of text from top to bottom, a byte scale on the left, a dashed line at `limit` (bytes; 0: none).
std::vector<std::string> plot(const std::vector<std::uint64_t>& maxima, std::uint64_t limit,
                              const PlotOptions& options);

// 1234567890 -> "1.23 GB"; decimal units, three digits.
std::string short_bytes(std::uint64_t bytes);

} // namespace dtrmc::report
