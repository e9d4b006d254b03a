// SPDX-License-Identifier: Apache-2.0
// Which of two methods goes on with a line, by what either took near by. What is measured is work, not time, so that
// the choice is the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>

namespace dtrmc::atlas {

class MethodChoice {
 public:
  // Of the next part of the line: 0 or 1. The cheaper one as far as is known; now and then the other, the more seldom
  // the dearer it was and the more often it did not win.
  unsigned next() const {
    if (!known_[0] || !known_[1]) return known_[0] ? 1 : 0;
    const double times = cost_[1 - best()] / std::max(cost_[best()], 1.0);
    return since_trial_ >= trial_after_ * std::clamp(times, 1.0, kMostTimes) ? 1 - best() : best();
  }

  // The method took so much work for so many intervals.
  void took(unsigned method, std::uint64_t work, std::uint64_t intervals) {
    const double cost = static_cast<double>(work) / static_cast<double>(std::max<std::uint64_t>(intervals, 1));
    const bool both = known_[0] && known_[1];
    const unsigned before = best();
    cost_[method] = cost;
    known_[method] = true;
    if (!both) return;
    if (method == before) {
      ++since_trial_;
    } else {
      since_trial_ = 0;
    }
    if (best() != before) {
      trial_after_ = kFirstTrial;
    } else if (method != before) {
      trial_after_ = std::min(2 * trial_after_, kLastTrial);
    }
  }

 private:
  static constexpr unsigned kFirstTrial = 4; // parts
  static constexpr unsigned kLastTrial = 32;
  static constexpr double kMostTimes = 16;

  unsigned best() const { return cost_[1] < cost_[0] ? 1 : 0; }

  double cost_[2] = {0, 0}; // work per interval, when it was last at it
  bool known_[2] = {false, false};
  unsigned since_trial_ = 0; // parts
  unsigned trial_after_ = kFirstTrial;
};

} // namespace dtrmc::atlas
