// SPDX-License-Identifier: Apache-2.0
// Everything that can be recorded of one platform run, as files that appear together at the end or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/record/output_file.h"
#include "host/record/window.h"
#include "host/trace/schedule.h"
#include "systemc/platform/platform.h"
#include "systemc/profile/function_profile.h"
#include "systemc/profile/instruction_trace.h"
#include "systemc/record/decision_list.h"
#include "systemc/record/timeline.h"
#include "systemc/record/waveform.h"

namespace dtrmc::recording {

struct RecordingRequest { // paths; empty: not recorded
  std::string timeline;
  std::string wave;
  std::string instructions;
  std::string decisions;
  std::string stacks; // folded call stacks; implies `profile`
  bool profile = false;
  record::WindowEdge from, to; // of timeline, wave and instructions

  bool anything() const {
    return profile ||
           !(timeline.empty() && wave.empty() && instructions.empty() && decisions.empty() && stacks.empty());
  }
};

class Recording : private platform::Probe, private profile::StepObserver {
 public:
  // Opens the files and lets `config` watch the run. Throws record::FileError, platform::InputError. The references
  // must outlive the recording.
  Recording(const RecordingRequest& request, const trace::Schedule& schedule, platform::PlatformConfig& config);

  // For the decision list.
  void on_decision(const platform::Decision& decision);

  // The run is over (its platform gone).
  void finish(const platform::PlatformResult& result);
  void commit(); // throws record::FileError

  // After finish(), where it was asked for.
  const profile::FunctionProfile* profile() const { return profile_ ? &*profile_ : nullptr; }

 private:
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
  void on_step(const cpu::Core& core, const profile::Step& step) override;

  record::Window window_;
  std::uint64_t posted_events_ = 0;
  std::optional<record::OutputFile> timeline_file_;
  std::optional<Timeline> timeline_;
  std::optional<record::OutputFile> instruction_file_;
  std::optional<profile::InstructionTrace> instructions_;
  std::optional<record::OutputFile> stack_file_;
  std::optional<profile::FunctionProfile> profile_;
  std::optional<DecisionList> decisions_;
  std::optional<Waveform> wave_;
};

// The profile as a text table for people: cycles and shares, largest self first.
std::string format_profile(const profile::FunctionProfile& profile);

} // namespace dtrmc::recording
