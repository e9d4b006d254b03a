// SPDX-License-Identifier: Apache-2.0
// The shared port in front of a scoring unit: loosely and approximately timed accesses give the same results and, as
// long as nobody else is there, the same times; two initiators at once wait for each other.
#include <tlm_utils/simple_initiator_socket.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <systemc>

#include "rtl/generated/scoring_unit_regs.h"
#include "systemc/platform/scoring_unit_module.h"
#include "systemc/platform/shared_unit_port.h"

using namespace dtrmc;

namespace {

struct Access {
  bool write;
  std::uint32_t offset;
  std::uint32_t data;
  sc_core::sc_time gap; // before it
};

struct Outcome {
  tlm::tlm_response_status status;
  std::uint32_t data;
  sc_core::sc_time begin; // the request is handed over
  sc_core::sc_time end;   // the response is there
  bool operator==(const Outcome& other) const {
    return status == other.status && data == other.data && end - begin == other.end - other.begin;
  }
};

enum class Style { kLoose, kApproximate };

// An initiator of either style, with the phases of the base protocol checked.
struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator, 32> socket;
  Style style;
  std::vector<Access> program;
  std::vector<Outcome> outcomes;
  std::vector<std::string> violations;

  Initiator(sc_core::sc_module_name name, Style how) : sc_module(name), socket("socket"), style(how) {
    socket.register_nb_transport_bw(this, &Initiator::backward);
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
  }

  void run() {
    for (Access& access : program) {
      wait(access.gap);
      tlm::tlm_generic_payload payload;
      std::uint32_t word = access.data;
      payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(access.offset);
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
      payload.set_data_length(4);
      payload.set_streaming_width(4);
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      const sc_core::sc_time begin = sc_core::sc_time_stamp();
      if (style == Style::kLoose) {
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        wait(delay);
      } else {
        stage_ = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        const auto answer = socket->nb_transport_fw(payload, phase, delay);
        if (answer != tlm::TLM_ACCEPTED) violations.emplace_back("BEGIN_REQ is accepted");
        wait(responded_);
      }
      outcomes.push_back({payload.get_response_status(), word, begin, sc_core::sc_time_stamp()});
    }
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (delay != sc_core::SC_ZERO_TIME) violations.emplace_back("phases come at their time");
    if (phase == tlm::END_REQ && stage_ == tlm::BEGIN_REQ) {
      stage_ = tlm::END_REQ;
      return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::BEGIN_RESP && stage_ == tlm::END_REQ) {
      stage_ = tlm::BEGIN_RESP;
      responded_.notify();
      phase = tlm::END_RESP;
      return tlm::TLM_UPDATED;
    }
    violations.emplace_back("END_REQ, then BEGIN_RESP");
    return tlm::TLM_COMPLETED;
  }

  tlm::tlm_phase stage_ = tlm::UNINITIALIZED_PHASE;
  sc_core::sc_event responded_;
};

// A unit with its port and initiators.
struct Bench {
  platform::ClockDomain clock{1000};
  platform::ScoringUnitModule unit;
  platform::SharedUnitPort port;
  std::deque<Initiator> initiators;

  Bench(const std::string& name, const std::vector<Style>& styles)
      : unit((name + "_unit").c_str(), unit::make_unit("exact-l4"), clock), port((name + "_port").c_str()) {
    port.unit.bind(unit.socket);
    for (std::size_t i = 0; i < styles.size(); ++i) {
      initiators.emplace_back((name + "_" + std::to_string(i)).c_str(), styles[i]);
      initiators.back().socket.bind(port.initiators);
    }
  }
};

