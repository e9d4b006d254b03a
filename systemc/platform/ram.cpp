// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/ram.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace dtrmc::platform {

void Ram::Free::operator()(std::uint8_t* p) const { std::free(p); }

Ram::Ram(sc_core::sc_module_name name, std::uint32_t size, sc_core::sc_time latency)
    : sc_module(name), socket("socket"), size_(size), latency_(latency) {
  // calloc: zeroed pages cost nothing until they are used, which matters for many short runs with a large RAM
  data_.reset(static_cast<std::uint8_t*>(std::calloc(size, 1)));
  if (data_ == nullptr) throw std::bad_alloc();
  socket.register_b_transport(this, &Ram::b_transport);
  socket.register_get_direct_mem_ptr(this, &Ram::get_direct_mem_ptr);
  socket.register_transport_dbg(this, &Ram::transport_dbg);
}

bool Ram::copy(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t length = payload.get_data_length();
  if (address >= size_ || length > size_ - address) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_streaming_width() < length) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  std::uint8_t* memory = data_.get() + address;
  std::uint8_t* data = payload.get_data_ptr();
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  const unsigned enables_length = payload.get_byte_enable_length();
  if (enables != nullptr && enables_length == 0) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  if (payload.is_write() || payload.is_read()) {
    std::uint8_t* to = payload.is_write() ? memory : data;
    const std::uint8_t* from = payload.is_write() ? data : memory;
    if (enables == nullptr) {
      std::memcpy(to, from, length);
    } else {
      for (std::uint64_t i = 0; i < length; ++i) {
        if (enables[i % enables_length] != 0) to[i] = from[i];
      }
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return true;
}

void Ram::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += latency_;
  if (copy(payload)) payload.set_dmi_allowed(true);
}

bool Ram::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  dmi.set_dmi_ptr(data_.get());
  dmi.set_start_address(0);
  dmi.set_end_address(size_ - 1);
  dmi.set_read_latency(latency_);
  dmi.set_write_latency(latency_);
  dmi.allow_read_write();
  return true;
}

unsigned Ram::transport_dbg(tlm::tlm_generic_payload& payload) { return copy(payload) ? payload.get_data_length() : 0; }

} // namespace dtrmc::platform
