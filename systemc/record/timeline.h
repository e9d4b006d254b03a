// SPDX-License-Identifier: Apache-2.0
// A run of the platform as a timeline: accelerator, controller, scoring unit, command queue, memory. README.md
// describes the tracks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "host/record/output_file.h"
#include "host/record/window.h"
#include "host/trace/schedule.h"
#include "systemc/platform/probe.h"
#include "systemc/record/trace_event_writer.h"

namespace dtrmc::recording {

class Timeline : public platform::Probe {
 public:
  // `window` is moved on by whoever owns it, before the timeline hears of a posted action.
  Timeline(const trace::Schedule& schedule, const record::Window& window, record::OutputFile& out);

  void on_start(const platform::ControllerView* controller) override;
  void on_activity(std::uint32_t before, std::uint32_t after, std::uint64_t time, std::uint64_t now) override;
  void on_rung(std::uint64_t time) override;
  void on_taken(std::uint64_t time) override;
  void on_decided(const platform::Decision& decision, std::uint64_t time) override;
  void on_posted(std::uint32_t word, std::uint64_t time) override;
  void on_unit(bool busy, std::uint64_t time) override;
  void on_action(std::uint32_t word, std::uint64_t time) override;
  void on_memory(std::uint64_t bytes, std::uint64_t time) override;
  void on_end(std::uint64_t time) override;

 private:
  // Where an eviction is shown: the start of the arrow to the rematerialisation that it causes.
  struct Origin {
    Track track;
    std::uint64_t time;
  };
  struct Open {
    std::uint64_t since;
    std::uint32_t what;
  };

  void close_activity(std::uint64_t time);
  void close_command(std::uint64_t time);
  void close_unit(std::uint64_t time);
  void execute(trace::OperatorId id, bool again, std::uint64_t time);
  void evict(trace::StorageId id, bool eager, std::uint64_t time);
  void count_controller(std::uint64_t time);
  void count_queue(std::uint64_t time);
  void count(Track track, std::uint64_t value, std::uint64_t time);
  void settle(std::uint64_t now);
  std::string command_name(std::uint64_t index) const;

  const trace::Schedule& schedule_;
  TraceEventWriter writer_;
  const platform::ControllerView* controller_ = nullptr;
  std::optional<Open> activity_;
  std::optional<Open> command_;
  std::optional<std::uint64_t> unit_since_;
  std::optional<std::uint64_t> decision_since_; // until its eviction is posted
  std::vector<std::optional<Origin>> evicted_;  // by storage
  std::deque<std::vector<Origin>> executions_;  // posted, not started: what each brings back
  std::uint64_t flows_ = 0;
  std::uint32_t rung_ = 0, taken_ = 0, completed_ = 0; // commands
  std::vector<std::optional<std::uint64_t>> counted_;  // last value, by track
};

} // namespace dtrmc::recording
