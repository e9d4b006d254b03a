/* SPDX-License-Identifier: Apache-2.0
 * The batch image: the firmware with another hardware abstraction (hal_batch.h), for running its own work without a
 * platform, on any RV32IM machine that has RAM: instruction-set simulators, emulators, RTL of cores. All commands of a
 * run lie in RAM before it starts, actions go to a ring in RAM and are carried out at once; no device, interrupt or
 * CSR is touched. The run ends with one store to DTRMC_BATCH_END, then a jump to itself. C11 and C++17.
 *
 * Memory, upwards from DTRMC_RAM_BASE: the image, its stack, the block of protocol.h, then what the loader puts there:
 * the commands right behind the block (they never wrap: ring_words is their exact length), the ring of actions, and
 * the arena up to ram_bytes. systemc/batch does so.
 */
#ifndef DTRMC_FIRMWARE_BATCH_H_
#define DTRMC_FIRMWARE_BATCH_H_

#include <stdint.h>

/* No RAM and no device: whoever runs the image watches for the store. The value says how the run ended. */
#define DTRMC_BATCH_END 0x0f000000u
#define DTRMC_BATCH_STOPPED 1u /* END or FAIL was posted */
#define DTRMC_BATCH_STARVED 2u /* the commands ended without END */

/* The block that the image exports as symbol `dtrmc_batch`. */
struct dtrmc_batch {
  /* set by the loader */
  uint32_t commands;     /* number of records, END included */
  uint32_t actions;      /* address of the action ring */
  uint32_t action_slots; /* its words, a power of two; the oldest word is overwritten when it is full */
  uint32_t arena;        /* address of the first free byte, a multiple of 16 */
  /* set by the image */
  uint32_t action_count; /* actions posted */
};

#endif /* DTRMC_FIRMWARE_BATCH_H_ */
