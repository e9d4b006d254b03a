// SPDX-License-Identifier: Apache-2.0
#include "host/command/descriptor.h"

namespace dtrmc::command {

namespace {

std::uint32_t header(dtrmc_opcode opcode, std::uint64_t words) {
  return static_cast<std::uint32_t>(opcode) | static_cast<std::uint32_t>(words << 8);
}

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

void append_fields(std::vector<std::uint32_t>& words, std::uint32_t tensor, std::uint32_t storage, std::uint64_t bytes,
                   std::uint32_t alias) {
  words.push_back(tensor);
  words.push_back(storage);
  words.push_back(low(bytes));
  words.push_back(high(bytes));
  words.push_back(alias);
}

} // namespace

void append_operator(std::vector<std::uint32_t>& words, dtrmc_opcode opcode, std::uint32_t id,
                     std::uint32_t input_count, std::uint32_t output_count, std::uint64_t cost_ns) {
  const std::uint64_t count = operator_words(input_count, output_count);
  words.reserve(words.size() + count);
  words.push_back(header(opcode, count));
  words.push_back(id);
  words.push_back(input_count | output_count << 16);
  words.push_back(low(cost_ns));
  words.push_back(high(cost_ns));
}

void append_output(std::vector<std::uint32_t>& words, std::uint32_t tensor, std::uint32_t storage,
                   std::uint64_t bytes) {
  append_fields(words, tensor, storage, bytes, DTRMC_NO_ALIAS);
}

void append_alias(std::vector<std::uint32_t>& words, std::uint32_t tensor, std::uint32_t storage, std::uint32_t alias) {
  append_fields(words, tensor, storage, 0, alias);
}

void append_tensor(std::vector<std::uint32_t>& words, dtrmc_opcode opcode, std::uint32_t tensor) {
  words.push_back(header(opcode, 2));
  words.push_back(tensor);
}

void append_last_release(std::vector<std::uint32_t>& words, std::uint32_t tensor) {
  append_tensor(words, DTRMC_COMMAND_RELEASE, tensor | DTRMC_RELEASE_LAST);
}

void append_end(std::vector<std::uint32_t>& words) { words.push_back(header(DTRMC_COMMAND_END, 1)); }

} // namespace dtrmc::command
