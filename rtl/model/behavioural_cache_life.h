// SPDX-License-Identifier: Apache-2.0
// How long outcomes hold, as scoring_unit_cache_life, _log, _keep and _block reckon it: in sixteenths of octaves.
#pragma once

#include <cstdint>

#include "rtl/model/lane.h"

namespace dtrmc::unit {

// A duration: 0: not even now; n: for 2^((n - 1) / 16) units of time at least; kForEver.
using Life = uint32_t;
constexpr Life kForEver = (Life{1} << pkg::LIFE_W) - 1;

// scoring_unit_cache_life: of the comparison of two candidates.
Life life_of_comparison(const LaneEntry& a, const LaneEntry& b, uint32_t time_bits);

// What is left of a time, as scoring_unit_cache_keep says it.
Life life_of_time(uint64_t left);

// The last moment of a life that begins at `clock`, as scoring_unit_cache_block says it; false: it never ends within
// time_bits. Not for life 0.
bool end_of_life(Life life, uint64_t clock, uint32_t time_bits, uint64_t& until);

} // namespace dtrmc::unit
