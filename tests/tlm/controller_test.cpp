// SPDX-License-Identifier: Apache-2.0
// The controller in a top of its own, without the platform: protocol checkers at all its sockets, an accelerator that
// reports through the register DONE, and RAM whose wait states change while the firmware runs.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <systemc>

#include "firmware/image.h"
#include "host/command/descriptor.h"
#include "systemc/platform/controller.h"
#include "systemc/platform/register_access.h"
#include "tests/tlm/checker.h"

using namespace dtrmc;

namespace {

struct Host : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Host, 32> socket;
  platform::Controller& controller;
  std::uint64_t position = 0; // bytes in the ring

  Host(sc_core::sc_module_name name, platform::Controller& target)
      : sc_module(name), socket("socket"), controller(target) {}

  tlm::tlm_response_status write(std::uint64_t address, std::vector<std::uint32_t> words) {
    tlm::tlm_generic_payload payload;
    const auto bytes = static_cast<unsigned>(4 * words.size());
    payload.set_write();
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  void command(const std::vector<std::uint32_t>& words) {
    REQUIRE(write(controller.ring_address() + position, words) == tlm::TLM_OK_RESPONSE);
    position += 4 * words.size();
    REQUIRE(write(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_DOORBELL, {1}) == tlm::TLM_OK_RESPONSE);
  }
};

struct Device : sc_core::sc_module {
  tlm_utils::simple_target_socket<Device, 32> actions;
  tlm_utils::simple_initiator_socket<Device, 32> reports;
  std::vector<std::uint32_t> words;
  std::size_t done = 0;
  sc_core::sc_event arrived;

  explicit Device(sc_core::sc_module_name name) : sc_module(name), actions("actions"), reports("reports") {
    actions.register_b_transport(this, &Device::take);
    SC_HAS_PROCESS(Device);
    SC_THREAD(work);
  }
  void take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    std::uint32_t word;
    std::memcpy(&word, payload.get_data_ptr(), 4);
    words.push_back(word);
    arrived.notify(sc_core::SC_ZERO_TIME);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void work() {
    for (;;) {
      while (done == words.size()) wait(arrived);
      wait(sc_core::sc_time(100, sc_core::SC_NS));
      std::uint32_t one = 1;
      sc_core::sc_time delay;
      REQUIRE(platform::access_word(reports, tlm::TLM_WRITE_COMMAND, DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_DONE, one,
                                    delay) == tlm::TLM_OK_RESPONSE);
      ++done;
    }
  }
};

std::vector<std::uint32_t> operator_record(std::uint32_t id, const std::vector<std::uint32_t>& inputs) {
  std::vector<std::uint32_t> words;
  command::append_operator(words, DTRMC_COMMAND_COMPUTE, id, static_cast<std::uint32_t>(inputs.size()), 1, 50);
  for (const std::uint32_t input : inputs) command::append_input(words, input);
  command::append_output(words, id, id, 100);
  return words;
}

} // namespace

extern "C" int sc_main(int, char**) { return 0; }

TEST_CASE("a controller between a driver and an accelerator that know TLM alone") {
  platform::ControllerConfig config;
  const firmware::Image image = firmware::image();
  config.firmware.assign(image.data, image.data + image.size);
  config.firmware_name = "built-in firmware";
  config.budget = 300; // three storages of 100
  config.unit = "exact-l4";
  config.ram_bytes = 1 << 20;
  platform::Controller controller("controller", config);
  Host host("host", controller);
  Device device("device");
  test::Checker host_checker("host_checker"), action_checker("action_checker"), report_checker("report_checker");
  host.socket.bind(host_checker.in);
  host_checker.out.bind(controller.host);
  controller.actions.bind(action_checker.in);
  action_checker.out.bind(device.actions);
  device.reports.bind(report_checker.in);
  report_checker.out.bind(controller.device);

  const auto cycles_of = [&](const std::vector<std::uint32_t>& command) {
    const std::uint64_t before = controller.processor().activity_cycles()[DTRMC_ACTIVITY_METADATA];
    host.command(command);
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    return controller.processor().activity_cycles()[DTRMC_ACTIVITY_METADATA] - before;
  };
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  cycles_of(operator_record(0, {}));
  const std::uint64_t fast = cycles_of(operator_record(1, {0}));
  controller.set_ram_wait_states(7);
  CHECK(host_checker.invalidations == 1);
  cycles_of(operator_record(2, {1})); // from the CPU's next synchronisation on
  const std::uint64_t slow = cycles_of(operator_record(3, {2}));
  CHECK(slow > 2 * fast);
  std::vector<std::uint32_t> end;
  command::append_end(end);
  cycles_of(end);

  CHECK(device.done == device.words.size());
  CHECK(device.words.back() == DTRMC_ACTION_WORD(DTRMC_ACTION_COMPLETE, 4));
  CHECK(controller.shared().decisions == 1); // the fourth storage needs room
  CHECK(controller.shared().clock == 201);
  CHECK(!controller.fault());
  // What was not posted cannot be done.
  CHECK(host.write(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_DONE, {1}) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(host.write(0x30000000, {1}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  for (const test::Checker* checker : {&host_checker, &action_checker, &report_checker}) {
    CHECK(checker->violations == std::vector<std::string>{});
    CHECK(checker->transactions > 0);
  }
}
