/* SPDX-License-Identifier: Apache-2.0
 * The hardware abstraction of the batch image (batch.h): no hardware at all.
 */
#ifndef DTRMC_FIRMWARE_HAL_BATCH_H_
#define DTRMC_FIRMWARE_HAL_BATCH_H_

#include <stdint.h>

#include "firmware/batch.h"
#include "firmware/protocol.h"

extern struct dtrmc_shared dtrmc_shared;
extern struct dtrmc_batch dtrmc_batch;

#define FW_STATE /* one controller, one state */

__attribute__((noreturn)) static inline void hal_end(uint32_t how) {
  *(volatile uint32_t*)DTRMC_BATCH_END = how;
  for (;;) {
  }
}

static inline uint32_t hal_commands(void) { return dtrmc_batch.commands; }
static inline void hal_take(void) {}
static inline void hal_action(uint32_t word) {
  ((uint32_t*)dtrmc_batch.actions)[dtrmc_batch.action_count++ & (dtrmc_batch.action_slots - 1)] = word;
}
static inline uint32_t hal_outstanding(void) { return 0; }
static inline void hal_threshold(uint32_t value) { (void)value; }

/* No timer either: whoever runs the batch image on device time gets a clock that stands still. */
static inline uint64_t hal_ticks(void) { return 1; }

/* No accelerator is ever waited for, and no further command can come. */
static inline void hal_wait(uint32_t line) {
  (void)line;
  hal_end(DTRMC_BATCH_STARVED);
}

/* No scoring unit: its identification reads as that of nothing, which the firmware refuses as bad configuration. */
static inline uint32_t hal_unit_read(uint32_t offset) {
  (void)offset;
  return 0;
}
static inline void hal_unit_write(uint32_t offset, uint32_t value) {
  (void)offset;
  (void)value;
}
static inline void hal_activity(uint32_t mark) { (void)mark; }

static inline struct dtrmc_shared* hal_shared(void) { return &dtrmc_shared; }
static inline char* hal_arena_begin(void) { return (char*)dtrmc_batch.arena; }
static inline char* hal_arena_end(void) { return (char*)(DTRMC_RAM_BASE + dtrmc_shared.ram_bytes); }

__attribute__((noreturn)) static inline void hal_halt(void) { hal_end(DTRMC_BATCH_STOPPED); }

#endif /* DTRMC_FIRMWARE_HAL_BATCH_H_ */
