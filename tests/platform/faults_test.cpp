// SPDX-License-Identifier: Apache-2.0
// Nothing on the platform is computed and ignored: a wrong unit and a wrong firmware change what happens, and the
// ledger stops a run for each of its rules.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "host/sim/simulator.h"
#include "host/trace/parser.h"
#include "tests/support/platform_child.h"

using namespace dtrmc;

namespace {

const trace::Schedule& schedule() {
  static const trace::Schedule value = trace::parse_file("traces/cifar-resnet32-224.log.gz");
  return value;
}

platform::PlatformConfig config_at(double ratio) {
  test::GoldenRow row;
  row.heuristic = "DTREqClass";
  row.overhead_limit = 4;
  row.budget =
      static_cast<std::uint64_t>(static_cast<double>(sim::unlimited_peak(schedule(), sim::Runtime::kV2Eager)) * ratio);
  return test::platform_config(schedule(), row);
}

std::uint32_t kind(std::uint32_t word) { return DTRMC_ACTION_KIND(word); }

// Changes the `nth` action word that `applies` to into what `change` makes of it.
platform::PlatformConfig with_fault(double ratio, std::uint32_t nth, std::function<bool(std::uint32_t)> applies,
                                    std::function<std::vector<std::uint32_t>(std::uint32_t)> change) {
  platform::PlatformConfig config = config_at(ratio);
  config.inject = [=, seen = std::uint32_t{0}](std::uint32_t word) mutable -> std::vector<std::uint32_t> {
    if (!applies(word) || seen++ != nth) return {word};
    return change(word);
  };
  return config;
}

std::string rule_of(const platform::PlatformConfig& config) {
  const test::PlatformOutcome outcome = test::run_platform_in_child(schedule(), config);
  CHECK(outcome.failed_checks.size() == (outcome.failure_rule.empty() ? 0u : 1u));
  return outcome.failure_rule;
}

bool is_policy(std::uint32_t word) { return kind(word) == DTRMC_ACTION_EVICT_POLICY; }
bool is_first(std::uint32_t word) { return kind(word) == DTRMC_ACTION_EXECUTE_FIRST; }
bool is_remat(std::uint32_t word) { return kind(word) == DTRMC_ACTION_EXECUTE_REMAT; }
bool is_complete(std::uint32_t word) { return kind(word) == DTRMC_ACTION_COMPLETE; }

std::vector<std::uint32_t> nothing(std::uint32_t) { return {}; }

} // namespace

TEST_CASE("ledger on the platform: a sound run passes", "[faults]") { CHECK(rule_of(config_at(0.3)) == ""); }

TEST_CASE("ledger on the platform: a skipped eviction ends above the budget", "[faults]") {
  CHECK(rule_of(with_fault(0.3, 0, is_policy, nothing)) == "budget");
}

TEST_CASE("ledger on the platform: use above the budget without any eviction", "[faults]") {
  platform::PlatformConfig config = config_at(0.3);
  config.inject = [](std::uint32_t word) {
    return is_policy(word) ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{word};
  };
  CHECK(rule_of(config) == "budget");
}

TEST_CASE("ledger on the platform: an evicted locked input", "[faults]") {
  // before an operator's first run its first input, which is resident and unpinned, is evicted as well
  const auto unpinned_input = [](std::uint32_t word) -> std::int64_t {
    const trace::Operator& op = schedule().operators[DTRMC_ACTION_ID(word)];
    for (std::uint32_t i = 0; i < op.input_count; ++i) {
      const trace::StorageId storage = schedule().tensors[schedule().inputs[op.first_input + i]].storage;
      const trace::Operator& maker = schedule().operators[schedule().tensors[schedule().storages[storage].root].op];
      if (maker.input_count != 0) return storage; // not a constant
    }
    return -1;
  };
  const auto applies = [=](std::uint32_t word) { return is_first(word) && unpinned_input(word) >= 0; };
  const auto change = [=](std::uint32_t word) {
    const auto storage = static_cast<std::uint32_t>(unpinned_input(word));
    return std::vector<std::uint32_t>{DTRMC_ACTION_WORD(DTRMC_ACTION_EVICT_POLICY, storage), word};
  };
  CHECK(rule_of(with_fault(0.3, 0, applies, change)) == "locked-evicted");
}

