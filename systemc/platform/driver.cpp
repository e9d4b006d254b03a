// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/driver.h"

#include <stdexcept>

#include "firmware/protocol.h"
#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

Driver::Driver(sc_core::sc_module_name name, const trace::Schedule& schedule, const Ring& ring,
               std::uint32_t queue_depth)
    : sc_module(name),
      socket("socket"),
      completion("completion"),
      end("end"),
      schedule_(schedule),
      ids_(schedule),
      ring_(ring),
      queue_depth_(queue_depth),
      allocator_(ring.words) {
  completion.bind(*this);
  SC_HAS_PROCESS(Driver);
  SC_METHOD(fill); // once, at time 0; afterwards completions call it
}

void Driver::write(std::uint64_t address, std::vector<std::uint32_t>& words) {
  tlm::tlm_generic_payload payload;
  const auto bytes = static_cast<unsigned>(words.size() * sizeof(std::uint32_t));
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(words.data()));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay; // the driver's side takes no controller time
  socket->b_transport(payload, delay);
  if (!payload.is_response_ok())
    throw std::runtime_error("driver: the bus refused a write: " + payload.get_response_string());
}

void Driver::fill() {
  const std::size_t count = command::command_count(schedule_);
  while (next_ < count && allocator_.incomplete() < queue_depth_) {
    command::encode(schedule_, ids_, next_, words_);
    const auto place = allocator_.place(static_cast<std::uint32_t>(words_.size()));
    if (!place) return; // the ring is full; the next completion tries again
    if (place->skip_words != 0) {
      std::vector<std::uint32_t> skip{DTRMC_COMMAND_SKIP | place->skip_words << 8};
      write(ring_.address + 4 * std::uint64_t{place->skip_offset}, skip);
    }
    write(ring_.address + 4 * std::uint64_t{place->offset}, words_);
    std::vector<std::uint32_t> doorbell{1};
    write(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_DOORBELL, doorbell);
    ++next_;
  }
}

void Driver::on_complete(const sc_core::sc_time& time) {
  allocator_.complete();
  ++completed_;
  if (completed_ == command::command_count(schedule_)) {
    end->on_end(0, time);
  } else {
    fill();
  }
}

} // namespace dtrmc::platform
