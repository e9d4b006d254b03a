// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/mailbox.h"

#include "firmware/protocol.h"
#include "systemc/platform/clock_domain.h"
#include "systemc/platform/register_access.h"

namespace dtrmc::platform {

Mailbox::Mailbox(sc_core::sc_module_name name)
    : sc_module(name),
      socket("socket"),
      actions("actions"),
      queue("queue"),
      command_line("command_line"),
      accelerator_line("accelerator_line") {
  command_line.bind(command_);
  accelerator_line.bind(accelerator_);
  socket.register_b_transport(this, &Mailbox::b_transport);
  socket.register_transport_dbg(this, &Mailbox::transport_dbg);
}

bool Mailbox::CommandLine::level() {
  mailbox_.state().outstanding(); // a completion due by now may make the driver ring
  return mailbox_.rung_ != mailbox_.taken_;
}

bool Mailbox::OwnCount::done(std::uint32_t actions) {
  if (actions > count_) return false;
  count_ -= actions;
  progressed_.notify(sc_core::SC_ZERO_TIME);
  return true;
}

// The accelerator's state is a function of time, so asking for it changes nothing that would not have changed by now.
std::optional<std::uint32_t> Mailbox::peek(std::uint64_t offset) {
  switch (offset) {
    case DTRMC_MAILBOX_COMMANDS:
      state().outstanding(); // a completion due by now may make the driver ring
      return rung_;
    case DTRMC_MAILBOX_OUTSTANDING:
      return state().outstanding();
    case DTRMC_MAILBOX_THRESHOLD:
      return threshold_;
    default:
      return std::nullopt;
  }
}

unsigned Mailbox::transport_dbg(tlm::tlm_generic_payload& payload) {
  return debug_read(payload, [this](std::uint64_t offset) { return peek(offset); });
}

void Mailbox::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!is_word_access(payload)) return;
  if (payload.is_read()) {
    const std::optional<std::uint32_t> word = peek(payload.get_address());
    return word ? answer(payload, *word) : refuse(payload);
  }
  std::uint32_t word = payload_word(payload);
  switch (payload.get_address()) {
    case DTRMC_MAILBOX_TAKE:
      if (taken_ == rung_) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      ++taken_;
      if (probe != nullptr) probe->on_taken(ClockDomain::to_ps(sc_core::sc_time_stamp()));
      return accept(payload);
    case DTRMC_MAILBOX_ACTION:
      if (state().outstanding() >= DTRMC_MAILBOX_ACTION_SLOTS) {
        return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      }
      own_.add();
      return payload.set_response_status(access_word(actions, tlm::TLM_WRITE_COMMAND, 0, word, delay));
    case DTRMC_MAILBOX_THRESHOLD:
      threshold_ = word;
      return accept(payload);
    case DTRMC_MAILBOX_DOORBELL:
      ++rung_;
      if (probe != nullptr) probe->on_rung(ClockDomain::to_ps(sc_core::sc_time_stamp()));
      rang_.notify(sc_core::SC_ZERO_TIME);
      return accept(payload);
    case DTRMC_MAILBOX_DONE:
      if (queue.size() != 0 || !own_.done(word)) {
        return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      }
      return accept(payload);
    default:
      return refuse(payload);
  }
}

} // namespace dtrmc::platform
