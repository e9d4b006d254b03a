// SPDX-License-Identifier: Apache-2.0
// The ledger accepts a correct action sequence and names the broken rule for each incorrect one.
#include "host/ledger/ledger.h"

#include <catch2/catch.hpp>
#include <vector>

#include "firmware/protocol.h"
#include "host/trace/parser.h"

namespace {

using dtrmc::ledger::Ledger;
using dtrmc::ledger::Rule;
using dtrmc::ledger::Violation;

// Constant c (10 bytes); a = f(c) 20 bytes; b = g(a) 20 bytes; v = view(a), an alias; d = h(b, v) 5 bytes; everything
// but d is released in the end. Operators 0..4, storages c 0, a 1, b 2, d 3, tensors c 0, a 1, b 2, v 3, d 4.
// Commands: 0 constant, 1..4 compute, 5..7 release b, v, a, 8 and 9 pin c and d, 10 END.
constexpr const char* kTrace = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"}
{"INSTRUCTION":"CONSTANT","NAME":"c"}
{"INSTRUCTION":"MEMORY","NAME":"c","MEMORY":"10"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["c"],"RESULT":["a"],"TIME":"7"}
{"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":"20"}
{"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":"-1"}
{"INSTRUCTION":"CALL","NAME":"g","ARGS":["a"],"RESULT":["b"],"TIME":"8"}
{"INSTRUCTION":"MEMORY","NAME":"b","MEMORY":"20"}
{"INSTRUCTION":"ALIAS","NAME":"b","ALIAS":"-1"}
{"INSTRUCTION":"CALL","NAME":"view","ARGS":["a"],"RESULT":["v"],"TIME":"1"}
{"INSTRUCTION":"MEMORY","NAME":"v","MEMORY":"20"}
{"INSTRUCTION":"ALIAS","NAME":"v","ALIAS":"0"}
{"INSTRUCTION":"CALL","NAME":"h","ARGS":["b","v"],"RESULT":["d"],"TIME":"9"}
{"INSTRUCTION":"MEMORY","NAME":"d","MEMORY":"5"}
{"INSTRUCTION":"ALIAS","NAME":"d","ALIAS":"-1"}
{"INSTRUCTION":"RELEASE","NAME":"b"}
{"INSTRUCTION":"RELEASE","NAME":"v"}
{"INSTRUCTION":"RELEASE","NAME":"a"}
)";

std::uint32_t first(std::uint32_t op) { return DTRMC_ACTION_WORD(DTRMC_ACTION_EXECUTE_FIRST, op); }
std::uint32_t remat(std::uint32_t op) { return DTRMC_ACTION_WORD(DTRMC_ACTION_EXECUTE_REMAT, op); }
std::uint32_t policy(std::uint32_t storage) { return DTRMC_ACTION_WORD(DTRMC_ACTION_EVICT_POLICY, storage); }
std::uint32_t eager(std::uint32_t storage) { return DTRMC_ACTION_WORD(DTRMC_ACTION_EVICT_EAGER, storage); }
std::uint32_t done(std::uint32_t command) { return DTRMC_ACTION_WORD(DTRMC_ACTION_COMPLETE, command); }
std::uint32_t fail(std::uint32_t reason) { return DTRMC_ACTION_WORD(DTRMC_ACTION_FAIL, reason); }

// Everything at a budget of 55 bytes: nothing has to be evicted but what is released.
std::vector<std::uint32_t> correct_run() {
  return {first(0), done(0),  first(1), done(1), first(2), done(2), first(3), done(3), first(4),
          done(4),  eager(2), done(5),  done(6), eager(1), done(7), done(8),  done(9), done(10)};
}

struct Outcome {
  std::optional<Violation> violation;
  std::size_t at = 0; // index of the action that broke the rule
  std::uint64_t clock = 0, max_memory = 0;
};

Outcome play(std::uint64_t budget, const std::vector<std::uint32_t>& actions) {
  static const dtrmc::trace::Schedule schedule = dtrmc::trace::parse_text(kTrace, "ledger.log");
  Ledger ledger(schedule, budget, nullptr);
  Outcome outcome;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    outcome.violation = ledger.on_action(actions[i]);
    outcome.at = i;
    if (outcome.violation) break;
  }
  outcome.clock = ledger.clock();
  outcome.max_memory = ledger.max_memory();
  return outcome;
}

