// SPDX-License-Identifier: Apache-2.0
#include "systemc/profile/call_stack.h"

namespace dtrmc::profile {

namespace {

constexpr std::uint32_t kOpcodeJal = 0x6f;
constexpr std::uint32_t kOpcodeJalr = 0x67;
constexpr std::uint32_t kMret = 0x30200073;

bool is_link(std::uint32_t number) { return number == 1 || number == 5; } // ra, t0

} // namespace

CallStack::CallStack(const FunctionMap& functions) : functions_(functions) {
  nodes_.push_back({kRoot, functions.unknown(), 0});
}

StackId CallStack::child(StackId parent, FunctionId function) {
  const std::uint64_t key = std::uint64_t{parent} << 32 | function;
  const auto [found, added] = children_.try_emplace(key, static_cast<StackId>(nodes_.size()));
  if (added) nodes_.push_back({parent, function, 0});
  return found->second;
}

void CallStack::enter(FunctionId function, std::uint32_t return_address, std::uint32_t stack_pointer) {
  if (frames_.size() >= kDeepest) return take_over(function);
  const StackId node = child(frames_.empty() ? kRoot : frames_.back().node, function);
  ++nodes_[node].calls;
  frames_.push_back({node, return_address, stack_pointer});
}

void CallStack::take_over(FunctionId function) {
  Frame& top = frames_.back();
  top.node = child(nodes_[top.node].parent, function);
  ++nodes_[top.node].calls;
}

// Back to the frame that waits for `address`; false where none does.
bool CallStack::leave(std::uint32_t address) {
  for (std::size_t i = frames_.size(); i > 1; --i) { // nobody waits for the outermost function
    if (frames_[i - 1].return_address != address) continue;
    frames_.resize(i - 1);
    return true;
  }
  return false;
}

StackId CallStack::at(std::uint32_t pc) {
  const FunctionId function = functions_.at(pc);
  if (frames_.empty()) {
    enter(function, 0, 0);
  } else if (nodes_[frames_.back().node].function != function) {
    take_over(function);
  }
  return frames_.back().node;
}

void CallStack::follow(const Step& step, std::uint32_t stack_pointer) {
  if (!step.retired) { // a trap: the handler returns to the instruction that did not run
    enter(functions_.at(step.next_pc), step.pc, stack_pointer);
    return;
  }
  if (step.word == kMret) {
    leave(step.next_pc);
    return;
  }
  const std::uint32_t opcode = step.word & 0x7f;
  if (opcode != kOpcodeJal && opcode != kOpcodeJalr) return;
  const std::uint32_t rd = step.word >> 7 & 31;
  if (is_link(rd)) {
    // The stack grows down: a frame called at a lower stack pointer than the present one is gone.
    while (frames_.size() > 1 && frames_.back().stack_pointer < stack_pointer && frames_.back().stack_pointer != 0) {
      frames_.pop_back();
    }
    enter(functions_.at(step.next_pc), step.pc + 4, stack_pointer);
  } else if (opcode == kOpcodeJalr && is_link(step.word >> 15 & 31)) {
    leave(step.next_pc); // at() looks after the rest
  }
}

} // namespace dtrmc::profile
