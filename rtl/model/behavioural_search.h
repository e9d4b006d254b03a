// SPDX-License-Identifier: Apache-2.0
// The linear search of scoring_unit_search, evaluated in one go: which candidates meet whom and when follows from the
// pipeline's events (rows issued, tree, the accumulator's interleaved minima), so that the winner, the flags and the
// number of cycles all come from one description.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "rtl/model/behavioural_accumulate.h"
#include "rtl/model/behavioural_parameters.h"
#include "rtl/model/candidate_table.h"
#include "rtl/model/lane.h"

namespace dtrmc::unit {

struct SearchOutcome {
  uint32_t cycles = 0; // BUSY is high that long, from the cycle after START
  uint32_t hold = 0;   // and this long no update is taken; not less
  uint32_t slot = 0;
  int score_class = pkg::CLASS_NONE;
  bool empty = false;
  bool near = false;
  bool mixed = false;
  bool sat = false;
};

// What scoring_unit_tree makes of the row that begins at slot `first`.
template <typename Arithmetic>
typename Arithmetic::Entry best_of_row(const Arithmetic& arithmetic, const Lane& lane, const CandidateTable& table,
                                       uint32_t first, uint32_t lanes, SearchOutcome& outcome, bool& zero,
                                       bool& negative) {
  std::array<typename Arithmetic::Entry, 16> entries{};
  for (uint32_t i = 0; i < lanes; ++i) {
    if (!table.valid(first + i)) continue;
    lane.load(table.at(first + i), first + i, entries[i], outcome.sat);
    arithmetic.complete(entries[i]);
    zero = zero || entries[i].score_class == pkg::CLASS_ZERO;
    negative = negative || (entries[i].score_class == pkg::CLASS_FINITE && entries[i].negative);
  }
  for (uint32_t distance = 1; distance < lanes; distance *= 2) {
    for (uint32_t i = 0; i < lanes; i += 2 * distance) {
      if (!arithmetic.first_wins(entries[i], entries[i + distance], outcome.near)) entries[i] = entries[i + distance];
    }
  }
  return entries[0];
}

template <typename Arithmetic>
SearchOutcome scan(const CandidateTable& table, const BehaviouralParameters& parameters, const SearchTerms& terms) {
  using Entry = typename Arithmetic::Entry;
  // Cycle 1 is the first with BUSY. Row 0 is read in it, and scoring_unit_valid looks for the highest row in three
  // stages; what leaves the lanes counts from the cycle after that is known.
  constexpr uint32_t kTopKnown = 4;
  constexpr uint32_t kFirstLeaf = std::max(kTopKnown + 1, 1 + Arithmetic::kLaneCycles);

  const Arithmetic arithmetic(parameters);
  const Lane lane(parameters, terms);
  SearchOutcome outcome;
  outcome.sat = !lane.clock_fits();
  const uint32_t rows = (table.end() + parameters.lanes - 1) / parameters.lanes;
  if (rows == 0) {
    outcome.cycles = outcome.hold = kTopKnown;
    outcome.empty = true;
    return outcome;
  }

  Accumulator<Arithmetic> accumulator(arithmetic);
  bool zero = false;
  bool negative = false;
  uint32_t row = 0;
  uint32_t cycle = kFirstLeaf + parameters.tree_levels() * Arithmetic::kMeetCycles;
  for (bool done = false; !done; ++cycle) {
    if (row < rows) {
      const uint32_t first = parameters.lanes * row++;
      const Entry best = best_of_row(arithmetic, lane, table, first, parameters.lanes, outcome, zero, negative);
      accumulator.step(&best, false, outcome.near);
      continue;
    }
    done = accumulator.step(nullptr, false, outcome.near);
  }
  outcome.cycles = outcome.hold = cycle - 1 + Arithmetic::kNearLag;
  outcome.score_class = accumulator.winner().score_class;
  outcome.slot = accumulator.winner().slot;
  outcome.mixed = zero && negative;
  return outcome;
}

} // namespace dtrmc::unit
