// SPDX-License-Identifier: Apache-2.0
// Stands between an initiator and a target and notes what breaks the TLM-2.0 base protocol (IEEE 1666-2011, 14 and
// 15): rules for the target about the payload it was lent, its response, time, DMI and debug transport.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace dtrmc::test {

class Checker : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Checker, 32> in;
  tlm_utils::simple_initiator_socket<Checker, 32> out;

  explicit Checker(sc_core::sc_module_name name);

  std::vector<std::string> violations;
  std::uint64_t transactions = 0;
  std::uint64_t invalidations = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);
  void require(bool good, const std::string& rule, const tlm::tlm_generic_payload& payload);
};

} // namespace dtrmc::test
