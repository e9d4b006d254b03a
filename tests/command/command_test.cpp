// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "firmware/protocol.h"
#include "host/command/encoder.h"
#include "host/trace/parser.h"

using dtrmc::command::RingAllocator;

TEST_CASE("descriptors carry the trace's facts word by word", "[command]") {
  const auto schedule = dtrmc::trace::parse_text(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"}
{"INSTRUCTION":"CONSTANT","NAME":"c"}
{"INSTRUCTION":"MEMORY","NAME":"c","MEMORY":"8589934597"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["c","c"],"RESULT":["a","v"],"TIME":"4294967299"}
{"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":"20"}
{"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":"-1"}
{"INSTRUCTION":"MEMORY","NAME":"v","MEMORY":"20"}
{"INSTRUCTION":"ALIAS","NAME":"v","ALIAS":"1"}
{"INSTRUCTION":"RELEASE","NAME":"a"}
)",
                                                 "command.log");
  std::vector<std::uint32_t> words;
  const dtrmc::command::TensorIds ids(schedule);
  dtrmc::command::encode(schedule, ids, 0, words);
  CHECK(words ==
        std::vector<std::uint32_t>{DTRMC_COMMAND_CONSTANT | 10 << 8, 0, 1 << 16, 0, 0, 0, 0, 5, 2, DTRMC_NO_ALIAS});
  dtrmc::command::encode(schedule, ids, 1, words);
  CHECK(words == std::vector<std::uint32_t>{DTRMC_COMMAND_COMPUTE | 17 << 8, 1, 2 | 2 << 16, 3, 1, 0, 0, 1, 1, 20, 0,
                                            DTRMC_NO_ALIAS, 2, 0, 0, 0, 1});
  dtrmc::command::encode(schedule, ids, 2, words);
  CHECK(words == std::vector<std::uint32_t>{DTRMC_COMMAND_RELEASE | 2 << 8, 1 | DTRMC_RELEASE_LAST});
  dtrmc::command::encode(schedule, ids, schedule.steps.size(), words);
  CHECK(words == std::vector<std::uint32_t>{DTRMC_COMMAND_END | 1 << 8});
  CHECK_NOTHROW(dtrmc::command::check_encodable(schedule, 34));
  CHECK_THROWS_AS(dtrmc::command::check_encodable(schedule, 32), dtrmc::command::EncodeError);
}

TEST_CASE("tensor ids are used again after the last release, and only then", "[command]") {
  std::string text = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"}
)";
  const auto call = [&](const std::string& result, const std::string& arguments) {
    text += R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[)" + arguments + R"(],"RESULT":[")" + result +
            R"("],"TIME":"1"}
{"INSTRUCTION":"MEMORY","NAME":")" +
            result + R"(","MEMORY":"8"}
{"INSTRUCTION":"ALIAS","NAME":")" +
            result + R"(","ALIAS":"-1"}
)";
  };
  const auto release = [&](const std::string& name) {
    text += R"({"INSTRUCTION":"RELEASE","NAME":")" + name + "\"}\n";
  };
  call("a", "");
  release("a"); // step 1, not the last mention
  call("b", R"("a")");
  text += R"({"INSTRUCTION":"COPY","DST":"c","SRC":"b"}
)";
  release("b"); // step 4: c is left
  release("c"); // step 5: nobody is
  call("d", "");
  call("e", "");
  const auto schedule = dtrmc::trace::parse_text(text, "ids.log");
  const dtrmc::command::TensorIds ids(schedule);
  CHECK(ids.of_tensor == std::vector<std::uint32_t>{0, 1, 1, 2});
  CHECK(ids.count == 3);
  std::vector<std::size_t> last;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    if (ids.last_mention[i]) last.push_back(i);
  }
  CHECK(last == std::vector<std::size_t>{5});
}

TEST_CASE("ring records never overlap what is incomplete and never wrap", "[command]") {
  const std::uint32_t capacity = 64;
  std::mt19937 random(7);
  RingAllocator ring(capacity);
  std::deque<RingAllocator::Place> places;
  std::deque<std::uint32_t> lengths;
  std::vector<int> owner(capacity, -1); // which record, by number
  int number = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t words = 1 + random() % RingAllocator::largest_record(capacity);
    const auto place = ring.place(words);
    if (place) {
      REQUIRE(place->offset + words <= capacity);
      if (place->skip_words != 0) {
        REQUIRE(place->offset == 0);
        REQUIRE(place->skip_offset + place->skip_words == capacity);
        for (std::uint32_t k = 0; k < place->skip_words; ++k) REQUIRE(owner[place->skip_offset + k] == -1);
      }
      for (std::uint32_t k = 0; k < words; ++k) {
        REQUIRE(owner[place->offset + k] == -1);
        owner[place->offset + k] = number;
      }
      ++number;
      places.push_back(*place);
      lengths.push_back(words);
    }
    if (!places.empty() && (!place || random() % 3 == 0)) {
      for (std::uint32_t k = 0; k < lengths.front(); ++k) owner[places.front().offset + k] = -1;
      places.pop_front();
      lengths.pop_front();
      ring.complete();
    } else {
      REQUIRE((place || !places.empty())); // an empty ring takes every record up to half its size
    }
  }
  CHECK(number > 5000);
  CHECK_FALSE(RingAllocator(capacity).place(capacity / 2 + 1));
  CHECK_FALSE(RingAllocator(capacity).place(0));
}
