// SPDX-License-Identifier: Apache-2.0
// Derives a run's record from its events and the trace alone: clock, compute sums, peak memory, counts, hashes.
// It knows nothing of how the events came about, so simulator and platform are measured by one yardstick.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/record/event.h"
#include "host/record/eviction_hashes.h"
#include "host/record/run_record.h"
#include "host/trace/schedule.h"

namespace dtrmc::record {

class RunRecorder : public EventSink {
 public:
  // `evictions`, if given, receives each eviction as a line of the golden format, "p CLOCK NAME\n" (chosen by the
  // heuristic) or "e CLOCK NAME\n". Both must outlive the recorder.
  explicit RunRecorder(const trace::Schedule& schedule, std::ostream* evictions = nullptr);

  // CLOCK in the lists is the recorder's own (1 plus the costs run so far); the events' clocks are only compared
  // with it: see clock_mismatches().
  void on_event(const Event& event) override;

  // The record, once; no event may follow. heuristic_evals is not derivable and stays 0.
  RunRecord finish(Status status);

  // Events whose clock was not 1 plus the costs run so far: 0 unless the producer miscounts.
  std::uint64_t clock_mismatches() const { return clock_mismatches_; }
  std::uint64_t clock() const { return record_.clock; } // ns
  std::uint64_t memory() const { return memory_; }      // bytes resident now

 private:
  void run(trace::OperatorId op, bool first);
  void evict(trace::StorageId storage, bool policy);

  const trace::Schedule& schedule_;
  std::ostream* evictions_;
  RunRecord record_;
  EvictionHashes hashes_;
  std::vector<std::uint8_t> evicted_before_; // by storage
  std::vector<std::uint8_t> defined_;        // by tensor
  std::vector<std::vector<trace::TensorId>> on_storage_;
  std::uint64_t memory_ = 0;
  std::uint64_t clock_mismatches_ = 0;
};

} // namespace dtrmc::record
