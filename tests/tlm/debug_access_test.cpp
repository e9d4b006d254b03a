// SPDX-License-Identifier: Apache-2.0
// Looking at a scoring unit through transport_dbg, whichever way it is modelled, leaves no trace: of two units that are
// sent the same accesses, the one that is looked at all the time answers at the same instants with the same words.
#include <tlm_utils/simple_initiator_socket.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <systemc>

#include "rtl/generated/scoring_unit_regs.h"
#include "systemc/platform/pinned_unit_module.h"
#include "systemc/platform/scoring_unit_module.h"

using namespace dtrmc;

namespace {

constexpr std::uint64_t kPeriodPs = 1000;
constexpr std::uint32_t kRegisterBytes = 0x50;

struct Access {
  bool write;
  std::uint32_t offset;
  std::uint32_t data;
  sc_core::sc_time gap; // before it
};

struct Outcome {
  tlm::tlm_response_status status;
  std::uint32_t data;
  sc_core::sc_time end;
  bool operator==(const Outcome& other) const {
    return status == other.status && data == other.data && end == other.end;
  }
};

void fill(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address, void* data,
          unsigned bytes) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

// Plays a program; where `looks`, with debug accesses of all kinds around every access.
struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator, 32> socket;
  const std::vector<Access>* program = nullptr;
  platform::UnitModule* unit = nullptr;
  bool looks = false;
  static inline int running = 0; // initiators
  std::vector<Outcome> outcomes;
  std::uint64_t looked = 0, looked_in_search = 0, refused_in_search = 0, wrong = 0;
  std::mt19937_64 random{5};

  explicit Initiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
    ++running;
  }

  unsigned debug(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    fill(payload, command, address, data, bytes);
    return socket->transport_dbg(payload);
  }

  std::optional<std::uint32_t> look(std::uint32_t offset) {
    std::uint32_t word = 0;
    if (debug(tlm::TLM_READ_COMMAND, offset, &word, 4) != 4) return std::nullopt;
    ++looked;
    return word;
  }

  // Anything a debugger may ask for; none of it writes.
  void look_around() {
    constexpr std::uint32_t kWords = (SCORING_UNIT_COUNT_OFFSET - SCORING_UNIT_RESULT_OFFSET) / 4 + 1;
    std::uint32_t words[kWords] = {};
    const auto count = debug(tlm::TLM_READ_COMMAND, SCORING_UNIT_RESULT_OFFSET, words, sizeof words);
    if (const auto result = look(SCORING_UNIT_RESULT_OFFSET)) {
      if ((*result & SCORING_UNIT_RESULT_BUSY_MASK) != 0) ++looked_in_search;
      wrong += count != sizeof words || words[0] != *result;
    } else {
      ++refused_in_search;
      wrong += count != 0;
    }
    const std::uint64_t offset = random() % 3 == 0 ? random() >> (random() % 64) : random() % kRegisterBytes;
    std::uint32_t word = 0xffffffff;
    if (offset >= SCORING_UNIT_WINDOW_BYTES) wrong += debug(tlm::TLM_READ_COMMAND, offset, &word, 4) != 0;
    wrong += debug(tlm::TLM_WRITE_COMMAND, offset, &word, 4) != 0;
    wrong += debug(tlm::TLM_WRITE_COMMAND, SCORING_UNIT_CONTROL_OFFSET, &word, 4) != 0;
    wrong += debug(tlm::TLM_READ_COMMAND, SCORING_UNIT_CANDIDATE_OFFSET, &word, 4) != 0; // cannot be read
  }

  void run() {
    for (const Access& access : *program) {
      if (looks) look_around();
      wait(access.gap);
      std::optional<std::uint32_t> seen;
      if (looks) {
        look_around();
        if (!access.write) seen = look(access.offset);
        if (unit->unit().busy()) seen.reset(); // goes on until the access
      }
      tlm::tlm_generic_payload payload;
      std::uint32_t word = access.data;
      fill(payload, access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, access.offset, &word, 4);
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      wait(delay);
      if (seen) wrong += *seen != word;
      outcomes.push_back({payload.get_response_status(), word, sc_core::sc_time_stamp()});
    }
    // Free-running clocks do not end by themselves where there are two of them.
    if (--running == 0) sc_core::sc_stop();
  }
};

