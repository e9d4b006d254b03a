// SPDX-License-Identifier: Apache-2.0
#include "host/report/step_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dtrmc::report {

void StepMaxima::extend_to(std::uint64_t slice) {
  while (slice >= 2 * columns_) { // merge neighbours: half as many slices, twice as wide
    std::vector<std::uint64_t> merged((maxima_.size() + 1) / 2, 0);
    for (std::size_t i = 0; i < maxima_.size(); ++i) merged[i / 2] = std::max(merged[i / 2], maxima_[i]);
    maxima_ = std::move(merged);
    width_ *= 2;
    slice /= 2;
  }
  while (maxima_.size() <= slice) maxima_.push_back(value_); // the value persists through slices without a change
}

void StepMaxima::add(std::uint64_t time, std::uint64_t value) {
  extend_to(time / width_);
  value_ = value;
  std::uint64_t& slice = maxima_.back();
  slice = std::max(slice, value);
}

std::vector<std::uint64_t> StepMaxima::finish(std::uint64_t end) const {
  std::vector<std::uint64_t> result(columns_, 0);
  if (end == 0) return result;
  for (std::size_t column = 0; column < columns_; ++column) {
    // long double: times reach 2^63, and are multiplied by the number of columns
    const auto begin_time = static_cast<std::uint64_t>(static_cast<long double>(end) * column / columns_);
    const auto end_time = static_cast<std::uint64_t>(static_cast<long double>(end) * (column + 1) / columns_);
    const std::uint64_t first = begin_time / width_;
    const std::uint64_t last = std::max(first, (std::max<std::uint64_t>(end_time, 1) - 1) / width_);
    for (std::uint64_t i = first; i <= last; ++i) {
      result[column] = std::max(result[column], i < maxima_.size() ? maxima_[i] : value_);
    }
  }
  return result;
}

std::string short_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> kUnits{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]);
}

std::vector<std::string> plot(const std::vector<std::uint64_t>& maxima, std::uint64_t limit,
                              const PlotOptions& options) {
  constexpr std::array<const char*, 9> kEighths{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::uint64_t top = limit;
  for (const std::uint64_t value : maxima) top = std::max(top, value);
  if (top == 0) top = 1;
  const std::size_t height = std::max<std::size_t>(options.height, 2);
  const double scale = static_cast<double>(height) * 8 / static_cast<double>(top);
  // the limit is drawn in the row that holds it, behind the bars
  const std::size_t limit_row =
      limit == 0 ? height : std::min(height - 1, static_cast<std::size_t>(static_cast<double>(limit) * scale / 8));
  std::vector<std::string> lines;
  for (std::size_t row = height; row-- > 0;) {
    const auto edge = static_cast<std::uint64_t>(static_cast<double>(top) * static_cast<double>(row + 1) /
                                                 static_cast<double>(height));
    const bool labelled = row == height - 1 || row == 0 || row == height / 2;
    std::string line = fmt::format("{:>9} {}", labelled ? short_bytes(edge) : "", options.unicode ? "┤" : "|");
    for (const std::uint64_t value : maxima) {
      const auto eighths = static_cast<std::size_t>(static_cast<double>(value) * scale);
      const std::size_t filled = eighths <= row * 8 ? 0 : std::min<std::size_t>(8, eighths - row * 8);
      if (filled == 0 && row == limit_row) {
        line += options.unicode ? "┄" : "-";
      } else if (options.unicode) {
        line += kEighths[filled];
      } else {
        line += filled >= 4 ? '#' : ' ';
      }
    }
    if (row == limit_row) line += fmt::format(" budget {}", short_bytes(limit));
    lines.push_back(line);
  }
  const std::size_t gap = options.x_left.size() + options.x_right.size() < maxima.size()
                              ? maxima.size() - options.x_left.size() - options.x_right.size()
                              : 1;
  lines.push_back(fmt::format("{:>9}  {}{}{}", "", options.x_left, std::string(gap, ' '), options.x_right));
  return lines;
}

} // namespace dtrmc::report
