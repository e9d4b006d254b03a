// SPDX-License-Identifier: Apache-2.0
// The accelerator: carries out actions strictly in order. EXECUTE keeps it busy for the operator's cost in ns; the
// others take no time once they are reached. What it does is a function of time alone: advance() brings it to the
// current SystemC time, whoever asks first, so the order of processes at one instant does not matter.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "host/trace/schedule.h"
#include "systemc/platform/action_queue.h"

namespace dtrmc::platform {

// Told of every action at the time it takes effect (an EXECUTE: when it starts). Returning false stops the run.
class ActionObserverIf : public virtual sc_core::sc_interface {
 public:
  virtual bool on_action(std::uint32_t word, const sc_core::sc_time& time) = 0;
  // An operator would end beyond the range of SystemC time; nothing is carried out any more.
  virtual void on_time_overflow() = 0;
};

// Told of command completions and of FAIL, after the observer.
class CompletionIf : public virtual sc_core::sc_interface {
 public:
  virtual void on_complete(const sc_core::sc_time& time) = 0;
  virtual void on_fail(std::uint32_t reason, const sc_core::sc_time& time) = 0;
};

class Accelerator : public sc_core::sc_module, public ActionQueueIf {
 public:
  tlm_utils::simple_target_socket<Accelerator, 32> socket; // a write of one word at address 0 appends an action
  sc_core::sc_export<ActionQueueIf> queue;
  sc_core::sc_port<ActionObserverIf> observer;
  sc_core::sc_port<CompletionIf> completion;

  Accelerator(sc_core::sc_module_name name, const trace::Schedule& schedule);

  std::uint32_t outstanding() override;
  sc_core::sc_time next_change() override;
  const sc_core::sc_event& progressed() const override { return progressed_; }

  std::uint64_t busy_ns() const { return busy_ns_; } // sum of the costs of the operators carried out

  // For debuggers: actions that are posted and not finished with the time of their posting, oldest first; and when
  // the operator in hand ends, where there is one.
  std::vector<std::pair<std::uint32_t, sc_core::sc_time>> posted_actions();
  std::optional<sc_core::sc_time> busy_until();

  // The trace's costs left SystemC's time; the run's result is void.
  bool time_overflow() const { return time_overflow_; }

  // Fault injection, for tests of the ledger: every action word that arrives is replaced by what this returns.
  std::function<std::vector<std::uint32_t>(std::uint32_t word)> inject;
  // Told of every word that arrives, as the controller wrote it.
  std::function<void(std::uint32_t word, const sc_core::sc_time& time)> posted;

 private:
  struct Queued {
    std::uint32_t word;
    sc_core::sc_time posted;
  };
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void advance();
  bool take_effect(std::uint32_t word, const sc_core::sc_time& time);

  const trace::Schedule& schedule_;
  std::deque<Queued> queue_;
  bool executing_ = false; // the front of the queue is an EXECUTE that has started
  bool advancing_ = false; // a completion may lead back here through driver and bus
  bool stopped_ = false;
  bool time_overflow_ = false;
  sc_core::sc_time finish_;  // of that EXECUTE
  sc_core::sc_time free_at_; // end of the last one
  std::uint64_t busy_ns_ = 0;
  sc_core::sc_event finish_event_;
  sc_core::sc_event progressed_;
};

} // namespace dtrmc::platform