// Entries, searches, and while they run further updates, looks at counters and an end by reset.
std::vector<Access> draw_program(std::size_t length) {
  std::mt19937_64 random(3);
  const auto below = [&](std::uint64_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  const auto ps = [](std::uint64_t picoseconds) { return platform::ClockDomain::from_ps(picoseconds); };
  std::vector<Access> program;
  const auto add = [&](bool write, std::uint32_t offset, std::uint32_t data) {
    // At an edge, between edges, at once, after most of a search.
    const std::uint64_t gaps[] = {0, kPeriodPs * below(4), 1 + below(7000), kPeriodPs * below(60)};
    program.push_back({write, offset, data, ps(gaps[below(4)])});
  };
  add(true, SCORING_UNIT_MODE_OFFSET, SCORING_UNIT_MODE_USE_SIZE_MASK | SCORING_UNIT_MODE_USE_STALENESS_MASK);
  while (program.size() < length) {
    const std::uint32_t slot = SCORING_UNIT_CANDIDATE_OFFSET + below(40) * SCORING_UNIT_CANDIDATE_STRIDE;
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
        add(true, slot + SCORING_UNIT_CANDIDATE_COST_LO_OFFSET, below(1000));
        add(true, slot + SCORING_UNIT_CANDIDATE_SIZE_LO_OFFSET, 1 + below(1000));
        add(true, slot + SCORING_UNIT_CANDIDATE_INSERT_OFFSET, below(1000));
        break;
      case 3:
        add(true, slot + SCORING_UNIT_CANDIDATE_REMOVE_OFFSET, 0);
        break;
      case 4:
      case 5:
        add(true, SCORING_UNIT_CLOCK_LO_OFFSET, 1000 + below(1000));
        add(true, SCORING_UNIT_CONTROL_OFFSET, SCORING_UNIT_CONTROL_START_MASK);
        break;
      case 6:
        add(true, SCORING_UNIT_CONTROL_OFFSET,
            below(8) == 0 ? SCORING_UNIT_CONTROL_SOFT_RESET_MASK : SCORING_UNIT_CONTROL_CLEAR_DONE_MASK);
        break;
      case 7:
        add(true, SCORING_UNIT_IRQ_ENABLE_OFFSET, below(2));
        break;
      case 8:
        add(false, SCORING_UNIT_COUNT_OFFSET, 0);
        break;
      default:
        add(false, 4 * below(kRegisterBytes / 4 + 2), 0);
    }
  }
  return program;
}

enum class Kind { kTlm, kRtl, kPins };

std::unique_ptr<platform::UnitModule> make(Kind kind, const char* unit, const std::string& name) {
  const platform::ClockDomain clock(1e6 / kPeriodPs);
  if (kind == Kind::kPins) {
    return std::make_unique<platform::PinnedUnitModule>(name.c_str(), unit::make_unit(unit), clock);
  }
  return std::make_unique<platform::ScoringUnitModule>(
      name.c_str(), kind == Kind::kTlm ? unit::make_behavioural_unit(unit) : unit::make_unit(unit), clock);
}

} // namespace

extern "C" int sc_main(int, char**) { return 0; }

TEST_CASE("looking at a scoring unit leaves no trace") {
  const std::vector<Access> program = draw_program(20000);
  struct Bench {
    std::string name;
    Kind kind;
    bool looks;
    std::size_t reference; // the bench of the same unit that all must equal
    std::unique_ptr<platform::UnitModule> unit;
    std::unique_ptr<Initiator> initiator;
  };
  std::vector<Bench> benches;
  for (const char* unit : {"exact-l4", "exact-l4-cache"}) {
    const std::size_t reference = benches.size();
    for (const auto& [kind, kind_name] : {std::pair{Kind::kTlm, "tlm"}, {Kind::kRtl, "rtl"}, {Kind::kPins, "pins"}}) {
      for (const bool looks : {false, true}) {
        const std::string name = std::string(unit) + '-' + kind_name + (looks ? "-looked-at" : "");
        Bench bench{name,
                    kind,
                    looks,
                    reference,
                    make(kind, unit, name),
                    std::make_unique<Initiator>((name + "-initiator").c_str())};
        bench.initiator->program = &program;
        bench.initiator->unit = bench.unit.get();
        bench.initiator->looks = looks;
        bench.initiator->socket.bind(bench.unit->target());
        benches.push_back(std::move(bench));
      }
    }
  }
  sc_core::sc_start();

  for (const Bench& bench : benches) {
    INFO(bench.name);
    const Initiator& initiator = *bench.initiator;
    const std::vector<Outcome>& expected = benches[bench.reference].initiator->outcomes;
    REQUIRE(initiator.outcomes.size() == program.size());
    for (std::size_t i = 0; i < program.size(); ++i) {
      INFO("access " << i << ": " << (program[i].write ? "write" : "read") << " at " << program[i].offset << ", "
                     << initiator.outcomes[i].end << ", " << initiator.outcomes[i].data << " instead of "
                     << expected[i].end << ", " << expected[i].data);
      REQUIRE(initiator.outcomes[i] == expected[i]);
    }
    if (!bench.looks) continue;
    CHECK(initiator.wrong == 0);
    CHECK(initiator.looked > program.size());
    if (bench.kind == Kind::kTlm) { // the model can be looked at while it searches
      CHECK(initiator.looked_in_search > 1000);
      CHECK(initiator.refused_in_search == 0);
    } else {
      CHECK(initiator.refused_in_search > 1000);
    }
  }
}
