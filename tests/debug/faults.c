/* SPDX-License-Identifier: Apache-2.0
 * Firmware that goes wrong in one way each: FAULT says in which. Stands in for everything but the startup code and the
 * shared block. The tests look for the line that holds the comment "here".
 */
#include "firmware/hal.h"

#define FAULT_ILLEGAL 1
#define FAULT_MISALIGNED_JUMP 2
#define FAULT_MISALIGNED_LOAD 3
#define FAULT_LOAD 4
#define FAULT_STORE 5
#define FAULT_OVERFLOW 6
#define FAULT_LOOP 7
#define FAULT_POLL 8
#define FAULT_BREAK 9
#define FAULT_WAIT 10

_Noreturn void fw_controller(void);

#if FAULT == FAULT_ILLEGAL
__attribute__((noinline)) static void go_wrong(void) { __asm__ volatile(".word 0"); /* here */ }
#elif FAULT == FAULT_MISALIGNED_JUMP
__attribute__((noinline)) static void go_wrong(void) {
  __asm__ volatile("jalr zero, 2(%0)" : : "r"(&fw_controller)); /* here */
}
#elif FAULT == FAULT_MISALIGNED_LOAD
__attribute__((noinline)) static void go_wrong(void) { (void)*hal_register(DTRMC_MAILBOX_BASE + 2); /* here */ }
#elif FAULT == FAULT_LOAD
__attribute__((noinline)) static void go_wrong(void) { (void)*hal_register(0x40000000u); /* here */ }
#elif FAULT == FAULT_STORE
__attribute__((noinline)) static void go_wrong(void) {
  *hal_register(DTRMC_MAILBOX_BASE + DTRMC_MAILBOX_COMMANDS) = 1; /* here: a read-only register */
}
#elif FAULT == FAULT_OVERFLOW
static volatile uint32_t depth;
__attribute__((noinline)) static uint32_t go_wrong(void) { /* here */
  volatile uint32_t frame[16];
  frame[0] = depth = depth + 1;
  return frame[0] + go_wrong() + frame[0];
}
#elif FAULT == FAULT_LOOP
__attribute__((noinline)) static void go_wrong(void) {
  for (;;) __asm__ volatile("nop"); /* here */
}
#elif FAULT == FAULT_POLL
__attribute__((noinline)) static void go_wrong(void) {
  for (;;) (void)hal_commands(); /* here */
}
#elif FAULT == FAULT_BREAK
__attribute__((noinline)) static void go_wrong(void) {
  __asm__ volatile("ebreak"); /* leads to the trap handler of the startup code */
}
#elif FAULT == FAULT_WAIT
__attribute__((noinline)) static void go_wrong(void) { hal_halt(); /* here */ }
#endif

/* As an operator takes its time: a command is taken and an action posted before things go wrong. */
_Noreturn void fw_controller(void) {
  while (hal_commands() == 0) {
  }
  hal_take();
  hal_action(DTRMC_ACTION_WORD(DTRMC_ACTION_EXECUTE_FIRST, 0));
  go_wrong();
  hal_halt();
}