TEST_CASE("ledger on the platform: an operator runs with an input or view that is not defined", "[faults]") {
  // the first rematerialisation is left out, so whoever needs it runs without its input
  CHECK(rule_of(with_fault(0.3, 0, is_remat, nothing)) == "input-defined");
  // a view alone is left out: its storage is resident, the view is not defined
  const auto is_view = [](std::uint32_t word) {
    return is_remat(word) && schedule().tensors[schedule().operators[DTRMC_ACTION_ID(word)].first_output].alias >= 0;
  };
  CHECK(rule_of(with_fault(0.3, 0, is_view, nothing)) == "input-defined");
}

TEST_CASE("ledger on the platform: pinned and absent storages", "[faults]") {
  const auto evict = [](std::uint32_t storage) {
    return [storage](std::uint32_t word) {
      return std::vector<std::uint32_t>{DTRMC_ACTION_WORD(DTRMC_ACTION_EVICT_POLICY, storage), word};
    };
  };
  CHECK(rule_of(with_fault(0.3, 1, is_first, evict(0))) == "pinned-evicted"); // storage 0 is a constant
  const auto last = static_cast<std::uint32_t>(schedule().storages.size() - 1);
  CHECK(rule_of(with_fault(0.3, 1, is_first, evict(last))) == "not-resident");
  const auto as_eager = [](std::uint32_t word) {
    return std::vector<std::uint32_t>{DTRMC_ACTION_WORD(DTRMC_ACTION_EVICT_EAGER, DTRMC_ACTION_ID(word))};
  };
  // the first chosen victim that is still referenced, posted as if its last reference were gone
  CHECK(rule_of(with_fault(0.3, 0, is_policy, as_eager)) == "referenced");
}

TEST_CASE("ledger on the platform: a missing output at the end", "[faults]") {
  // A gradient, live at the end, is evicted in the last command but END.
  const auto commands = static_cast<std::uint32_t>(schedule().steps.size());
  const trace::Step last_pin = schedule().steps.back();
  REQUIRE(last_pin.kind == trace::StepKind::kPin);
  const trace::StorageId storage = schedule().tensors[last_pin.id].storage;
  const auto applies = [=](std::uint32_t word) { return is_complete(word) && DTRMC_ACTION_ID(word) == commands - 1; };
  const auto change = [=](std::uint32_t word) {
    return std::vector<std::uint32_t>{DTRMC_ACTION_WORD(DTRMC_ACTION_EVICT_POLICY, storage), word};
  };
  CHECK(rule_of(with_fault(0.9, 0, applies, change)) == "outputs-at-end");
}

TEST_CASE("ledger on the platform: order of operators, completions, FAIL and unknown words", "[faults]") {
  const auto into = [](std::vector<std::uint32_t> words) { return [words](std::uint32_t) { return words; }; };
  CHECK(rule_of(with_fault(0.3, 3, is_first, into({DTRMC_ACTION_WORD(DTRMC_ACTION_EXECUTE_FIRST, 77)}))) ==
        "wrong-operator");
  CHECK(rule_of(with_fault(0.3, 3, is_first, nothing)) == "incomplete");
  CHECK(rule_of(with_fault(0.3, 3, is_first, into({0xf0000000u}))) == "unknown-action");
  CHECK(rule_of(with_fault(0.3, 3, is_first,
                           into({DTRMC_ACTION_WORD(DTRMC_ACTION_FAIL, DTRMC_FAIL_OOM),
                                 DTRMC_ACTION_WORD(DTRMC_ACTION_EXECUTE_FIRST, 3)}))) == "after-fail");
}
