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
