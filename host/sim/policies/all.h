// SPDX-License-Identifier: Apache-2.0
// Makers of the victim rules, one file each beside this one. What a rule does is said there.
#pragma once

#include "host/sim/policies.h"

namespace dtrmc::sim {

using PolicyMaker = std::unique_ptr<Policy>(const PolicyParameter& parameter, const trace::Schedule& schedule,
                                            const Topology& topology);

PolicyMaker make_random;
PolicyMaker make_nbhd_penalty;
PolicyMaker make_two_phase;
PolicyMaker make_he_star;
PolicyMaker make_cost_stale;
PolicyMaker make_tie_aware;
PolicyMaker make_thrash_pen;
PolicyMaker make_t_control;

} // namespace dtrmc::sim
