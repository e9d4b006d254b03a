// SPDX-License-Identifier: Apache-2.0
#include "systemc/record/decision_list.h"

#include "systemc/platform/activity.h"

namespace dtrmc::recording {

namespace {

// Cycles of waiting for commands or the accelerator cannot lie within a decision.
constexpr int kPartsWithinDecision = DTRMC_ACTIVITY_WAIT_UNIT + 1;

std::vector<std::string> columns() {
  std::vector<std::string> names{"decision",    "event",        "model_clock_ns", "begin_cycle",  "victim",
                                 "victim_name", "victim_bytes", "candidates",     "table_writes", "cycles_since_last",
                                 "cycles"};
  for (int part = 0; part < kPartsWithinDecision; ++part) {
    names.push_back(std::string("cycles_") + platform::kActivityNames[part]);
  }
  names.insert(names.end(), {"overflow_scan", "redecided"});
  return names;
}

} // namespace

DecisionList::DecisionList(const std::string& path, const trace::Schedule& schedule)
    : schedule_(schedule), table_(path, columns()) {}

void DecisionList::add(const platform::Decision& d) {
  table_.cell(d.index).cell(d.event).cell(d.clock).cell(d.begin).cell(std::uint64_t{d.victim});
  table_.cell(schedule_.storage_name(d.victim)).cell(schedule_.storages[d.victim].size);
  table_.cell(d.candidates).cell(d.table_writes).cell(d.between).cell(d.cycles);
  for (int part = 0; part < kPartsWithinDecision; ++part) table_.cell(d.parts[part]);
  table_.cell(d.overflow_scan).cell(d.redecided);
  table_.end_row();
}

} // namespace dtrmc::recording
