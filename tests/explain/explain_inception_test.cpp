// SPDX-License-Identifier: Apache-2.0
// The causal chain of paper 2, number by number: InceptionV4 at .2343 and .235.
#include <catch2/catch.hpp>

#include "tests/explain/public_explanation.h"

using namespace dtrmc;

TEST_CASE("InceptionV4 .2343 and .235: the chain that paper 2 found by hand") {
  const auto x = test::explain_public("inceptionv4", 2634785825, 2642657571, 2);
  if (!x) return;
  const explain::Explanation& e = x->e;
  CHECK(e.equal_evictions == 13);
  // The paper numbers what happens by the operators created until then: one more than the operator of the step.
  REQUIRE(e.works_first.has_value());
  CHECK(e.works_first->step_op + 1 == 945);

  const explain::Difference* allocation = nullptr; // of storage 3131
  for (const explain::Difference& d : e.differences) {
    const explain::Materialisation& m = e.fails.log.materialisations[d.fails];
    if (x->schedule.tensors[m.tensor].op + 1 == 2266 && m.nesting == 1) allocation = &d;
  }
  REQUIRE(allocation != nullptr);
  CHECK(allocation->equal_in_step == 14u);
  CHECK(allocation->works_shortfall == 173479);
  CHECK(allocation->fails_shortfall == 0);
  REQUIRE(allocation->works_decision.has_value());
  CHECK(e.works.log.decisions[*allocation->works_decision].victim == x->storage(932));
  CHECK(x->schedule.storages[x->storage(932)].size == 218275840);
  CHECK(x->schedule.storages[x->storage(3131)].size == 247775232);

  const explain::Suspect* suspect = x->suspect(3131);
  REQUIRE(suspect != nullptr);
  REQUIRE(suspect->evicted.has_value());
  CHECK(suspect->evicted->step_op + 1 == 2267);
  CHECK(suspect->evicted->by.request == 60211200);
  CHECK(suspect->evicted->decision.shortfall == 49367205);
  CHECK(suspect->evicted->scores->candidates == 675);
  CHECK(suspect->evicted->scores->victim.score == Approx(2.8228e-9).margin(5e-14));
  REQUIRE(suspect->evicted->scores->runner_up.has_value());
  CHECK(suspect->evicted->scores->runner_up->storage == x->storage(932));
  CHECK(suspect->evicted->scores->runner_up->score == Approx(8.175e-9).margin(5e-13));

  // Both runs evict 931, one an operator before the other.
  const explain::Suspect* moved = x->suspect(931);
  REQUIRE(moved != nullptr);
  CHECK(moved->why == explain::Why::kFirstMoved);
  REQUIRE((moved->first_evicted && moved->works_first_evicted));
  CHECK(moved->works_first_evicted->op == 944);
  CHECK(moved->first_evicted->op == 945);

  CHECK(e.failing_operator + 1 == 2270);
  CHECK(e.failing_evictions == 7342);
  CHECK(e.failing_begun == 6143);
  CHECK(e.fails.result.max_nesting == 193);
  CHECK(e.fails.result.failure->request == 8388608);
  CHECK(e.fails.result.failure->over_by == 130137);
  CHECK(e.fails.result.failure->pinned == 2634399100);

  const explain::Trial* trial = x->retaining(3131);
  REQUIRE(trial != nullptr);
  CHECK(trial->result.record.status == record::Status::kOk);
  CHECK(trial->result.record.all_evictions == 1969);
  CHECK(x->overhead(trial->result) == Approx(1.4773433).margin(5e-8));
}
