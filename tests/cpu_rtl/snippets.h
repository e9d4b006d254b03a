// SPDX-License-Identifier: Apache-2.0
// Short instruction sequences whose cycles are compared between the instruction-set simulator and RTL: every class of
// a timing profile, alone and in the neighbourhoods in which pipelines stall.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtrmc::test {

struct Snippet {
  std::string name;
  std::vector<uint32_t> setup;   // before the first mark
  std::vector<uint32_t> body;    // repeated between the marks; position independent
  std::vector<uint32_t> handler; // of exceptions, at most 7 words; ends with MRET
  std::vector<uint32_t> timer_handler;
  bool privileged = false; // CSRs, traps or WFI: cores that follow the privileged specification only
  bool misaligned = false; // accesses that cores without support trap
};

const std::vector<Snippet>& snippets();

// A whole program for MarksBoard: setup, mark, body `repeats` times, mark, end.
std::vector<uint32_t> program(const Snippet& snippet, unsigned repeats);

} // namespace dtrmc::test
