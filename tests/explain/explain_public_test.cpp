// SPDX-License-Identifier: Apache-2.0
// Paper 2's holes on the traces that replay in a moment.
#include <catch2/catch.hpp>

#include "tests/explain/public_explanation.h"

using namespace dtrmc;

TEST_CASE("ResNet-32 at .104: keeping storage 612 removes the hole") {
  const auto x = test::explain_public("resnet32", 1016179144, 1046362683, 6);
  if (!x) return;
  CHECK(x->e.fails.result.failure->request == 179830912);
  CHECK(x->e.fails.result.failure->over_by == 23263709);
  CHECK(x->e.fails.result.failure->depth == 118);
  CHECK(x->e.fails.result.max_nesting == 124);
  const explain::Suspect* suspect = x->suspect(612);
  REQUIRE(suspect != nullptr);
  CHECK(suspect->why == explain::Why::kInput);
  const explain::Trial* trial = x->retaining(612);
  REQUIRE(trial != nullptr);
  CHECK(trial->result.record.status == record::Status::kOk);
  CHECK(x->overhead(trial->result) == Approx(2.24).margin(0.005));
  CHECK(x->e.trials.front().same_as_run);
}

TEST_CASE("U-Net at .424 fails at depth 8: not every hole is a cascade") {
  const auto x = test::explain_public("unet", 3551452799, 3568284329, 3);
  if (!x) return;
  REQUIRE(x->e.chain.size() == 8);
  CHECK(x->e.fails.result.failure->depth == 8);
  CHECK(x->e.fails.result.failure->over_by == 21578619);
  CHECK(x->e.fails.result.max_nesting == 17);
  CHECK(x->e.trials.front().same_as_run);
}

TEST_CASE("ResNet-32 at .110 and .111, a regime switch: half as much again, all of it for storage 612") {
  const auto x = test::explain_public("resnet32", 1106729761, 1116790940, 6);
  if (!x) return;
  CHECK(x->e.kind == explain::Kind::kCost);
  CHECK(x->overhead(x->e.works.result) == Approx(2.077).margin(0.0005));
  CHECK(x->overhead(x->e.fails.result) == Approx(3.212).margin(0.0005));
  const explain::Suspect* suspect = x->suspect(612);
  REQUIRE(suspect == &x->e.suspects.front());
  CHECK(suspect->missing.times == 1);
  CHECK(suspect->missing.first_step == x->e.failing_step);
  REQUIRE(suspect->evicted.has_value());
  CHECK(!suspect->works_evicted.has_value());
  const explain::Trial* trial = x->retaining(612);
  REQUIRE(trial != nullptr);
  CHECK(x->overhead(trial->result) == Approx(2.106).margin(0.0005));
  CHECK(std::any_of(x->e.trials.begin(), x->e.trials.end(), [&](const explain::Trial& t) {
    return t.name == "provoke" && t.result.record.clock > x->e.works.result.record.clock;
  }));
}
