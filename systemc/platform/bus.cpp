// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/bus.h"

#include <algorithm>

namespace dtrmc::platform {

Bus::Bus(sc_core::sc_module_name name, const std::vector<Region>& regions)
    : sc_module(name), cpu("cpu"), driver("driver"), device("device") {
  const auto serve = [this](auto& socket) {
    socket.register_b_transport(this, &Bus::b_transport);
    socket.register_get_direct_mem_ptr(this, &Bus::get_direct_mem_ptr);
    socket.register_transport_dbg(this, &Bus::transport_dbg);
  };
  serve(cpu);
  serve(driver);
  serve(device);
  for (const Region& region : regions) {
    auto socket = std::make_unique<tlm_utils::simple_initiator_socket_tagged<Bus, 32>>(region.name);
    socket->register_invalidate_direct_mem_ptr(this, &Bus::invalidate_direct_mem_ptr,
                                               static_cast<int>(targets_.size()));
    targets_.push_back({region.base, region.size, region.latency, std::move(socket)});
  }
}

Bus::Target* Bus::decode(const tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  // A malformed width or length is the target's to refuse.
  const std::uint64_t length = std::min(payload.get_data_length(), payload.get_streaming_width());
  for (Target& target : targets_) {
    if (address >= target.base && address - target.base < target.size &&
        length <= target.size - (address - target.base)) {
      return &target;
    }
  }
  return nullptr;
}

void Bus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  Target* target = decode(payload);
  if (target == nullptr) {
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  payload.set_address(address - target->base);
  (*target->socket)->b_transport(payload, delay);
  payload.set_address(address);
  delay += target->latency;
}

bool Bus::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  payload.set_data_length(0); // what is asked for is the address alone
  Target* target = decode(payload);
  payload.set_data_length(length);
  if (target == nullptr) {
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
  }
  payload.set_address(address - target->base);
  const bool allowed = (*target->socket)->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  const std::uint64_t last = target->size - 1;
  dmi.set_start_address(target->base + dmi.get_start_address());
  dmi.set_end_address(target->base + (dmi.get_end_address() < last ? dmi.get_end_address() : last));
  return allowed;
}

unsigned Bus::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  Target* target = decode(payload);
  if (target == nullptr) return 0;
  payload.set_address(address - target->base);
  const unsigned count = (*target->socket)->transport_dbg(payload);
  payload.set_address(address);
  return count;
}

void Bus::invalidate_direct_mem_ptr(int region, sc_dt::uint64 start, sc_dt::uint64 end) {
  const Target& target = targets_[static_cast<std::size_t>(region)];
  const sc_dt::uint64 last = target.size - 1;
  if (start > last) return;
  start += target.base;
  end = target.base + std::min(end, last);
  cpu->invalidate_direct_mem_ptr(start, end);
  driver->invalidate_direct_mem_ptr(start, end);
  if (device.get_base_port().size() != 0) device->invalidate_direct_mem_ptr(start, end);
}

} // namespace dtrmc::platform
