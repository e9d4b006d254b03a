// SPDX-License-Identifier: Apache-2.0
// The controller's RAM: program, metadata, command ring. Gives DMI to everybody; takes transactions of any length, with
// byte enables and streaming.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

namespace dtrmc::platform {

class Ram : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Ram, 32> socket;

  // size in bytes; `latency`: of one transport access (DMI users apply their own wait states).
  Ram(sc_core::sc_module_name name, std::uint32_t size, sc_core::sc_time latency);

  // Another access time from now on; takes DMI back, for initiators apply the latency that they were told.
  void set_latency(const sc_core::sc_time& latency);

  std::uint8_t* data() { return data_.get(); }
  std::uint32_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::uint8_t* p) const;
  };
  bool copy(tlm::tlm_generic_payload& payload);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  std::uint32_t size_;
  sc_core::sc_time latency_;
  std::unique_ptr<std::uint8_t[], Free> data_;
};

} // namespace dtrmc::platform
