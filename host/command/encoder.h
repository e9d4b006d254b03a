// SPDX-License-Identifier: Apache-2.0
// The driver's side of the command queue: a schedule's steps as command descriptors (firmware/protocol.h), and
// where each descriptor lies in the ring that controller and driver share.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <vector>

#include "host/trace/schedule.h"

namespace dtrmc::command {

// A trace that the command format cannot carry (too many operands, too many ids). The message says which operator.
class EncodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The names by which the driver calls tensors. A tensor has a last mention, and where that releases its last reference
// the controller is told so, and the next tensor gets the id: there are as many ids as tensors can be named at a time.
struct TensorIds {
  explicit TensorIds(const trace::Schedule& schedule);
  std::vector<std::uint32_t> of_tensor; // id of each tensor of the schedule
  std::vector<bool> last_mention;       // of each step: it is a release after which its tensor is not named again
  std::uint32_t count = 0;              // different ids
};

// Number of commands of a schedule: its steps and one END.
inline std::size_t command_count(const trace::Schedule& schedule) { return schedule.steps.size() + 1; }

// Descriptor of command `index` (steps in order, then END) into `words`, replacing what it held.
void encode(const trace::Schedule& schedule, const TensorIds& ids, std::size_t index,
            std::vector<std::uint32_t>& words);

// Words of the smallest ring that carries every command of the schedule, at most 2^31.
std::uint32_t least_ring(const trace::Schedule& schedule);

// Checks once, before a run starts, that every command of the schedule can be carried by a ring of `ring_words`.
// Throws EncodeError.
void check_encodable(const trace::Schedule& schedule, std::uint32_t ring_words);

// Where records lie in a ring of `capacity` words. A record never wraps: the rest of the ring is skipped instead,
// so the largest record is half the ring (then either the rest or the start always has room once it is empty).
class RingAllocator {
 public:
  explicit RingAllocator(std::uint32_t capacity) : capacity_(capacity) {}

  struct Place {
    std::uint32_t offset;      // word at which the record starts
    std::uint32_t skip_offset; // word at which a SKIP record of skip_words must be written first
    std::uint32_t skip_words;  // 0: no skip
  };

  // Takes room for a record of `words`, or nothing while too many records are incomplete.
  std::optional<Place> place(std::uint32_t words);

  // The oldest record is complete; its room is free again.
  void complete();

  std::size_t incomplete() const { return lengths_.size(); }
  static std::uint32_t largest_record(std::uint32_t capacity) { return capacity / 2; }

 private:
  std::uint32_t capacity_;
  std::uint32_t tail_ = 0;
  std::uint32_t used_ = 0;
  std::deque<std::uint32_t> lengths_; // of incomplete records, skipped words included
};

} // namespace dtrmc::command
