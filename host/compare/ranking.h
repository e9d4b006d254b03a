// SPDX-License-Identifier: Apache-2.0
// How clearly a decision was won: scores, the runner-up, and the margin between the two.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/sim/candidate.h"

namespace dtrmc::compare {

// The score as one correctly rounded double; +infinity where the denominator is 0.
double score(const sim::Candidate& candidate);

// "cost/(size*staleness)" with the factors that the heuristic uses, unreduced.
std::string exact_score(const sim::Candidate& candidate);

// The entry of `pool` that simrd's rule takes if the entry at `without` is not there: the last one with the smallest
// score, the scan stopping at the first 0. Nothing for a pool of that entry alone.
std::optional<std::size_t> choose(const std::vector<sim::Candidate>& pool, std::optional<std::size_t> without);

// (score(other) - score(winner)) / |score(winner)|, computed exactly and then rounded. 0: a tie, which the order
// decided. Infinite where the winner's score is 0 or the other's is infinite; negative only where the rule's stop at
// the first 0 let the larger score win.
double margin(const sim::Candidate& winner, const sim::Candidate& other);

} // namespace dtrmc::compare
