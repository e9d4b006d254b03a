// SPDX-License-Identifier: Apache-2.0
// Random transactions, well formed and not, through the bus at RAM, timer, mailbox and scoring unit, with a protocol
// checker before the bus and before every target; what they do is predicted by a model of bytes and words.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <systemc>

#include "firmware/protocol.h"
#include "rtl/generated/scoring_unit_regs.h"
#include "systemc/platform/bus.h"
#include "systemc/platform/mailbox.h"
#include "systemc/platform/ram.h"
#include "systemc/platform/scoring_unit_module.h"
#include "systemc/platform/timer.h"
#include "tests/tlm/checker.h"

using namespace dtrmc;

namespace {

constexpr std::uint32_t kRamBytes = 512;
constexpr int kTransactions = 40000;

struct Sink : sc_core::sc_module {
  tlm_utils::simple_target_socket<Sink, 32> socket;
  std::uint64_t words = 0;
  explicit Sink(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Sink::take);
  }
  void take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    ++words;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator, 32> socket;
  std::function<void()> program;
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
  }
  void run() {
    if (program) program();
  }
};

// One transaction with all its attributes.
struct Transaction {
  tlm::tlm_generic_payload payload;
  std::vector<std::uint8_t> data;
  std::vector<std::uint8_t> enables;

  template <typename Random>
  void draw(Random& random, std::uint64_t address) {
    const auto choose = [&](std::uint64_t n) { return random() % n; };
    const unsigned length = choose(3) == 0 ? static_cast<unsigned>(choose(20)) : 4;
    data.resize(length);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    enables.resize(choose(5) == 0 ? 1 + choose(6) : 0);
    for (auto& byte : enables) byte = choose(2) == 0 ? 0xff : 0;
    const tlm::tlm_command commands[] = {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND};
    payload.set_command(commands[choose(10) == 0 ? 2 : choose(2)]);
    payload.set_address(address);
    payload.set_data_ptr(data.empty() || choose(50) == 0 ? nullptr : data.data());
    payload.set_data_length(length);
    payload.set_streaming_width(choose(6) == 0 ? static_cast<unsigned>(choose(length + 3)) : length);
    payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    payload.set_byte_enable_length(enables.empty() || choose(20) == 0 ? 0 : static_cast<unsigned>(enables.size()));
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  bool is_word() const {
    return payload.get_data_ptr() != nullptr && payload.get_data_length() == 4 && payload.get_streaming_width() >= 4 &&
           payload.get_address() % 4 == 0 && payload.get_byte_enable_ptr() == nullptr;
  }
};

struct Top {
  platform::ClockDomain clock{1000};
  Initiator cpu{"cpu"}, driver{"driver"};
  test::Checker cpu_checker{"cpu_checker"}, driver_checker{"driver_checker"};
  test::Checker ram_checker{"ram_checker"}, timer_checker{"timer_checker"}, mailbox_checker{"mailbox_checker"},
      unit_checker{"unit_checker"};
  platform::Bus bus{"bus",
                    {{"ram", DTRMC_RAM_BASE, kRamBytes, sc_core::SC_ZERO_TIME},
                     {"timer", DTRMC_TIMER_BASE, 0x1000, clock.at(2)},
                     {"mailbox", DTRMC_MAILBOX_BASE, 0x1000, clock.at(2)},
                     {"unit", DTRMC_UNIT_BASE, SCORING_UNIT_WINDOW_BYTES, clock.at(0)}}};
  platform::Ram ram{"ram", kRamBytes, clock.at(1)};
  platform::Timer timer{"timer", clock, 1};
  platform::Mailbox mailbox{"mailbox"};
  platform::ScoringUnitModule unit{"unit", unit::make_unit("exact-l4"), clock};
  Sink sink{"sink"};

  Top() {
    cpu.socket.bind(cpu_checker.in);
    cpu_checker.out.bind(bus.cpu);
    driver.socket.bind(driver_checker.in);
    driver_checker.out.bind(bus.driver);
    bus.target(0).bind(ram_checker.in);
    ram_checker.out.bind(ram.socket);
    bus.target(1).bind(timer_checker.in);
    timer_checker.out.bind(timer.socket);
    bus.target(2).bind(mailbox_checker.in);
    mailbox_checker.out.bind(mailbox.socket);
    bus.target(3).bind(unit_checker.in);
    unit_checker.out.bind(unit.socket);
    mailbox.actions.bind(sink.socket);
  }
  std::vector<test::Checker*> checkers() {
    return {&cpu_checker, &driver_checker, &ram_checker, &timer_checker, &mailbox_checker, &unit_checker};
  }
};

// What RAM must answer and hold.
struct RamModel {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kRamBytes);

