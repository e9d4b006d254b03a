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

void Ram::set_latency(const sc_core::sc_time& latency) {
  latency_ = latency;
  socket->invalidate_direct_mem_ptr(0, size_ - 1);
}

bool Ram::copy(tlm::tlm_generic_payload& payload) {
  payload.set_dmi_allowed(false);
  const auto fail = [&](tlm::tlm_response_status status) {
    payload.set_response_status(status);
    return false;
  };
  const std::uint64_t address = payload.get_address();
  const std::uint64_t length = payload.get_data_length();
  const std::uint64_t width = payload.get_streaming_width();
  if (length == 0 || width == 0) return fail(tlm::TLM_BURST_ERROR_RESPONSE);
  // With a streaming width below the length, the data comes back to the first address again and again.
  const std::uint64_t extent = width < length ? width : length;
  if (address >= size_ || extent > size_ - address) return fail(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  std::uint8_t* const data = payload.get_data_ptr();
  if (data == nullptr) return fail(tlm::TLM_GENERIC_ERROR_RESPONSE);
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  const unsigned enables_length = payload.get_byte_enable_length();
  if (enables != nullptr && enables_length == 0) return fail(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (!payload.is_write() && !payload.is_read()) return true; // TLM_IGNORE_COMMAND
  std::uint8_t* const memory = data_.get() + address;
  if (enables == nullptr && extent == length) {
    std::memcpy(payload.is_write() ? memory : data, payload.is_write() ? data : memory, length);
    return true;
  }
  for (std::uint64_t i = 0; i < length; ++i) {
    if (enables != nullptr && enables[i % enables_length] == 0) continue;
    std::uint8_t& cell = memory[i % extent];
    if (payload.is_write()) {
      cell = data[i];
    } else {
      data[i] = cell;
    }
  }
  return true;
}

void Ram::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += latency_;
  if (copy(payload)) payload.set_dmi_allowed(true);
}

bool Ram::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  if (payload.get_address() >= size_) {
    dmi.set_start_address(size_);
    dmi.set_end_address(~std::uint64_t{0});
    return false;
  }
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
