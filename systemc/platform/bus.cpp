// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/bus.h"

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
    auto socket = std::make_unique<tlm_utils::simple_initiator_socket<Bus, 32>>(region.name);
    socket->register_invalidate_direct_mem_ptr(this, &Bus::invalidate_direct_mem_ptr);
    targets_.push_back({region.base, region.size, region.latency, std::move(socket)});
  }
}

Bus::Target* Bus::decode(std::uint64_t address, std::uint64_t length) {
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
  Target* target = decode(address, payload.get_data_length());
  if (target == nullptr) {
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
  Target* target = decode(address, 1);
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
  Target* target = decode(address, payload.get_data_length());
  if (target == nullptr) return 0;
  payload.set_address(address - target->base);
  const unsigned count = (*target->socket)->transport_dbg(payload);
  payload.set_address(address);
  return count;
}

void Bus::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {
  // Which target it came from is not known here; RAM alone gives DMI, so everything is invalid.
  cpu->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
  driver->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
  if (device.get_base_port().size() != 0) device->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
}

} // namespace dtrmc::platform