  tlm::tlm_response_status expect(const Transaction& t, std::vector<std::uint8_t>& data) {
    const std::uint64_t length = t.payload.get_data_length();
    const std::uint64_t width = t.payload.get_streaming_width();
    const std::uint64_t extent = std::min(length, width);
    const std::uint64_t offset = t.payload.get_address() - DTRMC_RAM_BASE;
    if (t.payload.get_address() < DTRMC_RAM_BASE || offset >= kRamBytes || offset + extent > kRamBytes) {
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    if (extent == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (t.payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    const unsigned enables = t.payload.get_byte_enable_length();
    if (!t.enables.empty() && enables == 0) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (t.payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (!t.enables.empty() && t.enables[i % enables] == 0) continue;
      std::uint8_t& cell = bytes[offset + i % extent];
      if (t.payload.is_write()) {
        cell = t.data[i];
      } else {
        data[i] = cell;
      }
    }
    return tlm::TLM_OK_RESPONSE;
  }
};

template <typename Socket>
unsigned debug(Socket& socket, tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return socket->transport_dbg(payload);
}

} // namespace

extern "C" int sc_main(int, char**) { return 0; }

TEST_CASE("targets keep the base protocol, whatever they are sent") {
  Top top;
  RamModel model;
  std::mt19937_64 random(11);
  std::map<tlm::tlm_response_status, int> seen;

  const auto random_address = [&](std::uint64_t window) {
    static const std::uint64_t bases[] = {DTRMC_RAM_BASE, DTRMC_RAM_BASE, DTRMC_TIMER_BASE, DTRMC_MAILBOX_BASE,
                                          DTRMC_UNIT_BASE};
    const std::uint64_t base = bases[random() % 5];
    if (random() % 20 == 0) return random() >> (random() % 40);
    const std::uint64_t size = base == DTRMC_RAM_BASE ? kRamBytes : window;
    const std::uint64_t offset = random() % (size + 16);
    return base + (random() % 4 == 0 ? offset : offset & ~std::uint64_t{3});
  };

  const auto play = [&](Initiator& initiator) {
    for (int i = 0; i < kTransactions / 2; ++i) {
      Transaction t;
      t.draw(random, random_address(random() % 2 == 0 ? 0x50 : SCORING_UNIT_WINDOW_BYTES));
      const std::uint64_t address = t.payload.get_address();
      std::vector<std::uint8_t> expected = t.data;
      std::optional<tlm::tlm_response_status> status;
      const bool in_ram = address >= DTRMC_RAM_BASE && address < DTRMC_RAM_BASE + kRamBytes;
      if (in_ram) status = model.expect(t, expected);
      sc_core::sc_time delay;
      initiator.socket->b_transport(t.payload, delay);
      const tlm::tlm_response_status got = t.payload.get_response_status();
      ++seen[got];
      INFO("address " << address << ", length " << t.data.size() << ": " << t.payload.get_response_string());
      if (in_ram) {
        REQUIRE(got == *status);
        REQUIRE(t.data == expected);
        REQUIRE(t.payload.is_dmi_allowed() == (got == tlm::TLM_OK_RESPONSE));
      } else {
        REQUIRE(!t.payload.is_dmi_allowed());
        if (t.payload.get_command() != tlm::TLM_IGNORE_COMMAND && !t.is_word()) REQUIRE(got != tlm::TLM_OK_RESPONSE);
      }
      // A register that can be read can be looked at, with the same answer and without a trace.
      if (!in_ram && got == tlm::TLM_OK_RESPONSE && t.payload.is_read()) {
        std::uint32_t word = 0, once = 0, again = 0;
        std::memcpy(&word, t.data.data(), 4);
        if (debug(initiator.socket, tlm::TLM_READ_COMMAND, address, &once, 4) == 4) {
          REQUIRE(debug(initiator.socket, tlm::TLM_READ_COMMAND, address, &again, 4) == 4);
          REQUIRE(once == word);
          REQUIRE(again == word);
        }
      }
      if (random() % 8 == 0) {
        std::uint8_t bytes[16] = {};
        const std::uint64_t at = random_address(0x50);
        const bool write = at < DTRMC_RAM_BASE && random() % 2 == 0; // writes to registers are refused
        const unsigned count =
            debug(initiator.socket, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, at, bytes, random() % 17);
        if (write) REQUIRE(count == 0);
        for (unsigned k = 0; at >= DTRMC_RAM_BASE && k < count; ++k) {
          REQUIRE(bytes[k] == model.bytes[at - DTRMC_RAM_BASE + k]);
        }
      }
      if (random() % 3 == 0) sc_core::wait(delay);
    }
  };
  top.cpu.program = [&] { play(top.cpu); };
  top.driver.program = [&] { play(top.driver); };
  sc_core::sc_start();

  for (const test::Checker* checker : top.checkers()) {
    INFO(checker->name());
    CHECK(checker->violations == std::vector<std::string>{});
    CHECK(checker->transactions > 1000);
  }
  for (const auto status : {tlm::TLM_OK_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                            tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE}) {
    CHECK(seen[status] > 50);
  }

  // DMI: RAM gives it, with its bus address; everything else does not; a new timing takes it back.
  tlm::tlm_generic_payload ask;
  tlm::tlm_dmi dmi;
  ask.set_address(DTRMC_RAM_BASE + 5);
  REQUIRE(top.cpu.socket->get_direct_mem_ptr(ask, dmi));
  CHECK(dmi.get_start_address() == DTRMC_RAM_BASE);
  CHECK(dmi.get_end_address() == DTRMC_RAM_BASE + kRamBytes - 1);
  CHECK(dmi.get_read_latency() == top.clock.at(1));
  CHECK(dmi.get_dmi_ptr()[7] == model.bytes[7]);
  for (const std::uint64_t address : {std::uint64_t{DTRMC_TIMER_BASE}, std::uint64_t{DTRMC_MAILBOX_BASE},
                                      std::uint64_t{DTRMC_UNIT_BASE}, std::uint64_t{DTRMC_RAM_BASE} + kRamBytes}) {
    ask.set_address(address);
    CHECK(!top.cpu.socket->get_direct_mem_ptr(ask, dmi));
  }
  CHECK(top.cpu_checker.invalidations == 0);
  top.ram.set_latency(top.clock.at(3));
  CHECK(top.cpu_checker.invalidations == 1);
  CHECK(top.driver_checker.invalidations == 1);
  ask.set_address(DTRMC_RAM_BASE);
  REQUIRE(top.cpu.socket->get_direct_mem_ptr(ask, dmi));
  CHECK(dmi.get_read_latency() == top.clock.at(3));
}
