// SPDX-License-Identifier: Apache-2.0
// The registers that gdb sees, by its numbers, and the target description that names them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "systemc/cpu/core.h"

namespace dtrmc::debug {

inline constexpr unsigned kPcNumber = 32;         // after x0 to x31
inline constexpr unsigned kGeneralRegisters = 33; // those of the g and G packets

unsigned register_count();
// Nothing: no such register.
std::optional<std::uint32_t> read_register(cpu::Core& core, unsigned number);
// False: no such register, or it does not take this value.
bool write_register(cpu::Core& core, unsigned number, std::uint32_t value);

// target.xml (GDB manual, appendix "Target Descriptions").
const std::string& target_description();

// ABI name of x0 .. x31.
const char* register_name(unsigned number);

// All registers and the CSRs that tell of traps, a few lines of text.
std::string register_table(cpu::Core& core);

} // namespace dtrmc::debug
