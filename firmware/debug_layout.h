/* SPDX-License-Identifier: Apache-2.0
 * Where an observer outside the controller (recorder, comparison, debugger) finds the firmware's state in RAM. The
 * image exports one constant of this type as symbol `dtrmc_debug_layout`; nothing of it is ever executed, so watching
 * costs the firmware no cycle. Offsets in bytes; 32-bit little-endian words.
 */
#ifndef DTRMC_FIRMWARE_DEBUG_LAYOUT_H_
#define DTRMC_FIRMWARE_DEBUG_LAYOUT_H_

#include <stdint.h>

#define DTRMC_DEBUG_LAYOUT_MAGIC 0x4c525444u /* "DTRL" */

struct dtrmc_debug_layout {
  uint32_t magic;
  uint32_t bytes; /* of this structure: a platform built for another one looks no further */
  uint32_t state; /* address of struct fw_state */
  /* in struct fw_state */
  uint32_t state_clock;      /* 64 bit */
  uint32_t state_memory;     /* 64 bit */
  uint32_t state_heuristic;  /* address of struct fw_heuristic */
  uint32_t state_pool_head;  /* address of struct fw_storage, 0: none */
  uint32_t state_pool_count; /* 32 bit */
  uint32_t state_nesting;    /* 32 bit */
  /* in struct fw_heuristic, 8 bit each */
  uint32_t heuristic_uses_size;
  uint32_t heuristic_uses_staleness;
  /* in struct fw_storage */
  uint32_t storage_next;        /* address of the next one in the pool, 0: none */
  uint32_t storage_id;          /* 32 bit */
  uint32_t storage_cost;        /* 64 bit, signed */
  uint32_t storage_size;        /* 64 bit */
  uint32_t storage_last_access; /* 64 bit */
};

#endif /* DTRMC_FIRMWARE_DEBUG_LAYOUT_H_ */
