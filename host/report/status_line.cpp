// SPDX-License-Identifier: Apache-2.0
#include "host/report/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace dtrmc::report {

StatusLine::StatusLine()
    : terminal_(::isatty(STDERR_FILENO) == 1), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

StatusLine::~StatusLine() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

bool StatusLine::due() {
  if (!terminal_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return false;
  last_ = now;
  return true;
}

void StatusLine::show(const std::string& text) {
  fmt::print(stderr, "\r{}\033[K", text);
  std::fflush(stderr);
  shown_ = true;
}

double StatusLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

std::string time_left(double seconds) {
  if (!(seconds < 1e7)) return "long";
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

} // namespace dtrmc::report
