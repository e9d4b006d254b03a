/* SPDX-License-Identifier: Apache-2.0
 * The block that the platform looks up in the image. The linker script puts the ring right behind it.
 */
#include <stddef.h>

#include "firmware/config.h"
#include "firmware/hal.h"

_Static_assert(offsetof(struct dtrmc_shared, ring) == sizeof(struct dtrmc_shared), "the ring follows the block");
_Static_assert(DTRMC_RAM_BASE == 0x80000000u, "link.ld.S places the image there");

__attribute__((section(".dtrmc_shared"))) struct dtrmc_shared dtrmc_shared = {
    .magic = DTRMC_PROTOCOL_MAGIC,
    .version = DTRMC_PROTOCOL_VERSION,
    .ring_words = DTRMC_CONFIG_RING_WORDS,
};