// Fills the table, searches, reads, touches registers that do not exist.
std::vector<Access> program(std::uint64_t seed, int length) {
  std::mt19937_64 random(seed);
  std::vector<Access> result{{true, SCORING_UNIT_MODE_OFFSET, SCORING_UNIT_MODE_USE_SIZE_MASK, {}}};
  const std::uint32_t readable[] = {SCORING_UNIT_RESULT_OFFSET, SCORING_UNIT_COUNT_OFFSET, SCORING_UNIT_CYCLES_OFFSET,
                                    SCORING_UNIT_PARAMS_OFFSET, 0xffcu};
  const auto gap = [&] { return sc_core::sc_time(static_cast<double>(random() % 30) * 0.5, sc_core::SC_NS); };
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(length); ++i) {
    const std::uint32_t slot = SCORING_UNIT_CANDIDATE_OFFSET + i % 64 * SCORING_UNIT_CANDIDATE_STRIDE;
    for (const std::uint32_t field : {SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET,
                                      SCORING_UNIT_CANDIDATE_INSERT_OFFSET}) {
      result.push_back({true, slot + field, static_cast<std::uint32_t>(1 + random() % 10000), gap()});
    }
    if (random() % 4 == 0) {
      result.push_back({true, SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK, gap()});
      if (random() % 2 == 0) result.push_back({false, SCORING_UNIT_RESULT_OFFSET, 0, gap()});
    }
    result.push_back({false, readable[random() % 5], 0, gap()});
  }
  return result;
}

} // namespace

extern "C" int sc_main(int, char**) { return 0; }

TEST_CASE("loose and approximate accesses agree, and contention takes time") {
  constexpr int kLength = 300;
  Bench loose("loose", {Style::kLoose});
  Bench approximate("approximate", {Style::kApproximate});
  Bench both("both", {Style::kApproximate, Style::kApproximate, Style::kLoose});
  loose.initiators[0].program = approximate.initiators[0].program = program(3, kLength);
  // The third writes at random moments and disturbs no result: registers that hold what they are given.
  both.initiators[0].program = program(3, kLength);
  for (int i = 0; i < 2000; ++i) {
    for (const std::size_t who : {1, 2}) {
      both.initiators[who].program.push_back(
          {false, SCORING_UNIT_ID_OFFSET, 0, sc_core::sc_time(i % 7, sc_core::SC_NS)});
    }
  }
  sc_core::sc_start();

  for (const Bench* bench : {&loose, &approximate, &both}) {
    for (const Initiator& initiator : bench->initiators) {
      INFO(initiator.name());
      CHECK(initiator.violations == std::vector<std::string>{});
      CHECK(initiator.outcomes.size() == initiator.program.size());
    }
  }
  const auto& first = loose.initiators[0].outcomes;
  const auto& second = approximate.initiators[0].outcomes;
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    INFO("access " << i);
    REQUIRE(first[i] == second[i]);
  }
  CHECK(loose.port.traffic()[0].waited == 0);
  CHECK(approximate.port.traffic()[0].waited == 0);
  CHECK(approximate.port.traffic()[0].accesses == first.size());

  // Beside others everybody waits sometimes, and accesses never overlap: their times add up to no more than passed.
  sc_core::sc_time waiting;
  for (std::size_t who = 0; who < 3; ++who) {
    CHECK(both.port.traffic()[who].waited > 100);
    CHECK(both.port.traffic()[who].accesses == both.initiators[who].program.size());
    waiting += both.port.traffic()[who].waiting;
  }
  for (const Outcome& outcome : both.initiators[1].outcomes) {
    REQUIRE(outcome.status == tlm::TLM_OK_RESPONSE);
    REQUIRE(outcome.data == SCORING_UNIT_ID_RESET);
  }
  for (const Outcome& outcome : both.initiators[2].outcomes) REQUIRE(outcome.data == SCORING_UNIT_ID_RESET);
  CHECK(waiting > sc_core::SC_ZERO_TIME);
  // What the unit holds does not depend on who else reads it.
  std::size_t compared = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (loose.initiators[0].program[i].offset != SCORING_UNIT_COUNT_OFFSET) continue;
    REQUIRE(both.initiators[0].outcomes[i].data == first[i].data);
    ++compared;
  }
  CHECK(compared > 20);
}
