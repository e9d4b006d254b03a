// SPDX-License-Identifier: Apache-2.0
// Our own initiator: hands the controller one command after the other through its TLM socket.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "systemc/platform/controller.h"

class Driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver, 32> socket;

  // `commands`: records of host/command/descriptor.h. All of them must fit the ring together (a longer list would have
  // to wait for completions, and to skip the rest of the ring where a record does not fit before its end).
  Driver(sc_core::sc_module_name name, dtrmc::platform::Controller& controller,
         std::vector<std::vector<std::uint32_t>> commands);

 private:
  void play();
  void write(std::uint64_t address, std::vector<std::uint32_t>& words);

  dtrmc::platform::Controller& controller_;
  std::vector<std::vector<std::uint32_t>> commands_;
};
