// SPDX-License-Identifier: Apache-2.0
#include "host/report/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace dtrmc::report {

Progress::Progress(std::string what, std::uint64_t total, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::advance() {
  ++done_;
  if (!terminal_ || done_ < next_look_) return;
  const auto now = std::chrono::steady_clock::now();
  next_look_ = done_ + 16;
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  draw();
}

void Progress::draw() {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  const double rate = static_cast<double>(done_) / passed.count();
  const double left = static_cast<double>(total_ - std::min(done_, total_)) / rate;
  fmt::print(stderr, "\r{}: {}/{} {} ({:.0f} %), {:.0f}/s, {:.0f} s left\033[K", what_, done_, total_, unit_,
             total_ == 0 ? 100.0 : 100.0 * static_cast<double>(done_) / static_cast<double>(total_), rate, left);
  std::fflush(stderr);
  drawn_ = true;
}

} // namespace dtrmc::report
