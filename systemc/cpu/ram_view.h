// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dtrmc::cpu {

// The controller's RAM, owned by someone else. Bytes in target (little-endian) order.
struct RamView {
  uint8_t* data = nullptr;
  uint32_t base = 0;        // byte address of data[0], a multiple of 4
  uint32_t size = 0;        // bytes, a multiple of 4, at most 2 GiB
  uint32_t wait_states = 0; // cycles a data access takes beyond the one-cycle answer; instruction fetch is not slowed
};

} // namespace dtrmc::cpu
