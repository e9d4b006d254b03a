// SPDX-License-Identifier: Apache-2.0
// Address decoder between the controller's initiators (CPU; driver) and its targets, with a latency per target.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

namespace dtrmc::platform {

class Bus : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Bus, 32> cpu;             // the controller's CPU
  tlm_utils::simple_target_socket<Bus, 32> driver;          // the driver's writes into shared memory, and its doorbell
  tlm_utils::simple_target_socket_optional<Bus, 32> device; // for one more initiator outside

  struct Region {
    const char* name;         // of the initiator socket
    std::uint64_t base;       // byte address
    std::uint64_t size;       // bytes
    sc_core::sc_time latency; // added to every transport access
  };

  // One initiator socket per region, in this order; the regions must not overlap.
  Bus(sc_core::sc_module_name name, const std::vector<Region>& regions);

  tlm_utils::simple_initiator_socket_tagged<Bus, 32>& target(std::size_t region) { return *targets_[region].socket; }

 private:
  struct Target {
    std::uint64_t base;
    std::uint64_t size;
    sc_core::sc_time latency;
    std::unique_ptr<tlm_utils::simple_initiator_socket_tagged<Bus, 32>> socket;
  };
  Target* decode(const tlm::tlm_generic_payload& payload);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void invalidate_direct_mem_ptr(int region, sc_dt::uint64 start, sc_dt::uint64 end);

  std::vector<Target> targets_;
};

} // namespace dtrmc::platform
