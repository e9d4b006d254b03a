// SPDX-License-Identifier: Apache-2.0
// Which arithmetic decides an eviction: simrd's (quotients rounded to binary64), or one of the scoring unit's
// approximate ones, bit for bit (rtl/model/score_key.h).
#pragma once

#include <string>
#include <string_view>

#include "rtl/model/score_format.h"

namespace dtrmc::arithmetic {

using Format = score_format;

inline constexpr Format kExact{SCORING_UNIT_PARAMS_ARITHMETIC_EXACT, 0, 0};

inline bool is_exact(const Format& format) { return format.kind == SCORING_UNIT_PARAMS_ARITHMETIC_EXACT; }

// exact | log2[:FRACTION[:SEGMENTS]] | mitchell[:FRACTION] | fpBITS, with FRACTION 1 to 22 bits, SEGMENTS a power of
// two from 2 to 256 and at most 2^FRACTION, BITS 9 to 30. Throws std::invalid_argument that says what is known.
Format parse(std::string_view name);

// The shortest name that parse() takes.
inline std::string name(const Format& format) { return unit::format_name(format); }

} // namespace dtrmc::arithmetic
