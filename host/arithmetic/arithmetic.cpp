// SPDX-License-Identifier: Apache-2.0
#include "host/arithmetic/arithmetic.h"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <vector>

namespace dtrmc::arithmetic {

namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& reason) {
  throw std::invalid_argument("arithmetic '" + std::string(name) + "': " + reason);
}

std::optional<std::uint32_t> whole(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

std::uint32_t fraction_of(std::string_view name, std::string_view text) {
  const std::optional<std::uint32_t> bits = whole(text);
  if (!bits || *bits < 1 || *bits > SCORE_FRACTION_MOST) refuse(name, "the fraction has 1 to 22 bits");
  return *bits;
}

} // namespace

Format parse(std::string_view name) {
  const std::vector<std::string_view> parts = split(name);
  const std::string_view kind = parts.front();
  if (kind == "exact" && parts.size() == 1) return kExact;
  if (kind == "mitchell" && parts.size() <= 2) {
    return {SCORING_UNIT_PARAMS_ARITHMETIC_MITCHELL,
            parts.size() == 2 ? fraction_of(name, parts[1]) : unit::kDefaultLogFraction, 0};
  }
  if (kind == "log2" && parts.size() <= 3) {
    Format format{SCORING_UNIT_PARAMS_ARITHMETIC_LOG2,
                  parts.size() >= 2 ? fraction_of(name, parts[1]) : unit::kDefaultLogFraction,
                  unit::kDefaultLogSegments};
    if (parts.size() == 3) {
      const std::uint32_t segments = whole(parts[2]).value_or(0);
      format.segments = 0;
      for (std::uint32_t bits = 1; bits <= SCORING_UNIT_LOG2_SEGMENT_BITS; ++bits) {
        if (segments == 1u << bits) format.segments = bits;
      }
    } else if (format.segments > format.fraction) {
      format.segments = format.fraction;
    }
    if (format.segments == 0 || format.segments > format.fraction) {
      refuse(name, "the table has 2, 4, 8, ... 256 segments, at most 2^fraction");
    }
    return format;
  }
  if (kind.substr(0, 2) == "fp" && parts.size() == 1) {
    const std::uint32_t bits = whole(kind.substr(2)).value_or(0);
    if (bits <= unit::kFloatSignAndExponent || bits > unit::kFloatSignAndExponent + SCORE_FRACTION_MOST) {
      refuse(name, "a float has 9 to 30 bits: sign, 7 of exponent, mantissa");
    }
    return {SCORING_UNIT_PARAMS_ARITHMETIC_FLOAT, bits - unit::kFloatSignAndExponent, 0};
  }
  refuse(name, "unknown; known: exact, log2[:FRACTION_BITS[:SEGMENTS]], mitchell[:FRACTION_BITS], fpBITS such as fp24");
}

} // namespace dtrmc::arithmetic
