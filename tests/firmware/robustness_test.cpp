// SPDX-License-Identifier: Apache-2.0
// What must not happen to the firmware: a driver that lies, a memory that is too small, hardware that is not there.
// Meant for the sanitizers.
#include <catch2/catch.hpp>
#include <random>

#include "host/command/encoder.h"
#include "host/sim/simulator.h"
#include "rtl/generated/scoring_unit_regs.h"
#include "tests/firmware/made_traces.h"
#include "tests/firmware/unit_model.h"

using namespace dtrmc;
using Record = std::vector<std::uint32_t>;

namespace {

Record compute(std::uint32_t op, std::uint32_t first_output, const Record& inputs,
               const std::vector<std::array<std::uint32_t, 4>>& outputs, std::uint64_t cost = 5) {
  Record words(DTRMC_COMPUTE_WORDS);
  words[1] = op;
  words[2] = static_cast<std::uint32_t>(inputs.size() | outputs.size() << 16);
  words[3] = static_cast<std::uint32_t>(cost);
  words[4] = static_cast<std::uint32_t>(cost >> 32);
  words.insert(words.end(), inputs.begin(), inputs.end());
  for (const auto& output : outputs) {
    words.push_back(first_output++);
    words.insert(words.end(), output.begin(), output.end());
  }
  words[0] = DTRMC_COMMAND_COMPUTE | static_cast<std::uint32_t>(words.size() << 8);
  return words;
}

Record on_tensor(dtrmc_opcode opcode, std::uint32_t tensor) { return {std::uint32_t{opcode} | 2u << 8, tensor}; }
const Record kEnd = {DTRMC_COMMAND_END | 1u << 8};
constexpr std::uint32_t kOwn = DTRMC_NO_ALIAS;

// Two good commands, then the one in question, then the end.
test::FirmwareResult after_good_ones(const Record& last) {
  return test::run_commands({compute(0, 0, {}, {{0, 8, 0, kOwn}}), compute(1, 1, {0}, {{1, 8, 0, kOwn}}), last, kEnd},
                            test::FirmwareSetup());
}

void check_refused(const Record& last) {
  const test::FirmwareResult result = after_good_ones(last);
  CHECK(result.failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(result.fault == "");
  CHECK(!result.starved);
  // The two good commands were carried out, and nothing of the bad one.
  CHECK(result.actions.size() == 5);
}

} // namespace

TEST_CASE("good commands end well") {
  const test::FirmwareResult result = after_good_ones(compute(2, 2, {1, 0, 1}, {{2, 0, 0, kOwn}, {1, 0, 0, 0}}));
  CHECK(!result.failure);
  CHECK(result.ended);
  CHECK(result.shared.clock == 16);
  CHECK(result.shared.model_compute == 15);
  CHECK(result.shared.max_nesting == 1);
}

TEST_CASE("a descriptor that contradicts itself or what came before ends as bad_command") {
  check_refused({9u | 1u << 8});                   // unknown opcode
  check_refused({DTRMC_COMMAND_END | 2u << 8, 0}); // wrong lengths
  check_refused({DTRMC_COMMAND_GET | 1u << 8});
  check_refused({DTRMC_COMMAND_PIN | 3u << 8, 0, 0});
  check_refused({DTRMC_COMMAND_COMPUTE | 5u << 8, 2, 1u << 16, 0, 0});
  check_refused({DTRMC_COMMAND_COMPUTE | 4u << 8, 2, 1u << 16, 0});
  check_refused(on_tensor(DTRMC_COMMAND_GET, 2)); // ids never given
  check_refused(on_tensor(DTRMC_COMMAND_RELEASE, 0xffffffffu));
  check_refused(on_tensor(DTRMC_COMMAND_PIN, 0x80000000u));
  check_refused(compute(3, 2, {}, {{2, 8, 0, kOwn}})); // ids with a gap or again
  check_refused(compute(1, 2, {}, {{2, 8, 0, kOwn}}));
  check_refused(compute(2, 1, {}, {{2, 8, 0, kOwn}}));
  check_refused(compute(2, 3, {}, {{2, 8, 0, kOwn}}));
  check_refused(compute(2, 0xffffffffu, {}, {{2, 8, 0, kOwn}}));
  check_refused(compute(2, 2, {}, {{1, 8, 0, kOwn}}));
  check_refused(compute(2, 2, {2}, {{2, 8, 0, kOwn}})); // its own output as input
  check_refused(compute(2, 2, {0xfffffff0u}, {{2, 8, 0, kOwn}}));
  check_refused(compute(2, 2, {0}, {}));                          // no output
  check_refused(compute(2, 2, {0}, {{0, 0, 0, 1}}));              // alias of an input that is not there
  check_refused(compute(2, 2, {0}, {{1, 0, 0, 0}}));              // alias with another storage's id
  check_refused(compute(2, 2, {0}, {{0, 8, 0, 0}}));              // alias with a size
  check_refused(compute(2, 2, {0}, {{2, 0, 0x40000001u, kOwn}})); // sizes and costs beyond 2^62 in sum
  check_refused(compute(2, 2, {0}, {{2, 0xfffffff8u, 0x3fffffffu, kOwn}}));
  check_refused(compute(2, 2, {0}, {{2, 8, 0, kOwn}}, std::uint64_t{1} << 62));
  Record too_long = compute(2, 2, {0}, {{2, 8, 0, kOwn}});
  too_long[2] += 1;
  check_refused(too_long);
  too_long[2] = 0xffffffffu;
  check_refused(too_long);
  Record constant = compute(2, 2, {}, {{2, 8, 0, kOwn}}); // a constant has no cost
  constant[0] = DTRMC_COMMAND_CONSTANT | (constant[0] & 0xffffff00u);
  check_refused(constant);
  constant = compute(2, 2, {0}, {{2, 8, 0, kOwn}}, 0); // nor inputs
  constant[0] = DTRMC_COMMAND_CONSTANT | (constant[0] & 0xffffff00u);
  check_refused(constant);
}

TEST_CASE("releasing more often than referenced ends as bad_command") {
  const test::FirmwareResult result = test::run_commands(
      {compute(0, 0, {}, {{0, 8, 0, kOwn}}), on_tensor(DTRMC_COMMAND_GET, 0), on_tensor(DTRMC_COMMAND_RELEASE, 0),
       on_tensor(DTRMC_COMMAND_RELEASE, 0), on_tensor(DTRMC_COMMAND_RELEASE, 0), kEnd},
      test::FirmwareSetup());
  CHECK(result.failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(result.actions.size() == 7);
}

TEST_CASE("a tensor is released for the last time once, and its id names another one then") {
  const auto run = [](std::vector<Record> more) {
    std::vector<Record> records{compute(0, 0, {}, {{0, 8, 0, kOwn}}), compute(1, 1, {0}, {{1, 8, 0, kOwn}})};
    records.insert(records.end(), more.begin(), more.end());
    records.push_back(kEnd);
    return test::run_commands(records, test::FirmwareSetup());
  };
  const Record last = on_tensor(DTRMC_COMMAND_RELEASE, 0 | DTRMC_RELEASE_LAST);
  CHECK(run({last}).ended);
  CHECK(run({last, compute(2, 0, {1}, {{2, 8, 0, kOwn}}), compute(3, 2, {0, 1}, {{3, 8, 0, kOwn}})}).ended);
  CHECK(run({last, last}).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(run({last, on_tensor(DTRMC_COMMAND_GET, 0)}).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(run({last, compute(2, 2, {0}, {{2, 8, 0, kOwn}})}).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(run({on_tensor(DTRMC_COMMAND_GET, 0), last}).failure == DTRMC_FAIL_BAD_COMMAND); // two references
}

TEST_CASE("a ring with impossible lengths ends as bad_command") {
  test::FirmwareSetup setup;
  CHECK(test::run_ring(Record(16, 0), 1, setup).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(test::run_ring(Record(16, DTRMC_COMMAND_GET), 1, setup).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(test::run_ring(Record(16, DTRMC_COMMAND_END | 17u << 8), 1, setup).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(test::run_ring(Record(16, 0xffffffffu), 1, setup).failure == DTRMC_FAIL_BAD_COMMAND);
  // SKIP to the end, and SKIP again at the start: no record anywhere.
  CHECK(test::run_ring(Record(16, DTRMC_COMMAND_SKIP | 16u << 8), 1, setup).failure == DTRMC_FAIL_BAD_COMMAND);
  CHECK(test::run_ring(Record(16, DTRMC_COMMAND_SKIP | 3u << 8), 1, setup).failure == DTRMC_FAIL_BAD_COMMAND);
}

TEST_CASE("noise in the ring never does more than end the run") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    // A real prefix makes the noise reach deeper.
    Record ring = compute(0, 0, {}, {{0, 8, 0, kOwn}});
    const Record more = compute(1, 1, {0, 0}, {{1, 8, 0, kOwn}, {0, 0, 0, 1}});
    ring.insert(ring.end(), more.begin(), more.end());
    Record damaged = compute(2, 3, {0, 2}, {{2, 8, 0, kOwn}, {1, 0, 0, 1}});
    for (int flips = 0; flips < 3; ++flips) {
      damaged[random() % damaged.size()] ^=
          random() % 2 == 0 ? 1u << random() % 32 : static_cast<std::uint32_t>(random());
    }
    ring.insert(ring.end(), damaged.begin(), damaged.end());
    for (int word = 0; word < 8; ++word) ring.push_back(static_cast<std::uint32_t>(random()));
    test::FirmwareSetup setup;
    setup.budget = 20;
    setup.heuristic = static_cast<std::uint32_t>(random() % DTRMC_HEURISTIC_COUNT);
    const test::FirmwareResult result = test::run_ring(ring, 4, setup);
    REQUIRE(result.fault == "");
    REQUIRE((result.failure || result.starved || !result.actions.empty()));
  }
}

TEST_CASE("an unknown configuration ends as bad_config") {
  test::FirmwareSetup setup;
  const auto fails = [](const test::FirmwareSetup& with) {
    const test::FirmwareResult result = test::run_commands({kEnd}, with);
    return result.failure == DTRMC_FAIL_BAD_CONFIG && result.actions.size() == 1 && result.fault.empty();
  };
  CHECK(!fails(setup));
  setup.heuristic = DTRMC_HEURISTIC_COUNT;
  CHECK(fails(setup));
  setup.heuristic = DTRMC_HEURISTIC_LRU;
  setup.scorer = 2;
  CHECK(fails(setup));
  setup.scorer = DTRMC_SCORER_UNIT; // and no unit: the identification reads 0
  CHECK(fails(setup));
  setup.scorer = DTRMC_SCORER_FIRMWARE;
  setup.queue_depth = DTRMC_MAILBOX_ACTION_SLOTS + 1;
  CHECK(fails(setup));
  setup.queue_depth = 1;
  test::UnitModel other(test::UnitParameters{});
  setup.unit = &other;
  CHECK(!fails(setup));
  other.id = 1;
  CHECK(fails(setup));
  other.id = SCORING_UNIT_ID_RESET;
  // Approximate, but a format without a fraction; then a kind of arithmetic that does not exist.
  other.params |= 1u << SCORING_UNIT_PARAMS_ARITHMETIC_SHIFT;
  CHECK(fails(setup));
  other.params |= 15u << SCORING_UNIT_PARAMS_ARITHMETIC_SHIFT;
  CHECK(fails(setup));
}

TEST_CASE("any size of memory ends well or as metadata_full, and never otherwise") {
  const trace::Schedule schedule = test::drifting(3, 100);
  const std::uint64_t budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
  test::FirmwareSetup setup;
  setup.budget = budget;
  for (const bool with_unit : {false, true}) {
    for (std::uint32_t heuristic = 0; heuristic < DTRMC_HEURISTIC_COUNT; ++heuristic) {
      setup.heuristic = heuristic;
      setup.arena_bytes = 1 << 20;
      test::UnitParameters parameters;
      parameters.depth = 24;
      test::UnitModel first(parameters);
      setup.unit = with_unit ? &first : nullptr;
      const test::FirmwareResult roomy = test::run_firmware(schedule, setup);
      REQUIRE(roomy.fault == "");
      REQUIRE(roomy.failure.value_or(0) != DTRMC_FAIL_METADATA_FULL);
      bool enough = false;
      std::size_t completed_before = 0;
      for (std::size_t bytes = 0; bytes <= roomy.shared.metadata_peak + 64; bytes += 8) {
        setup.arena_bytes = bytes;
        test::UnitModel unit(parameters);
        setup.unit = with_unit ? &unit : nullptr;
        const test::FirmwareResult result = test::run_firmware(schedule, setup);
        INFO("heuristic " << heuristic << ", unit " << with_unit << ", arena " << bytes);
        REQUIRE(result.fault == "");
        REQUIRE(!result.starved);
        REQUIRE(result.shared.metadata_peak <= bytes);
        if (bytes >= roomy.shared.metadata_peak) {
          REQUIRE(result.actions == roomy.actions);
          enough = true;
        } else {
          REQUIRE(result.failure == DTRMC_FAIL_METADATA_FULL);
          // All that was done is what a roomy run does, and more memory never gets less far.
          REQUIRE(std::equal(result.actions.begin(), result.actions.end() - 1, roomy.actions.begin()));
          REQUIRE(result.actions.size() >= completed_before);
          completed_before = result.actions.size();
        }
      }
      REQUIRE(enough);
    }
  }
}

TEST_CASE("runs in one process do not touch each other") {
  const trace::Schedule schedule = test::drifting(5, 100);
  test::FirmwareSetup setup;
  setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
  const test::FirmwareResult first = test::run_firmware(schedule, setup);
  test::FirmwareSetup broken = setup;
  broken.arena_bytes = 3000;
  CHECK(test::run_firmware(schedule, broken).failure == DTRMC_FAIL_METADATA_FULL);
  const test::FirmwareResult second = test::run_firmware(schedule, setup);
  CHECK(first.actions == second.actions);
  CHECK(first.shared.metadata_peak == second.shared.metadata_peak);
  CHECK(first.shared.candidates == second.shared.candidates);
}

TEST_CASE("small rings wrap with and without skipped words") {
  const trace::Schedule schedule = test::drifting(11, 200);
  test::FirmwareSetup setup;
  setup.budget = sim::unlimited_peak(schedule, sim::Runtime::kV2Eager) * 7 / 10;
  const test::FirmwareResult reference = test::run_firmware(schedule, setup);
  REQUIRE(reference.fault == "");
  for (std::uint32_t words = 48; words < 94; ++words) {
    setup.ring_words = words;
    setup.queue_depth = 1 + words % 5;
    setup.pace = test::Pace::kLazy;
    const test::FirmwareResult result = test::run_firmware(schedule, setup);
    INFO("ring of " << words);
    REQUIRE(result.fault == "");
    REQUIRE(result.actions == reference.actions);
  }
}
