// SPDX-License-Identifier: Apache-2.0
// The ledger: an independent scoreboard of tensor memory. It knows sizes and dependencies from the trace alone and
// watches every action of the controller; it shares no code with the firmware or the simulator on purpose, since
// its point is to catch either of them. It follows the commands by their completions, because commands complete
// strictly in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/record/event.h"
#include "host/trace/schedule.h"

namespace dtrmc::ledger {

enum class Rule : std::uint8_t {
  kBudget,        // memory in use stays within the budget
  kInputDefined,  // every input of an executed operator is resident and defined
  kLockedEvicted, // no input waiting for the current operator is evicted
  kPinnedEvicted, // no pinned storage is evicted
  kNotResident,   // only resident storages are evicted
  kReferenced,    // only storages without references are evicted eagerly
  kWrongOperator, // a first run is the current command's, a rematerialisation has run before
  kIncomplete,    // a command is complete only after its operator ran
  kOutputsAtEnd,  // all tensors with references are defined at the end
  kAfterFail,     // nothing follows FAIL, nor the completion of END
  kUnknownAction, // action word with a kind or id that does not exist
};
const char* to_string(Rule rule);

struct Violation {
  Rule rule;
  std::string text; // one line: what was done, to what, and why it must not be
};

// What the resident storages are, for whoever looks at a run.
struct Residency {
  std::size_t storages = 0;
  std::uint64_t pinned_bytes = 0;
  std::uint64_t locked_bytes = 0; // inputs of the command in hand that are not pinned
  std::size_t evictable_storages = 0;
  std::uint64_t evictable_bytes = 0; // neither pinned nor locked
};

class Ledger {
 public:
  // budget in bytes. `sink`, where given, receives one event per execution and eviction. Both outlive the ledger.
  Ledger(const trace::Schedule& schedule, std::uint64_t budget, record::EventSink* sink);

  // One action word (firmware/protocol.h), in the order in which the accelerator carries them out. After the first
  // violation the ledger takes no further action.
  std::optional<Violation> on_action(std::uint32_t word);

  std::uint64_t clock() const { return clock_; }                  // model clock, ns
  std::uint64_t memory() const { return memory_; }                // bytes in use
  std::uint64_t max_memory() const { return max_memory_; }        // bytes, duplicates of a recomputation included
  std::size_t commands_completed() const { return completed_; }   // END included
  Residency residency() const;                                    // counted anew: for now and then
  bool ended() const { return ended_; }                           // END complete
  std::optional<std::uint32_t> failed() const { return failed_; } // reason of FAIL (enum dtrmc_fail)
  // Operator of the command in hand, for messages; nothing where the command has none.
  std::optional<trace::OperatorId> current_operator() const;

 private:
  struct TensorState {
    std::int64_t references = 0;
    bool defined = false;
  };
  struct StorageState {
    std::int64_t references = 0; // of all its tensors
    std::uint32_t locks = 0;     // by the command in hand
    bool resident = false;
    bool pinned = false;
    std::vector<trace::TensorId> tensors; // created so far
  };

  void begin_command();
  std::optional<Violation> execute(trace::OperatorId id, bool first);
  std::optional<Violation> evict(trace::StorageId id, bool eager);
  std::optional<Violation> complete(std::uint32_t number);
  Violation violation(Rule rule, const std::string& text) const;
  std::string describe(trace::OperatorId id) const;
  void lock_inputs(trace::OperatorId id);
  void unlock_inputs();

  const trace::Schedule& schedule_;
  std::uint64_t budget_;
  record::EventSink* sink_;
  std::vector<TensorState> tensors_;
  std::vector<StorageState> storages_;
  std::vector<char> ran_;                    // per operator: its first run is done
  std::vector<trace::StorageId> locked_;     // by the command in hand, once per occurrence
  std::optional<trace::OperatorId> awaited_; // operator whose execution releases those locks
  std::size_t completed_ = 0;
  std::uint64_t clock_ = 1;
  std::uint64_t memory_ = 0;
  std::uint64_t max_memory_ = 0;
  bool ended_ = false;
  bool violated_ = false;
  std::optional<std::uint32_t> failed_;
};

} // namespace dtrmc::ledger
