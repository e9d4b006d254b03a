// SPDX-License-Identifier: Apache-2.0
// What gdb asked to be stopped at. The program in RAM is never changed for it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "systemc/cpu/core.h"

namespace dtrmc::debug {

enum class WatchKind : std::uint8_t { kWrite = 2, kRead = 3, kAccess = 4 }; // digits of the Z packets

// The access to memory that an instruction is about to make.
struct Access {
  std::uint32_t address;
  std::uint32_t bytes;
  bool write;
};
// Of the instruction at the core's pc; nothing where it makes none.
std::optional<Access> next_access(const cpu::Core& core);

class Breakpoints {
 public:
  struct Watch {
    WatchKind kind;
    std::uint32_t address;
    std::uint32_t bytes;
  };
  struct Hit {
    WatchKind kind;
    std::uint32_t address; // within the watched range
  };

  bool empty() const { return addresses_.empty() && watches_.empty(); }
  bool watching() const { return !watches_.empty(); }
  // How often each was set does not matter, as the protocol demands. False: too many.
  bool add(std::uint32_t address, bool hardware);
  void remove(std::uint32_t address, bool hardware);
  bool add_watch(const Watch& watch);
  void remove_watch(const Watch& watch);
  void clear();

  struct Stop {
    bool hardware;
  };
  std::optional<Stop> at(std::uint32_t pc) const;
  std::optional<Hit> hit(const Access& access) const;

 private:
  static constexpr std::size_t kMost = 4096; // of each kind; a debugger needs a few
  struct Point {
    std::uint32_t address;
    bool hardware;
  };
  std::vector<Point> addresses_;
  std::vector<Watch> watches_;
};

} // namespace dtrmc::debug
