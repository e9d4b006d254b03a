// SPDX-License-Identifier: Apache-2.0
// Traces made for one purpose: decisions that recorded traces hardly ever show.
#pragma once

#include <cstdint>
#include <string>

#include "host/trace/schedule.h"

namespace dtrmc::test {

// Many storages whose scores nearly agree, differ by less than a double can show, or tie; then one decision after the
// other. Made for heuristics size and dtr-local.
trace::Schedule near_ties(std::uint64_t seed);

// A random graph with many free operators, views and duplicate arguments: under dtr-eq, classes drift to zero and
// below, so that zero, negative and positive scores meet in one pool.
trace::Schedule drifting(std::uint64_t seed, std::uint32_t operators);

// `entries` storages of random 39-bit costs and 36-bit sizes, then `decisions` more of them, each larger than any
// before: in a budget of the first ones' sizes every one needs evictions from a pool of about `entries`.
trace::Schedule wide_pool(std::uint64_t seed, std::uint32_t entries, std::uint32_t decisions);

// A chain that is dropped and asked for again from its end: materialisation as deep as the chain is long.
trace::Schedule chain(std::uint32_t length);

// The same training step again and again: forward with views and skip connections, backward with two results an
// operator, everything released where it was used last. kUpdated: each step makes new weights from the old ones and the
// gradients by operators, so that a weight can only be recomputed through all steps before.
enum class Weights { kConstant, kUpdated };
trace::Schedule training_steps(std::uint32_t layers, std::uint32_t iterations, Weights weights);

} // namespace dtrmc::test
