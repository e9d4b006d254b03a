// SPDX-License-Identifier: Apache-2.0
// The firmware's call stack, followed from the outside by what jumps look like (RISC-V unprivileged specification,
// return-address stack hints), and the tree of all stacks that occurred.
//
// * A JAL or JALR that links (rd is ra or t0) is a call. One that does not link and leaves the function is a tail
//   call: the new function takes the frame over and returns for it.
// * A JALR without a link through ra or t0 returns to the frame that waits for this address, past frames in between;
//   where none waits for it, it is a tail call like any other jump.
// * Whatever else leads into another function (a branch, falling through, a jump back from a split-off cold part)
//   takes the frame over as well, so the function on top is always the one that runs.
// * Frames whose stack pointer was lower than the caller's now are dead (left without a return) and dropped.
// * A trap pushes a frame that MRET returns from.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "systemc/profile/function_map.h"
#include "systemc/profile/stepper.h"

namespace dtrmc::profile {

using StackId = std::uint32_t; // a node of the tree

class CallStack {
 public:
  explicit CallStack(const FunctionMap& functions);

  struct Node {
    StackId parent; // of the root itself: the root
    FunctionId function;
    std::uint64_t calls = 0; // entries by call or tail call
  };
  static constexpr StackId kRoot = 0; // above all functions, has none itself

  // The stack in which the instruction at `pc` runs. To be asked before the step is followed.
  StackId at(std::uint32_t pc);
  // What the executed instruction did to the stack. `stack_pointer`: x2.
  void follow(const Step& step, std::uint32_t stack_pointer);

  const std::vector<Node>& nodes() const { return nodes_; } // parents before children
  std::size_t depth() const { return frames_.size(); }

 private:
  struct Frame {
    StackId node;
    std::uint32_t return_address; // 0: the outermost function
    std::uint32_t stack_pointer;  // at the call
  };
  // A program that only ever calls must not fill memory: deeper calls count as tail calls.
  static constexpr std::size_t kDeepest = 4096;

  StackId child(StackId parent, FunctionId function);
  void enter(FunctionId function, std::uint32_t return_address, std::uint32_t stack_pointer);
  void take_over(FunctionId function);
  bool leave(std::uint32_t address);

  const FunctionMap& functions_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, StackId> children_; // by parent and function; never iterated
  std::vector<Frame> frames_;
};

} // namespace dtrmc::profile
