// SPDX-License-Identifier: Apache-2.0
// One line of stderr that is rewritten while long work goes on; silent where stderr is no terminal.
#pragma once

#include <chrono>
#include <string>

namespace dtrmc::report {

class StatusLine {
 public:
  StatusLine();
  ~StatusLine(); // removes the line
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool due(); // time to show something new: five times a second, never without a terminal
  void show(const std::string& text);
  double seconds() const; // since this line was made

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
};

std::string time_left(double seconds); // "40 s", "12 min", "3.1 h"

} // namespace dtrmc::report
