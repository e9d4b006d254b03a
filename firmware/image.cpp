// SPDX-License-Identifier: Apache-2.0
#include "firmware/image.h"

extern "C" const std::uint8_t dtrmc_firmware_image_begin[];
extern "C" const std::uint8_t dtrmc_firmware_image_end[];

namespace dtrmc::firmware {

Image image() {
  return {dtrmc_firmware_image_begin, static_cast<std::size_t>(dtrmc_firmware_image_end - dtrmc_firmware_image_begin)};
}

} // namespace dtrmc::firmware
