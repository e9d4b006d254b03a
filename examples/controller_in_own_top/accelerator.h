// SPDX-License-Identifier: Apache-2.0
// Our own accelerator: takes actions from the controller through one TLM socket, and reports through another what it
// has carried out.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

struct Operator {
  std::vector<std::uint32_t> inputs; // tensors
  std::uint32_t output;              // tensor, on a storage of the same number
  std::uint64_t bytes;
  std::uint64_t cost_ns;
};

class Accelerator : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Accelerator, 32> actions;
  tlm_utils::simple_initiator_socket<Accelerator, 32> reports;

  Accelerator(sc_core::sc_module_name name, const std::vector<Operator>& operators, std::uint64_t budget);

  unsigned executions = 0, recomputations = 0, evictions = 0;
  unsigned completed = 0;        // commands
  std::uint64_t most_memory = 0; // bytes
  std::vector<std::string> errors;

 private:
  void take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void work();
  void execute(std::uint32_t id);
  void report_done();

  const std::vector<Operator>& operators_;
  std::uint64_t budget_;
  std::vector<bool> resident_;
  std::uint64_t memory_ = 0;
  std::deque<std::uint32_t> queue_;
  sc_core::sc_event arrived_;
};
