// SPDX-License-Identifier: Apache-2.0
#include "host/compare/aligner.h"

#include <catch2/catch.hpp>

#include "host/trace/parser.h"

using dtrmc::compare::Aligner;
using dtrmc::record::Event;
using dtrmc::record::EventKind;

namespace {

const std::vector<Event> kReference{{EventKind::kFirstRun, 0, 1},
                                    {EventKind::kFirstRun, 1, 1},
                                    {EventKind::kEvictPolicy, 1, 8},
                                    {EventKind::kRematerialize, 1, 8},
                                    {EventKind::kEvictEager, 1, 15}};

} // namespace

TEST_CASE("equal streams align and are counted", "[compare]") {
  Aligner aligner(kReference);
  for (const Event& event : kReference) aligner.on_event(event);
  aligner.finish();
  CHECK_FALSE(aligner.difference());
  CHECK(aligner.aligned() == 5);
  CHECK(aligner.counts().first_runs == 2);
  CHECK(aligner.counts().rematerializations == 1);
  CHECK(aligner.counts().policy_evictions == 1);
  CHECK(aligner.counts().eager_evictions == 1);
}

TEST_CASE("kind, id and clock each make a difference, as does a stream that ends early or late", "[compare]") {
  const auto differs_at = [](std::vector<Event> candidate) {
    Aligner aligner(kReference);
    for (const Event& event : candidate) aligner.on_event(event);
    aligner.finish();
    return aligner.difference() ? static_cast<long>(aligner.difference()->index) : -1;
  };
  auto changed = kReference;
  changed[2].kind = EventKind::kEvictEager;
  CHECK(differs_at(changed) == 2);
  changed = kReference;
  changed[3].id = 0;
  CHECK(differs_at(changed) == 3);
  changed = kReference;
  changed[1].clock = 2;
  CHECK(differs_at(changed) == 1);
  changed = kReference;
  changed.pop_back();
  CHECK(differs_at(changed) == 4);
  changed = kReference;
  changed.push_back(kReference[0]);
  CHECK(differs_at(changed) == 5);
}

TEST_CASE("the context shows both sides around the first difference", "[compare]") {
  const auto schedule = dtrmc::trace::parse_text(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"}
{"INSTRUCTION":"CONSTANT","NAME":"c"}
{"INSTRUCTION":"MEMORY","NAME":"c","MEMORY":"10"}
{"INSTRUCTION":"CALL","NAME":"f","ARGS":["c"],"RESULT":["a"],"TIME":"7"}
{"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":"20"}
{"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":"-1"}
)",
                                                 "compare.log");
  Aligner aligner(kReference);
  aligner.on_event(kReference[0]);
  aligner.on_event(kReference[1]);
  aligner.on_event({EventKind::kEvictPolicy, 0, 8});
  const auto lines = aligner.context(schedule, 1, 1);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].find("both") != std::string::npos);
  CHECK(lines[1].find("simulator") != std::string::npos);
  CHECK(lines[1].find("storage 1 a (20 bytes)") != std::string::npos);
  CHECK(lines[3].find("platform") != std::string::npos);
  CHECK(lines[3].find("storage 0 c (10 bytes)") != std::string::npos);
}
