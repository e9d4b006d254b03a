// SPDX-License-Identifier: Apache-2.0
#include "systemc/debug/monitor.h"

#include <fmt/format.h>

#include <array>

#include "host/trace/trace_error.h"
#include "systemc/debug/describe.h"
#include "systemc/platform/activity.h"

namespace dtrmc::debug {

namespace {

std::string time_text(const Snapshot& s) {
  return fmt::format("device time {}, model clock {} ns\n", describe_time(s.device_time_ps), s.clock);
}

std::string cycles_text(const Snapshot& s) {
  return fmt::format("cycle {}, {} instructions\n", s.cycles, s.instructions);
}

std::string activity_text(const Snapshot& s) {
  std::string text = fmt::format("now: {}\n", describe_activity(s.activity));
  for (int i = 0; i < DTRMC_ACTIVITY_COUNT; ++i) {
    text += fmt::format("  {:<17} {:>14} cycles\n", platform::kActivityNames[i], s.activity_cycles[i]);
  }
  return text + fmt::format("  {:<17} {:>14} cycles\n", "total", s.cycles);
}

std::string memory_text(const Snapshot& s) {
  return fmt::format("in use {} bytes in {} storages, pinned {}, locked {}, peak {}, budget {}\n", s.memory,
                     s.residency.storages, s.residency.pinned_bytes, s.residency.locked_bytes, s.max_memory, s.budget);
}

std::string pool_text(const Snapshot& s) {
  std::string text = fmt::format("by the ledger: {} storages could be evicted, {} bytes\n",
                                 s.residency.evictable_storages, s.residency.evictable_bytes);
  if (s.pool) {
    text += fmt::format("by the firmware: pool of {} storages, {} bytes; {} operators being materialised\n",
                        s.pool->storages, s.pool->bytes, s.pool->nesting);
  }
  return text;
}

std::string command_text(const Snapshot& s) {
  if (s.taken == s.completed) return "no command in hand\n";
  return fmt::format("command {}: {}\n", s.completed, describe_command(*s.schedule, s.completed));
}

std::string commands_text(const Snapshot& s) { return command_list(s, 8); }

std::string queue_text(const Snapshot& s) {
  return fmt::format("{} of {} action slots taken\n", s.queued.size(), DTRMC_MAILBOX_ACTION_SLOTS) + action_list(s);
}

std::string unit_text(const Snapshot& s) {
  if (!s.unit) return "this run has no scoring unit\n";
  std::string text = fmt::format("{}: {}, interrupt {}\n", s.unit->name, s.unit->busy ? "searching" : "idle",
                                 s.unit->irq ? "high" : "low");
  if (s.unit->registers.empty()) text += "  its registers can be read when the search has ended\n";
  for (const auto& [name, value] : s.unit->registers) text += fmt::format("  {:<16} {:#010x}\n", name, value);
  return text;
}

std::string interrupts_text(const Snapshot& s) {
  std::string text;
  for (const Snapshot::Line& line : s.lines) {
    text += fmt::format("  {:>2} {:<12} {:<4} {}\n", line.number, line.name, line.level ? "high" : "low",
                        line.enabled ? "enabled in mie" : "");
  }
  return text;
}

std::string help_text(const Snapshot& s);

struct Entry {
  const char* name;
  const char* help;
  std::string (*text)(const Snapshot&);
};
constexpr std::array<Entry, 11> kEntries{
    {{"help", "this list", help_text},
     {"time", "device time and model clock", time_text},
     {"cycles", "controller cycles and instructions", cycles_text},
     {"activity", "what the controller is doing, cycles by activity", activity_text},
     {"memory", "tensor memory by the ledger: in use, pinned, peak, budget", memory_text},
     {"pool", "what could be evicted", pool_text},
     {"command", "the command in hand and its operator", command_text},
     {"commands", "the last commands and those that wait", commands_text},
     {"queue", "the accelerator: last actions, posted actions", queue_text},
     {"unit", "registers of the scoring unit", unit_text},
     {"interrupts", "levels of the interrupt lines", interrupts_text}}};

std::string help_text(const Snapshot&) {
  std::string text = "monitor commands:\n";
  for (const Entry& entry : kEntries) text += fmt::format("  {:<11} {}\n", entry.name, entry.help);
  return text;
}

} // namespace

std::string monitor(std::string_view command, const Snapshot& snapshot) {
  while (!command.empty() && command.front() == ' ') command.remove_prefix(1);
  while (!command.empty() && command.back() == ' ') command.remove_suffix(1);
  for (const Entry& entry : kEntries) {
    if (command == entry.name || (command.empty() && entry.text == help_text)) return entry.text(snapshot);
  }
  return fmt::format("unknown: {}\n", trace::in_quotes(command)) + help_text(snapshot);
}

} // namespace dtrmc::debug
