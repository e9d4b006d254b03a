// SPDX-License-Identifier: Apache-2.0
// Names of the scoring unit's arithmetics, as --arithmetic takes them and reports print them.
#pragma once

#include <string>

#include "rtl/model/score_key.h"

namespace dtrmc::unit {

inline constexpr uint32_t kDefaultLogFraction = 16;
inline constexpr uint32_t kDefaultLogSegments = 6;   // logarithm of their number
inline constexpr uint32_t kFloatSignAndExponent = 8; // bits of a float beside its mantissa: fp24 has 16 of that

// exact, log2, log2:FRACTION:SEGMENTS, mitchell, mitchell:FRACTION, fpBITS. The exponent of a float is always wide
// enough and changes nothing; BITS counts seven.
inline std::string format_name(const score_format& format) {
  const std::string fraction = std::to_string(format.fraction);
  switch (format.kind) {
    case SCORING_UNIT_PARAMS_ARITHMETIC_EXACT:
      return "exact";
    case SCORING_UNIT_PARAMS_ARITHMETIC_LOG2:
      if (format.fraction == kDefaultLogFraction && format.segments == kDefaultLogSegments) return "log2";
      return "log2:" + fraction + ":" + std::to_string(1u << format.segments);
    case SCORING_UNIT_PARAMS_ARITHMETIC_MITCHELL:
      return format.fraction == kDefaultLogFraction ? "mitchell" : "mitchell:" + fraction;
    case SCORING_UNIT_PARAMS_ARITHMETIC_FLOAT:
      return "fp" + std::to_string(format.fraction + kFloatSignAndExponent);
    default:
      return "unknown-" + std::to_string(format.kind);
  }
}

} // namespace dtrmc::unit
