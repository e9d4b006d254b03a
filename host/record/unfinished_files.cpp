// SPDX-License-Identifier: Apache-2.0
#include "host/record/unfinished_files.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <mutex>

namespace dtrmc::record {

namespace {

// A table of fixed size, since a signal handler may neither allocate nor lock.
struct Slot {
  std::atomic<bool> used{false};
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 64> slots;
std::mutex slots_mutex; // among registering threads; the handler does not take it

void remove_and_end(int number) {
  for (Slot& slot : slots) {
    if (slot.used.load(std::memory_order_acquire)) ::unlink(slot.path.data());
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void install_handlers() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current {};
    if (::sigaction(number, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = remove_and_end;
    ::sigaction(number, &ours, nullptr);
  }
}

} // namespace

void register_unfinished(const std::string& path) {
  const std::lock_guard<std::mutex> lock(slots_mutex);
  static const bool installed = [] {
    install_handlers();
    return true;
  }();
  static_cast<void>(installed);
  if (path.size() >= PATH_MAX) return;
  for (Slot& slot : slots) {
    if (slot.used.load(std::memory_order_relaxed)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.used.store(true, std::memory_order_release);
    return;
  }
}

void forget_unfinished(const std::string& path) {
  const std::lock_guard<std::mutex> lock(slots_mutex);
  for (Slot& slot : slots) {
    if (slot.used.load(std::memory_order_relaxed) && path == slot.path.data()) {
      slot.used.store(false, std::memory_order_release);
    }
  }
}

} // namespace dtrmc::record
