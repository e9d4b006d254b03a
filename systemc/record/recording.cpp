// SPDX-License-Identifier: Apache-2.0
#include "systemc/record/recording.h"

#include <fmt/format.h>

#include <stdexcept>

#include "systemc/cpu/elf_loader.h"
#include "systemc/platform/clock_domain.h"

namespace dtrmc::recording {

Recording::Recording(const RecordingRequest& request, const trace::Schedule& schedule, platform::PlatformConfig& config)
    : window_(request.from, request.to) {
  const std::uint64_t period_ps = platform::ClockDomain(config.controller_mhz).period_ps();
  if (!request.decisions.empty()) decisions_.emplace(request.decisions, schedule);
  if (!request.timeline.empty()) {
    timeline_file_.emplace(request.timeline);
    timeline_.emplace(schedule, window_, *timeline_file_);
  }
  const bool profile = request.profile || !request.stacks.empty();
  if (profile || !request.instructions.empty()) {
    if (config.make_cpu || config.run_control) {
      throw platform::InputError(
          "a function profile or instruction trace needs the instruction-set simulator, without a debugger attached");
    }
    try {
      const cpu::ElfImage image(config.firmware_name, config.firmware);
      if (profile) profile_.emplace(image);
      if (!request.instructions.empty()) {
        instruction_file_.emplace(request.instructions);
        instructions_.emplace(image, window_, period_ps, *instruction_file_);
      }
    } catch (const record::FileError&) {
      throw;
    } catch (const std::runtime_error& error) { // the image
      throw platform::InputError(error.what());
    }
    if (!request.stacks.empty()) stack_file_.emplace(request.stacks);
    config.steps = this;
  }
  if (!request.wave.empty()) {
    if (config.scorer == platform::Scorer::kFirmware || config.scorer == platform::Scorer::kTlm) {
      throw platform::InputError(fmt::format("a waveform needs the RTL of the scoring unit; the {} scorer has none",
                                             platform::to_string(config.scorer)));
    }
    const double unit_mhz = config.unit_mhz != 0 ? config.unit_mhz : config.controller_mhz;
    wave_.emplace(request.wave, config.unit, platform::ClockDomain(unit_mhz).period_ps(), window_);
    config.make_unit = [this](const std::string&) { return wave_->make_unit(); };
  }
  if (timeline_ || instructions_ || wave_) config.probe = this; // the window needs to hear of events
}

void Recording::on_decision(const platform::Decision& decision) {
  if (decisions_) decisions_->add(decision);
}

void Recording::finish(const platform::PlatformResult& result) {
  if (!profile_) return;
  profile_->finish(result.cycles);
  if (stack_file_) stack_file_->write(profile_->folded());
}

void Recording::commit() {
  if (decisions_) decisions_->commit();
  if (timeline_file_) timeline_file_->commit();
  if (instruction_file_) instruction_file_->commit();
  if (stack_file_) stack_file_->commit();
  if (wave_) wave_->commit();
}

void Recording::on_start(const platform::ControllerView* controller) {
  if (timeline_) timeline_->on_start(controller);
}
void Recording::on_activity(std::uint32_t before, std::uint32_t after, std::uint64_t time, std::uint64_t now) {
  if (timeline_) timeline_->on_activity(before, after, time, now);
}
void Recording::on_rung(std::uint64_t time) {
  if (timeline_) timeline_->on_rung(time);
}
void Recording::on_taken(std::uint64_t time) {
  if (timeline_) timeline_->on_taken(time);
}
void Recording::on_decided(const platform::Decision& decision, std::uint64_t time) {
  if (timeline_) timeline_->on_decided(decision, time);
}
void Recording::on_posted(std::uint32_t word, std::uint64_t time) {
  const std::uint32_t kind = DTRMC_ACTION_KIND(word);
  if (kind >= DTRMC_ACTION_EXECUTE_FIRST && kind <= DTRMC_ACTION_EVICT_EAGER) {
    window_.on_event_posted(posted_events_++, time);
  }
  if (timeline_) timeline_->on_posted(word, time);
}
void Recording::on_unit(bool busy, std::uint64_t time) {
  if (timeline_) timeline_->on_unit(busy, time);
}
void Recording::on_action(std::uint32_t word, std::uint64_t time) {
  if (timeline_) timeline_->on_action(word, time);
}
void Recording::on_memory(std::uint64_t bytes, std::uint64_t time) {
  if (timeline_) timeline_->on_memory(bytes, time);
}
void Recording::on_end(std::uint64_t time) {
  if (timeline_) timeline_->on_end(time);
}
void Recording::on_step(const cpu::Core& core, const profile::Step& step) {
  if (profile_) profile_->on_step(core, step);
  if (instructions_) instructions_->on_step(core, step);
}

std::string format_profile(const profile::FunctionProfile& profile) {
  const std::uint64_t all = profile.cycles();
  const auto share = [&](std::uint64_t cycles) {
    return all == 0 ? 0.0 : 100 * static_cast<double>(cycles) / static_cast<double>(all);
  };
  std::string text = fmt::format("{:>14} {:>7} {:>14} {:>7} {:>10}  function\n", "self cycles", "self %",
                                 "total cycles", "total %", "calls");
  for (const profile::FunctionCycles& f : profile.functions()) {
    text += fmt::format("{:>14} {:>7.2f} {:>14} {:>7.2f} {:>10}  {}\n", f.self, share(f.self), f.total, share(f.total),
                        f.calls, f.name);
  }
  return text + fmt::format("{:>14} {:>7.2f}  = mcycle\n", all, share(all));
}

} // namespace dtrmc::recording
