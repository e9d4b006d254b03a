/* SPDX-License-Identifier: Apache-2.0
 * Frame of the self-checking programs. A program starts at `main`, checks with EXPECT and ends with PASS; the exit
 * code of a failure is the line of the EXPECT. Register use: s11 line, t6 expected value.
 * The trap handler in direct mode leaves s0 = mcause, s1 = mepc, s2 = mtval, counts in s3, and returns to the address
 * in s4, or behind the trapped instruction when s4 is 0 (interrupts: to the interrupted instruction); it clears s4.
 * Interrupts: it first drops the line (BOARD_LEVELS bit cleared, the timer's comparator set to never).
 */
#include "tests/cpu/board_map.h"

#define EXPECT(reg, value) \
  li s11, __LINE__;        \
  li t6, value;            \
  bne reg, t6, fail
#define EXPECT_SAME(reg, other) \
  li s11, __LINE__;             \
  bne reg, other, fail
#define EXPECT_SYMBOL(reg, symbol) \
  li s11, __LINE__;                \
  la t6, symbol;                   \
  bne reg, t6, fail
#define PASS      \
  li s11, 0;      \
  j finish

  .section .text.start, "ax"
  .globl _start
_start:
  li gp, BOARD_BASE
  la t0, handler
  csrw mtvec, t0
  li s3, 0
  li s4, 0
  j main

finish:
fail:
  sw s11, BOARD_EXIT(gp)
1:
  j 1b

  .balign 4
handler:
  csrr s0, mcause
  csrr s1, mepc
  csrr s2, mtval
  addi s3, s3, 1
  bltz s0, 2f
  bnez s4, 1f
  addi s4, s1, 4
1:
  csrw mepc, s4
  li s4, 0
  mret
2: /* interrupt: drop the line */
  slli t5, s0, 1
  srli t5, t5, 1 /* number */
  li t6, 7
  beq t5, t6, 3f
  li t6, 1
  sll t5, t6, t5
  lw t6, BOARD_LEVELS(gp)
  not t5, t5
  and t6, t6, t5
  sw t6, BOARD_LEVELS(gp)
  mret
3:
  li t6, -1
  sw t6, BOARD_TIMECMP(gp)
  mret

  .text
