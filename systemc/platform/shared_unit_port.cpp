// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/shared_unit_port.h"

#include <algorithm>

namespace dtrmc::platform {

SharedUnitPort::SharedUnitPort(sc_core::sc_module_name name) : sc_module(name), initiators("initiators"), unit("unit") {
  initiators.register_nb_transport_fw(this, &SharedUnitPort::nb_transport_fw);
  initiators.register_b_transport(this, &SharedUnitPort::b_transport);
  initiators.register_transport_dbg(this, &SharedUnitPort::transport_dbg);
  SC_HAS_PROCESS(SharedUnitPort);
  SC_METHOD(serve);
  sensitive << serve_event_;
  dont_initialize();
  SC_METHOD(respond);
  sensitive << respond_event_;
  dont_initialize();
}

// By time of arrival, then by initiator.
void SharedUnitPort::enqueue(const Request& request) {
  const auto later = std::find_if(queue_.begin(), queue_.end(), [&](const Request& other) {
    return other.arrived > request.arrived || (other.arrived == request.arrived && other.initiator > request.initiator);
  });
  queue_.insert(later, request);
  // At the end of this instant: whoever else arrives now takes part in the choice.
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const sc_core::sc_time next = std::max(free_at_, queue_.front().arrived);
  serve_event_.cancel();
  serve_event_.notify(next > now ? next - now : sc_core::SC_ZERO_TIME);
}

tlm::tlm_sync_enum SharedUnitPort::nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto known = std::find_if(pending_.begin(), pending_.end(),
                                  [&](const Pending& pending) { return pending.payload == &payload; });
  if (phase == tlm::BEGIN_REQ && known == pending_.end()) {
    if (payload.has_mm()) payload.acquire();
    pending_.push_back({&payload, Stage::kRequest});
    enqueue({&payload, initiator, sc_core::sc_time_stamp() + delay, nullptr});
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP && known != pending_.end() && known->stage == Stage::kResponse) {
    forget(payload);
    return tlm::TLM_COMPLETED;
  }
  SC_REPORT_ERROR("dtrmc/shared_unit_port", "an initiator breaks the order of phases of the TLM-2.0 base protocol");
  return tlm::TLM_COMPLETED;
}

void SharedUnitPort::forget(const tlm::tlm_generic_payload& payload) {
  const auto known = std::find_if(pending_.begin(), pending_.end(),
                                  [&](const Pending& pending) { return pending.payload == &payload; });
  tlm::tlm_generic_payload* const own = known->payload;
  pending_.erase(known);
  if (own->has_mm()) own->release();
}

void SharedUnitPort::send(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
  sc_core::sc_time delay;
  const bool response = phase == tlm::BEGIN_RESP;
  const tlm::tlm_sync_enum answer = initiators[initiator]->nb_transport_bw(payload, phase, delay);
  if (!response) return;
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) forget(payload);
}

// The turn of the oldest request that has arrived.
void SharedUnitPort::serve() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (queue_.empty()) return;
  const sc_core::sc_time next = std::max(free_at_, queue_.front().arrived);
  if (next > now) return serve_event_.notify(next - now);
  const Request request = queue_.front();
  queue_.pop_front();
  begin(request);
  if (!queue_.empty() && request.payload != nullptr) {
    const sc_core::sc_time then = std::max(free_at_, queue_.front().arrived);
    serve_event_.notify(then > now ? then - now : sc_core::SC_ZERO_TIME);
  }
}

void SharedUnitPort::begin(const Request& request) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  Traffic& traffic = traffic_[static_cast<std::size_t>(request.initiator)];
  ++traffic.accesses;
  if (now > request.arrived) {
    ++traffic.waited;
    traffic.waiting += now - request.arrived;
  }
  if (request.payload == nullptr) {
    free_at_ = sc_core::sc_max_time(); // until that call says how long it takes
    request.turn->notify();
    return;
  }
  sc_core::sc_time delay;
  unit->b_transport(*request.payload, delay);
  free_at_ = now + delay;
  responses_.push_back({request.payload, request.initiator, free_at_});
  respond_event_.notify(responses_.front().due > now ? responses_.front().due - now : sc_core::SC_ZERO_TIME);
  send(request.initiator, *request.payload, tlm::END_REQ);
}

void SharedUnitPort::respond() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  while (!responses_.empty() && responses_.front().due <= now) {
    const Response response = responses_.front();
    responses_.pop_front();
    for (Pending& pending : pending_) {
      if (pending.payload == response.payload) pending.stage = Stage::kResponse;
    }
    send(response.initiator, *response.payload, tlm::BEGIN_RESP);
  }
  if (!responses_.empty()) respond_event_.notify(responses_.front().due - now);
}

void SharedUnitPort::b_transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const sc_core::sc_time arrived = sc_core::sc_time_stamp() + delay;
  const bool idle = queue_.empty() && free_at_ <= arrived;
  if (!idle) {
    sc_core::sc_event turn;
    enqueue({nullptr, initiator, arrived, &turn});
    wait(turn);
    delay = sc_core::SC_ZERO_TIME;
  } else {
    ++traffic_[static_cast<std::size_t>(initiator)].accesses;
  }
  unit->b_transport(payload, delay);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  free_at_ = now + delay;
  if (queue_.empty()) return;
  serve_event_.cancel();
  const sc_core::sc_time then = std::max(free_at_, queue_.front().arrived);
  serve_event_.notify(then > now ? then - now : sc_core::SC_ZERO_TIME);
}

unsigned SharedUnitPort::transport_dbg(int, tlm::tlm_generic_payload& payload) { return unit->transport_dbg(payload); }

} // namespace dtrmc::platform
