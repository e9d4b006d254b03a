// SPDX-License-Identifier: Apache-2.0
#include "accelerator.h"

#include <cstring>
#include <string>

#include "firmware/protocol.h"

Accelerator::Accelerator(sc_core::sc_module_name name, const std::vector<Operator>& operators, std::uint64_t budget)
    : sc_module(name),
      actions("actions"),
      reports("reports"),
      operators_(operators),
      budget_(budget),
      resident_(operators.size()) {
  actions.register_b_transport(this, &Accelerator::take);
  SC_HAS_PROCESS(Accelerator);
  SC_THREAD(work);
}

void Accelerator::take(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  if (!payload.is_write() || payload.get_address() != 0 || payload.get_data_length() != 4) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  std::uint32_t word;
  std::memcpy(&word, payload.get_data_ptr(), sizeof word);
  queue_.push_back(word);
  arrived_.notify(sc_core::SC_ZERO_TIME);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Strictly in order. An operator keeps us busy for its cost, the other actions take no time.
void Accelerator::work() {
  for (;;) {
    while (queue_.empty()) wait(arrived_);
    const std::uint32_t word = queue_.front();
    const std::uint32_t id = DTRMC_ACTION_ID(word);
    switch (DTRMC_ACTION_KIND(word)) {
      case DTRMC_ACTION_EXECUTE_REMAT:
        ++recomputations;
        execute(id);
        break;
      case DTRMC_ACTION_EXECUTE_FIRST:
        ++executions;
        execute(id);
        break;
      case DTRMC_ACTION_EVICT_POLICY:
        ++evictions;
        [[fallthrough]];
      case DTRMC_ACTION_EVICT_EAGER:
        if (!resident_[id]) errors.push_back("storage " + std::to_string(id) + " is evicted, but not resident");
        resident_[id] = false;
        memory_ -= operators_[id].bytes;
        break;
      case DTRMC_ACTION_COMPLETE:
        ++completed;
        break;
      case DTRMC_ACTION_FAIL:
        errors.push_back("the controller gave up, reason " + std::to_string(id));
        break;
      default:
        errors.push_back("unknown action");
    }
    queue_.pop_front();
    report_done();
  }
}

void Accelerator::execute(std::uint32_t id) {
  const Operator& op = operators_[id];
  for (const std::uint32_t input : op.inputs) {
    if (!resident_[input]) errors.push_back("operator " + std::to_string(id) + " lacks an input");
  }
  memory_ += op.bytes;
  resident_[op.output] = true;
  if (memory_ > most_memory) most_memory = memory_;
  if (memory_ > budget_) errors.push_back("memory above the budget");
  wait(sc_core::sc_time(static_cast<double>(op.cost_ns), sc_core::SC_NS));
}

// One action more is carried out: the controller may be waiting for that.
void Accelerator::report_done() {
  std::uint32_t one = 1;
  tlm::tlm_generic_payload payload;
  payload.set_write();
  payload.set_address(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_DONE);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&one));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_core::sc_time delay;
  reports->b_transport(payload, delay);
  if (payload.is_response_error()) errors.push_back("the controller refused a report");
}
