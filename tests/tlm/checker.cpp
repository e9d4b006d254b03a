// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/checker.h"

#include <tuple>

namespace dtrmc::test {

namespace {

// What a target may not change.
auto lent(const tlm::tlm_generic_payload& payload) {
  return std::make_tuple(payload.get_command(), payload.get_address(), payload.get_data_ptr(),
                         payload.get_data_length(), payload.get_byte_enable_ptr(), payload.get_byte_enable_length(),
                         payload.get_streaming_width());
}

std::vector<std::uint8_t> copy_of(const std::uint8_t* bytes, unsigned count) {
  return bytes == nullptr ? std::vector<std::uint8_t>() : std::vector<std::uint8_t>(bytes, bytes + count);
}

} // namespace

Checker::Checker(sc_core::sc_module_name name) : sc_module(name), in("in"), out("out") {
  in.register_b_transport(this, &Checker::b_transport);
  in.register_get_direct_mem_ptr(this, &Checker::get_direct_mem_ptr);
  in.register_transport_dbg(this, &Checker::transport_dbg);
  out.register_invalidate_direct_mem_ptr(this, &Checker::invalidate_direct_mem_ptr);
}

void Checker::require(bool good, const std::string& rule, const tlm::tlm_generic_payload& payload) {
  if (good) return;
  violations.push_back(std::string(name()) + ": " + rule + " (command " + std::to_string(payload.get_command()) +
                       ", address " + std::to_string(payload.get_address()) + ", length " +
                       std::to_string(payload.get_data_length()) + ", response " + payload.get_response_string() + ")");
}

void Checker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  ++transactions;
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "the initiator sets no response", payload);
  require(!payload.is_dmi_allowed(), "the initiator does not allow DMI", payload);
  const auto before = lent(payload);
  const auto data = copy_of(payload.get_data_ptr(), payload.get_data_length());
  const auto enables = copy_of(payload.get_byte_enable_ptr(), payload.get_byte_enable_length());
  const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
  out->b_transport(payload, delay);
  require(lent(payload) == before, "the target changes no field that it was lent", payload);
  require(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "the target answers", payload);
  require(sc_core::sc_time_stamp() + delay >= start, "time does not run back", payload);
  require(copy_of(payload.get_byte_enable_ptr(), payload.get_byte_enable_length()) == enables,
          "byte enables are not written", payload);
  const auto after = copy_of(payload.get_data_ptr(), payload.get_data_length());
  if (!payload.is_read()) require(after == data, "data of a write is not written", payload);
  if (payload.is_response_error()) require(!payload.is_dmi_allowed(), "no DMI with an error", payload);
  if (payload.is_read() && payload.is_response_ok() && !enables.empty()) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (enables[i % enables.size()] == 0) {
        require(after[i] == data[i], "bytes that are not enabled are not written", payload);
      }
    }
  }
  if (payload.is_dmi_allowed()) {
    tlm::tlm_generic_payload ask;
    tlm::tlm_dmi dmi;
    ask.set_address(payload.get_address());
    ask.set_command(payload.get_command());
    require(out->get_direct_mem_ptr(ask, dmi), "DMI that is promised is given", payload);
  }
}

bool Checker::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const auto before = lent(payload);
  const bool given = out->get_direct_mem_ptr(payload, dmi);
  require(lent(payload) == before, "the target changes no field of a DMI request", payload);
  require(dmi.get_start_address() <= address && address <= dmi.get_end_address(), "the DMI range holds the address",
          payload);
  if (given) require(dmi.get_dmi_ptr() != nullptr && !dmi.is_none_allowed(), "DMI has a pointer and a right", payload);
  return given;
}

unsigned Checker::transport_dbg(tlm::tlm_generic_payload& payload) {
  const auto before = lent(payload);
  const sc_core::sc_time start = sc_core::sc_time_stamp();
  const unsigned count = out->transport_dbg(payload);
  require(lent(payload) == before, "debug transport changes no field", payload);
  require(count <= payload.get_data_length(), "debug transport counts what it was asked for", payload);
  require(sc_core::sc_time_stamp() == start, "debug transport takes no time", payload);
  return count;
}

void Checker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  ++invalidations;
  if (start > end) violations.push_back(std::string(name()) + ": an invalidated range is one");
  in->invalidate_direct_mem_ptr(start, end);
}

} // namespace dtrmc::test
