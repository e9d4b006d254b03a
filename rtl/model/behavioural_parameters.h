// SPDX-License-Identifier: Apache-2.0
// The parameters of a scoring unit's instance, for its behavioural model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rtl/model/score_key.h"

namespace dtrmc::unit {

struct BehaviouralParameters {
  uint32_t lanes;
  uint32_t depth;
  uint32_t cost_bits; // signed, sign included
  uint32_t size_bits;
  uint32_t time_bits;
  uint32_t order_bits;
  uint32_t queue; // writes that wait
  score_format format;
  uint32_t exponent_bits; // of a float
  uint32_t search;        // pkg::SCAN or pkg::CACHE
  bool check_cache;       // CHECK_CACHE: a scan runs beside a cached search
  bool endless;           // FAULT_ENDLESS
  bool invert_ties;       // FAULT_INVERT_TIES

  uint32_t rows() const { return depth / lanes; }
  uint32_t tree_levels() const; // log2(lanes)
};

// From "NAME=VALUE NAME=VALUE ...", the parameters given to dtrmc_add_scoring_unit; the others have the defaults of
// rtl/src/scoring_unit.sv. std::nullopt with `why` (the end of a sentence) where the model lacks a parameter.
std::optional<BehaviouralParameters> parse_parameters(const std::string& text, std::string& why);

} // namespace dtrmc::unit
