// SPDX-License-Identifier: Apache-2.0
// RV32IM + Zicsr + Zifencei instructions as text, in the notation of GNU objdump -M no-aliases.
#pragma once

#include <cstdint>
#include <string>

namespace dtrmc::profile {

// "mnemonic operands"; branch and jump targets as absolute addresses. What is no instruction gives ".word 0x...".
std::string disassemble(std::uint32_t word, std::uint32_t pc);

const char* register_name(unsigned number); // zero, ra, sp, ...

} // namespace dtrmc::profile
