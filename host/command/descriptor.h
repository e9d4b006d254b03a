// SPDX-License-Identifier: Apache-2.0
// Command descriptors (firmware/protocol.h) as words, for whoever drives a controller.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/protocol.h"

namespace dtrmc::command {

// Begins a CONSTANT or COMPUTE record at the end of `words`; its inputs, then its outputs follow.
void append_operator(std::vector<std::uint32_t>& words, dtrmc_opcode opcode, std::uint32_t id,
                     std::uint32_t input_count, std::uint32_t output_count, std::uint64_t cost_ns);
inline void append_input(std::vector<std::uint32_t>& words, std::uint32_t tensor) { words.push_back(tensor); }
// Output `tensor` on a storage of its own.
void append_output(std::vector<std::uint32_t>& words, std::uint32_t tensor, std::uint32_t storage, std::uint64_t bytes);
// Output `tensor` on the storage of input `alias`.
void append_alias(std::vector<std::uint32_t>& words, std::uint32_t tensor, std::uint32_t storage, std::uint32_t alias);

// GET, RELEASE, PIN.
void append_tensor(std::vector<std::uint32_t>& words, dtrmc_opcode opcode, std::uint32_t tensor);
// RELEASE of the only reference to a tensor that is not named again; its id may name another from the next record on.
void append_last_release(std::vector<std::uint32_t>& words, std::uint32_t tensor);
void append_end(std::vector<std::uint32_t>& words);

// Words of a CONSTANT or COMPUTE record.
constexpr std::uint64_t operator_words(std::uint64_t inputs, std::uint64_t outputs) {
  return DTRMC_COMPUTE_WORDS + inputs + std::uint64_t{DTRMC_OUTPUT_WORDS} * outputs;
}

} // namespace dtrmc::command
