// SPDX-License-Identifier: Apache-2.0
// The aligned events of simulator and platform as a table, written while the platform runs. A row per event of the
// platform; README.md describes the columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/compare/margins.h"
#include "host/record/event.h"
#include "host/record/table_file.h"
#include "host/trace/schedule.h"

namespace dtrmc::compare {

// What the platform knows of a decision beyond its event.
struct PlatformDecision {
  std::uint64_t cycles = 0; // controller
  std::uint64_t candidates = 0;
  std::optional<JudgedDecision> judged; // by the numbers in the controller's own RAM
};

class EventTable {
 public:
  // The simulator's complete stream and its decisions; `period_ps` of the controller's clock. Throws
  // record::FileError.
  EventTable(const std::string& path, const trace::Schedule& schedule, const std::vector<record::Event>& reference,
             const std::vector<JudgedDecision>& decisions, std::uint64_t period_ps);

  // Before the event of its eviction.
  void on_decision(const PlatformDecision& decision) { decision_ = decision; }
  void on_event(const record::Event& event, std::uint64_t device_time_ps);

  void commit(); // throws record::FileError

 private:
  struct Row {
    std::uint64_t index;
    record::Event event;
    std::uint64_t device_time_ps;
    std::optional<PlatformDecision> decision;
  };
  void write(const Row& row, std::optional<trace::OperatorId> op);
  void flush(std::optional<trace::OperatorId> op);

  const trace::Schedule& schedule_;
  const std::vector<record::Event>& reference_;
  const std::vector<JudgedDecision>& decisions_;
  std::uint64_t period_ps_;
  record::TableFile table_;
  std::uint64_t next_ = 0; // event
  std::size_t judged_ = 0; // decisions of the simulator before the next row's event
  std::optional<PlatformDecision> decision_;
  std::vector<Row> waiting_; // evictions, for the operator that needed the room
};

} // namespace dtrmc::compare
