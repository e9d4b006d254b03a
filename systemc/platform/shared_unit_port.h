// SPDX-License-Identifier: Apache-2.0
// Lets several initiators share one register block, approximately timed: put it in front of a scoring unit where more
// than the controller's CPU accesses it, and time spent on waiting for each other matters.
//
// One access at a time, in the order of arrival; at the same instant the socket bound first goes first. The access
// takes as long as the block says (its LT annotation). Base protocol, both ways through the same sockets:
//
//   nb_transport   BEGIN_REQ; END_REQ when its turn comes, so an initiator that waits for others sees that at once;
//                  BEGIN_RESP when the block has answered; END_RESP (or TLM_COMPLETED) ends it. The next access begins
//                  with BEGIN_RESP, not with END_RESP: a slow taker of responses holds up nobody else.
//   b_transport    waits for its turn inside the call where the port is taken; where it is free it returns at once with
//                  the block's annotation, as if the port were not there.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

namespace dtrmc::platform {

class SharedUnitPort : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<SharedUnitPort, 32> initiators;
  tlm_utils::simple_initiator_socket<SharedUnitPort, 32> unit;

  explicit SharedUnitPort(sc_core::sc_module_name name);

  struct Traffic {
    std::uint64_t accesses = 0;
    std::uint64_t waited = 0; // of them, those that did not begin when they arrived
    sc_core::sc_time waiting; // summed
  };
  // By initiator, in the order of binding.
  const std::vector<Traffic>& traffic() const { return traffic_; }

 private:
  struct Request {
    tlm::tlm_generic_payload* payload; // null: a b_transport that waits for its turn
    int initiator;
    sc_core::sc_time arrived;
    sc_core::sc_event* turn; // of that b_transport
  };
  struct Response {
    tlm::tlm_generic_payload* payload;
    int initiator;
    sc_core::sc_time due;
  };
  enum class Stage : std::uint8_t { kRequest, kResponse };
  struct Pending { // an nb_transport transaction whose END_RESP has not come
    tlm::tlm_generic_payload* payload;
    Stage stage;
  };

  tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
  void end_of_elaboration() override { traffic_.resize(initiators.size()); }
  void serve();
  void respond();
  void begin(const Request& request);
  void enqueue(const Request& request);
  void send(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);
  void forget(const tlm::tlm_generic_payload& payload);

  std::deque<Request> queue_;
  std::deque<Response> responses_; // in the order in which they are due
  std::vector<Pending> pending_;
  sc_core::sc_time free_at_;
  sc_core::sc_event serve_event_;
  sc_core::sc_event respond_event_;
  std::vector<Traffic> traffic_;
};

} // namespace dtrmc::platform