void expect(Rule rule, std::size_t at, const Outcome& outcome) {
  REQUIRE(outcome.violation);
  INFO(outcome.violation->text);
  CHECK(std::string(to_string(outcome.violation->rule)) == to_string(rule));
  CHECK(outcome.at == at);
}

} // namespace

TEST_CASE("ledger: a correct run passes and is accounted for", "[ledger]") {
  const Outcome outcome = play(55, correct_run());
  if (outcome.violation) FAIL(outcome.violation->text);
  CHECK(outcome.clock == 1 + 7 + 8 + 1 + 9);
  CHECK(outcome.max_memory == 55);
}

TEST_CASE("ledger: a rematerialising run passes", "[ledger]") {
  // b goes once it is made and comes back for h, which needs it
  const Outcome outcome =
      play(55, {first(0), done(0), first(1), done(1), first(2), done(2),  policy(2), first(3), done(3), remat(2),
                first(4), done(4), eager(2), done(5), done(6),  eager(1), done(7),   done(8),  done(9), done(10)});
  if (outcome.violation) FAIL(outcome.violation->text);
  CHECK(outcome.clock == 1 + 7 + 8 + 1 + 8 + 9);
}

TEST_CASE("ledger: memory above the budget", "[ledger]") {
  expect(Rule::kBudget, 8, play(54, correct_run())); // d does not fit: an eviction was skipped
  expect(Rule::kBudget, 0, play(9, correct_run()));
}

TEST_CASE("ledger: an operator runs with an input that is evicted, or a view that is not defined", "[ledger]") {
  // a goes once g has run; the view of it, next in hand, runs all the same
  expect(Rule::kInputDefined, 7,
         play(55, {first(0), done(0), first(1), done(1), first(2), policy(1), done(2), first(3)}));
  // a is back after its eviction, its view v is not: h needs v
  expect(Rule::kInputDefined, 10,
         play(55, {first(0), done(0), first(1), done(1), first(2), done(2), first(3), policy(1), done(3), remat(1),
                   first(4)}));
}

TEST_CASE("ledger: an input of the operator in hand is locked", "[ledger]") {
  // command 2 (g) is in hand and a is its input
  expect(Rule::kLockedEvicted, 4, play(55, {first(0), done(0), first(1), done(1), policy(1)}));
  // after g has run, a may go even before the completion is posted
  const Outcome later = play(55, {first(0), done(0), first(1), done(1), first(2), policy(1)});
  CHECK_FALSE(later.violation);
}

TEST_CASE("ledger: pinned, absent and referenced storages", "[ledger]") {
  expect(Rule::kPinnedEvicted, 4, play(55, {first(0), done(0), first(1), done(1), policy(0)}));
  expect(Rule::kNotResident, 4, play(55, {first(0), done(0), first(1), done(1), policy(2)}));
  expect(Rule::kReferenced, 5, play(55, {first(0), done(0), first(1), done(1), first(2), eager(2)}));
}

TEST_CASE("ledger: operators and completions in order", "[ledger]") {
  expect(Rule::kWrongOperator, 0, play(55, {first(1)}));
  expect(Rule::kWrongOperator, 0, play(55, {remat(0)}));
  expect(Rule::kWrongOperator, 1, play(55, {first(0), first(0)}));
  expect(Rule::kIncomplete, 0, play(55, {done(0)}));
  expect(Rule::kIncomplete, 1, play(55, {first(0), done(1)}));
}

TEST_CASE("ledger: outputs are resident and defined at the end", "[ledger]") {
  auto actions = correct_run();
  actions.insert(actions.begin() + 10, policy(3)); // d goes and never comes back
  expect(Rule::kOutputsAtEnd, actions.size() - 1, play(55, actions));
}

TEST_CASE("ledger: nothing follows FAIL or the end", "[ledger]") {
  expect(Rule::kAfterFail, 2, play(55, {first(0), fail(DTRMC_FAIL_OOM), done(0)}));
  auto actions = correct_run();
  actions.push_back(done(11));
  expect(Rule::kAfterFail, actions.size() - 1, play(55, actions));
}

TEST_CASE("ledger: words that mean nothing", "[ledger]") {
  expect(Rule::kUnknownAction, 0, play(55, {0u}));
  expect(Rule::kUnknownAction, 0, play(55, {0xf0000000u}));
  expect(Rule::kUnknownAction, 0, play(55, {first(99)}));
  expect(Rule::kUnknownAction, 0, play(55, {policy(99)}));
}
