// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include <utility>

#include "firmware/protocol.h"

Driver::Driver(sc_core::sc_module_name name, dtrmc::platform::Controller& controller,
               std::vector<std::vector<std::uint32_t>> commands)
    : sc_module(name), socket("socket"), controller_(controller), commands_(std::move(commands)) {
  SC_HAS_PROCESS(Driver);
  SC_THREAD(play);
}

void Driver::play() {
  std::uint64_t address = controller_.ring_address();
  for (std::vector<std::uint32_t>& command : commands_) {
    write(address, command);
    address += 4 * command.size();
    std::vector<std::uint32_t> bell{1};
    write(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_DOORBELL, bell);
    wait(sc_core::sc_time(1, sc_core::SC_US)); // our host is not the fastest
  }
}

void Driver::write(std::uint64_t address, std::vector<std::uint32_t>& words) {
  const auto bytes = static_cast<unsigned>(4 * words.size());
  tlm::tlm_generic_payload payload;
  payload.set_write();
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  sc_core::sc_time delay;
  socket->b_transport(payload, delay);
  wait(delay);
  if (payload.is_response_error()) SC_REPORT_ERROR("driver", payload.get_response_string().c_str());
}
