// SPDX-License-Identifier: Apache-2.0
// The eviction decisions of a run as a table, one row each.
#pragma once

#include <string>

#include "host/record/table_file.h"
#include "host/trace/schedule.h"
#include "systemc/platform/decision.h"

namespace dtrmc::recording {

class DecisionList {
 public:
  // Format by extension, see record::TableFile. Throws record::FileError.
  DecisionList(const std::string& path, const trace::Schedule& schedule);

  void add(const platform::Decision& decision);
  void commit() { table_.commit(); }

 private:
  const trace::Schedule& schedule_;
  record::TableFile table_;
};

} // namespace dtrmc::recording
