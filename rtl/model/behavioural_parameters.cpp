// SPDX-License-Identifier: Apache-2.0
#include "rtl/model/behavioural_parameters.h"

#include <cstdlib>
#include <sstream>

#include "rtl/generated/scoring_unit_pkg.h"

namespace dtrmc::unit {

uint32_t BehaviouralParameters::tree_levels() const {
  uint32_t levels = 0;
  while ((1u << levels) < lanes) ++levels;
  return levels;
}

std::optional<BehaviouralParameters> parse_parameters(const std::string& text, std::string& why) {
  BehaviouralParameters result{};
  result.lanes = 4;
  result.depth = 512;
  result.cost_bits = pkg::COST_W;
  result.size_bits = pkg::SIZE_W;
  result.time_bits = pkg::TIME_W;
  result.order_bits = pkg::ORDER_W;
  result.queue = 16;
  uint32_t log_fraction = pkg::LOG_FRACTION_W;
  uint32_t log_segment = pkg::LOG_SEGMENT_W;
  uint32_t float_exponent = pkg::FLOAT_EXPONENT_W;
  uint32_t float_mantissa = pkg::FLOAT_MANTISSA_W;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (value == "1'b0" || value == "1'b1") value = value.back();
    char* end = nullptr;
    const unsigned long number = std::strtoul(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0') {
      why = "its parameter " + word + " is no plain number";
      return std::nullopt;
    }
    const auto count = static_cast<uint32_t>(number);
    if (name == "LANES") {
      result.lanes = count;
    } else if (name == "DEPTH") {
      result.depth = count;
    } else if (name == "COST_W") {
      result.cost_bits = count;
    } else if (name == "SIZE_W") {
      result.size_bits = count;
    } else if (name == "TIME_W") {
      result.time_bits = count;
    } else if (name == "ORDER_W") {
      result.order_bits = count;
    } else if (name == "QUEUE") {
      result.queue = count;
    } else if (name == "ARITHMETIC") {
      result.format.kind = count;
    } else if (name == "LOG_FRACTION_W") {
      log_fraction = count;
    } else if (name == "LOG_SEGMENT_W") {
      log_segment = count;
    } else if (name == "FLOAT_EXPONENT_W") {
      float_exponent = count;
    } else if (name == "FLOAT_MANTISSA_W") {
      float_mantissa = count;
    } else if (name == "SEARCH") {
      result.search = count;
    } else if (name == "CHECK_CACHE") {
      result.check_cache = count != 0;
    } else if (name == "FAULT_ENDLESS") {
      result.endless = count != 0;
    } else if (name == "FAULT_INVERT_TIES") {
      result.invert_ties = count != 0;
    } else {
      why = "the model has no parameter " + name;
      return std::nullopt;
    }
  }
  if (result.search != pkg::SCAN && result.search != pkg::CACHE) {
    why = "the model has no search " + std::to_string(result.search);
    return std::nullopt;
  }
  // FORMAT has what the arithmetic uses.
  switch (result.format.kind) {
    case pkg::EXACT:
      break;
    case pkg::LOG2:
      result.format.segments = log_segment;
      result.format.fraction = log_fraction;
      break;
    case pkg::MITCHELL:
      result.format.fraction = log_fraction;
      break;
    case pkg::FLOAT:
      result.format.fraction = float_mantissa;
      result.exponent_bits = float_exponent;
      break;
    default:
      why = "the model has no arithmetic " + std::to_string(result.format.kind);
      return std::nullopt;
  }
  return result;
}

} // namespace dtrmc::unit
