// SPDX-License-Identifier: Apache-2.0
// The checks that every register block of the platform makes on a generic payload: one aligned 32-bit word, no byte
// enables, no streaming. A refused payload gets the matching TLM error response; TLM_IGNORE_COMMAND is answered and
// does nothing.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <tlm>

namespace dtrmc::platform {

// True: the payload asks to read or write one word, and its response is still to be set. Otherwise it is set.
inline bool is_word_access(tlm::tlm_generic_payload& payload) {
  payload.set_dmi_allowed(false);
  if (!payload.is_read() && !payload.is_write()) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return false;
  }
  if (payload.get_data_ptr() == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_data_length() != 4 || payload.get_streaming_width() < 4 || payload.get_address() % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  return true;
}

inline std::uint32_t payload_word(const tlm::tlm_generic_payload& payload) {
  std::uint32_t word = 0;
  std::memcpy(&word, payload.get_data_ptr(), sizeof word);
  return word;
}

inline void answer(tlm::tlm_generic_payload& payload, std::uint32_t word) {
  std::memcpy(payload.get_data_ptr(), &word, sizeof word);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

inline void accept(tlm::tlm_generic_payload& payload) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }
inline void refuse(tlm::tlm_generic_payload& payload) { payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE); }

// Answers a debugger: whole words of registers, read without side effects. `peek(offset)` gives a register's value, or
// nothing where it cannot be looked at. Returns the bytes read, as transport_dbg does; nothing can be written.
template <typename Peek>
unsigned debug_read(const tlm::tlm_generic_payload& payload, Peek peek) {
  if (!payload.is_read() || payload.get_data_ptr() == nullptr || payload.get_address() % 4 != 0) return 0;
  unsigned count = 0;
  for (; count + 4 <= payload.get_data_length(); count += 4) {
    const std::optional<std::uint32_t> word = peek(payload.get_address() + count);
    if (!word) break;
    std::memcpy(payload.get_data_ptr() + count, &*word, sizeof *word);
  }
  return count;
}

// One word from an initiator's side. Returns the response; `delay` grows by the access time.
template <typename Socket>
tlm::tlm_response_status access_word(Socket& socket, tlm::tlm_command command, std::uint64_t address,
                                     std::uint32_t& word, sc_core::sc_time& delay) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  socket->b_transport(payload, delay);
  return payload.get_response_status();
}

} // namespace dtrmc::platform
