/* SPDX-License-Identifier: Apache-2.0
 * The firmware as a host library: its hardware is a struct of functions. C11 and C++.
 */
#ifndef DTRMC_FIRMWARE_HAL_HOST_H_
#define DTRMC_FIRMWARE_HAL_HOST_H_

#include <stddef.h>
#include <stdint.h>

#include "firmware/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dtrmc_host_hal {
  void* context;               /* first argument of every function */
  struct dtrmc_shared* shared; /* with ring_words words of ring behind it; the second group filled in */
  void* arena;                 /* 8-byte aligned; stands for the RAM that the image leaves free */
  size_t arena_bytes;
  uint32_t (*commands)(void* context);
  void (*take)(void* context);
  void (*action)(void* context, uint32_t word);
  uint32_t (*outstanding)(void* context);
  void (*threshold)(void* context, uint32_t value);
  uint64_t (*ticks)(void* context);          /* may be NULL where shared->time is DTRMC_TIME_MODEL */
  int (*wait)(void* context, uint32_t line); /* 0: nothing will raise the line any more, the run is given up */
  uint32_t (*unit_read)(void* context, uint32_t offset);
  void (*unit_write)(void* context, uint32_t offset, uint32_t value);
  void (*activity)(void* context, uint32_t mark);
  uint32_t first_order; /* insertion order of the first pool entry: tests start close to the wrap; else 0 */
};

enum dtrmc_firmware_end { DTRMC_FIRMWARE_STOPPED = 0 /* END or FAIL */, DTRMC_FIRMWARE_STARVED = 1 /* wait gave up */ };

/* Runs the firmware from reset to its end. All state is new in every call; calls in different threads do not meet.
 * The functions of `hal` must not throw. */
enum dtrmc_firmware_end dtrmc_firmware_run(const struct dtrmc_host_hal* hal);

#if !defined(__cplusplus)
#define FW_STATE _Thread_local

extern FW_STATE const struct dtrmc_host_hal* hal_host;

static inline uint32_t hal_commands(void) { return hal_host->commands(hal_host->context); }
static inline void hal_take(void) { hal_host->take(hal_host->context); }
static inline void hal_action(uint32_t word) { hal_host->action(hal_host->context, word); }
static inline uint32_t hal_outstanding(void) { return hal_host->outstanding(hal_host->context); }
static inline void hal_threshold(uint32_t value) { hal_host->threshold(hal_host->context, value); }
static inline uint64_t hal_ticks(void) { return hal_host->ticks(hal_host->context); }
static inline uint32_t hal_unit_read(uint32_t offset) { return hal_host->unit_read(hal_host->context, offset); }
static inline void hal_unit_write(uint32_t offset, uint32_t value) {
  hal_host->unit_write(hal_host->context, offset, value);
}
static inline void hal_activity(uint32_t mark) { hal_host->activity(hal_host->context, mark); }
static inline struct dtrmc_shared* hal_shared(void) { return hal_host->shared; }
static inline char* hal_arena_begin(void) { return (char*)hal_host->arena; }
static inline char* hal_arena_end(void) { return (char*)hal_host->arena + hal_host->arena_bytes; }
void hal_wait(uint32_t line);
_Noreturn void hal_halt(void);
/* What must hold; the run is over where it does not. Only in this build. */
void hal_check(int holds);
#endif

#ifdef __cplusplus
}
#endif

#endif /* DTRMC_FIRMWARE_HAL_HOST_H_ */
