/* SPDX-License-Identifier: Apache-2.0
 * Sizes that are fixed when the image is built. Everything else (records, unit bookkeeping) comes from the arena,
 * which takes what the image leaves free of the RAM. Also read by the linker script: plain numbers only.
 */
#ifndef DTRMC_FIRMWARE_CONFIG_H_
#define DTRMC_FIRMWARE_CONFIG_H_

/* Capacity of the command ring in 32-bit words, where the platform does not choose another: it takes less in a small
 * RAM and more for long records. The longest record a driver may write is half of it. */
#define DTRMC_CONFIG_RING_WORDS 16384

/* Bytes of stack. The deepest call path is fixed, since nothing recurses; tests/firmware checks it against this. */
#define DTRMC_CONFIG_STACK_BYTES 2048

#endif /* DTRMC_FIRMWARE_CONFIG_H_ */
