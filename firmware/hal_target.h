/* SPDX-License-Identifier: Apache-2.0
 * The hardware abstraction on the controller itself.
 */
#ifndef DTRMC_FIRMWARE_HAL_TARGET_H_
#define DTRMC_FIRMWARE_HAL_TARGET_H_

#include <stdint.h>

#include "firmware/protocol.h"

extern struct dtrmc_shared dtrmc_shared;

#define FW_STATE /* one controller, one state */

static inline volatile uint32_t* hal_register(uint32_t address) { return (volatile uint32_t*)address; }

static inline uint32_t hal_commands(void) { return *hal_register(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_COMMANDS); }
static inline void hal_take(void) { *hal_register(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_TAKE) = 1; }
static inline void hal_action(uint32_t word) { *hal_register(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_ACTION) = word; }
static inline uint32_t hal_outstanding(void) { return *hal_register(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_OUTSTANDING); }
static inline void hal_threshold(uint32_t value) {
  *hal_register(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_THRESHOLD) = value;
}

static inline uint64_t hal_ticks(void) {
  uint32_t high = *hal_register(DTRMC_TIMER_BASE + DTRMC_TIMER_TICKS_HI);
  for (;;) {
    const uint32_t low = *hal_register(DTRMC_TIMER_BASE + DTRMC_TIMER_TICKS_LO);
    const uint32_t again = *hal_register(DTRMC_TIMER_BASE + DTRMC_TIMER_TICKS_HI);
    if (again == high) return (uint64_t)high << 32 | low;
    high = again;
  }
}

/* Interrupts stay disabled in mstatus, so a line that is enabled here only ends WFI; being level sensitive, one that
 * rose before is not missed. */
static inline void hal_wait(uint32_t line) {
  __asm__ volatile("csrw mie, %0\n\twfi" : : "r"(UINT32_C(1) << line) : "memory");
}

static inline uint32_t hal_unit_read(uint32_t offset) { return *hal_register(DTRMC_UNIT_BASE + offset); }
static inline void hal_unit_write(uint32_t offset, uint32_t value) { *hal_register(DTRMC_UNIT_BASE + offset) = value; }

#define FW_STRING_(x) #x
#define FW_STRING(x) FW_STRING_(x)
static inline void hal_activity(uint32_t mark) {
  __asm__ volatile("csrw " FW_STRING(DTRMC_CSR_ACTIVITY) ", %0" : : "rK"(mark));
}

static inline struct dtrmc_shared* hal_shared(void) { return &dtrmc_shared; }
static inline char* hal_arena_begin(void) {
  const uintptr_t end = (uintptr_t)&dtrmc_shared + DTRMC_RING_OFFSET + 4u * dtrmc_shared.ring_words;
  return (char*)((end + 15u) & ~(uintptr_t)15u);
}
static inline char* hal_arena_end(void) { return (char*)(DTRMC_RAM_BASE + dtrmc_shared.ram_bytes); }

__attribute__((noreturn)) static inline void hal_halt(void) {
  for (;;) __asm__ volatile("csrw mie, zero\n\twfi" : : : "memory");
}

#endif /* DTRMC_FIRMWARE_HAL_TARGET_H_ */
