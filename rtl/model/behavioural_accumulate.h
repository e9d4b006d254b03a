// SPDX-License-Identifier: Apache-2.0
// Best of a stream of candidates, as scoring_unit_accumulate finds it: cycle by cycle, with as many minima in flight as
// a comparison has stages, so that who meets whom, and when the last one comes out, are the RTL's.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace dtrmc::unit {

template <typename Arithmetic>
class Accumulator {
 public:
  using Entry = typename Arithmetic::Entry;

  explicit Accumulator(const Arithmetic& arithmetic) : arithmetic_(arithmetic) {}

  // A cycle in which `entry` comes in, or nothing where it is null; `open`: more may come. True: winner() is the best
  // of all, in this cycle. `near` is set where a comparison is near, else left.
  bool step(const Entry* entry, bool open, bool& near) {
    Flight& flight = flights_[cycle_++ % Arithmetic::kMeetCycles];
    Flight out = std::exchange(flight, Flight{});
    if (entry != nullptr) { // meets the minimum that leaves the comparator in its cycle; the first few meet nobody
      flight.valid = true;
      if (!out.valid) ++live_;
      flight.entry = !out.valid || arithmetic_.first_wins(*entry, out.entry, near) ? *entry : out.entry;
    } else if (out.valid) {
      if (live_ == 1 && !open) {
        winner_ = out.entry;
        return true;
      }
      if (pending_.valid) {
        flight.valid = true;
        flight.entry = arithmetic_.first_wins(pending_.entry, out.entry, near) ? pending_.entry : out.entry;
        pending_.valid = false;
        --live_;
      } else {
        pending_ = out;
      }
    } else if (pending_.valid && live_ == 1 && !open) { // waits for nobody: once more through the comparator, alone
      flight = std::exchange(pending_, Flight{});
    }
    return false;
  }

  const Entry& winner() const { return winner_; }

 private:
  struct Flight {
    bool valid = false;
    Entry entry;
  };

  const Arithmetic& arithmetic_;
  std::array<Flight, Arithmetic::kMeetCycles> flights_{}; // what enters in cycle c leaves in cycle c + kMeetCycles
  Flight pending_;
  uint32_t live_ = 0; // minima in flight or pending
  uint32_t cycle_ = 0;
  Entry winner_;
};

} // namespace dtrmc::unit
