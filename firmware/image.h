// SPDX-License-Identifier: Apache-2.0
// The firmware image that the binary carries, so that it runs without a file beside it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dtrmc::firmware {

struct Image {
  const std::uint8_t* data; // an ELF file
  std::size_t size;         // bytes
};

Image image();

} // namespace dtrmc::firmware
