// SPDX-License-Identifier: Apache-2.0
// Integer division to one correctly rounded double: the scores of the DTR heuristics.
#pragma once

#include <cstdint>

namespace dtrmc::sim {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

// numerator / denominator rounded once, to nearest, ties to even, as Python's int / int. |numerator| < 2^64,
// 0 < denominator < 2^127.
double rounded_quotient(Int128 numerator, UInt128 denominator);

} // namespace dtrmc::sim
