// SPDX-License-Identifier: Apache-2.0
// Scorers rtl, tlm and rtl-pins are one unit modelled in three ways: for both tests that say so, on either time base.
#pragma once

#include <catch2/catch.hpp>

#include "tests/support/platform_child.h"

namespace dtrmc::test {

inline nlohmann::ordered_json without_scorer(nlohmann::ordered_json fields) {
  fields.erase("scorer");
  return fields;
}

// Runs with every scorer that has a unit: the same victims, the same cycles of every activity, the same device time.
// Returns the fields that they agree on.
inline PlatformOutcome check_equal_scorers(const trace::Schedule& schedule, platform::PlatformConfig config) {
  config.scorer = platform::Scorer::kRtl;
  const PlatformOutcome reference = run_platform_in_child(schedule, config);
  CHECK(reference.failed_checks == std::vector<std::string>{});
  CHECK(reference.fields["scorer"] == "rtl");
  for (const platform::Scorer scorer : {platform::Scorer::kTlm, platform::Scorer::kRtlPins}) {
    config.scorer = scorer;
    const PlatformOutcome outcome = run_platform_in_child(schedule, config);
    INFO(platform::to_string(scorer));
    CHECK(outcome.failed_checks == std::vector<std::string>{});
    CHECK(outcome.fields["scorer"] == platform::to_string(scorer));
    CHECK(differences(outcome.record, reference.record, false) == "");
    CHECK(without_scorer(outcome.fields).dump() == without_scorer(reference.fields).dump());
  }
  return reference;
}

} // namespace dtrmc::test
