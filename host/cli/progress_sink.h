// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/record/event.h"
#include "host/report/progress.h"
#include "host/trace/schedule.h"

namespace dtrmc::cli {

// Progress of a run by the operators that ran for the first time; passes every event on.
class ProgressSink : public record::EventSink {
 public:
  ProgressSink(const std::string& what, const trace::Schedule& schedule, record::EventSink* next = nullptr)
      : progress_(what, schedule.operators.size(), "operators"), next_(next) {}
  void on_event(const record::Event& event) override {
    if (event.kind == record::EventKind::kFirstRun) progress_.advance();
    if (next_ != nullptr) next_->on_event(event);
  }

 private:
  report::Progress progress_;
  record::EventSink* next_;
};

} // namespace dtrmc::cli
