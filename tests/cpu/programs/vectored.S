/* SPDX-License-Identifier: Apache-2.0
 * mtvec in vectored mode: interrupts go to base + 4 * number, exceptions to the base.
 */
#include "tests/cpu/programs/check.h"

main:
  la t0, table
  ori t0, t0, 1
  csrw mtvec, t0
  csrr a0, mtvec
  EXPECT_SAME(a0, t0)
  li t0, -1
  csrw mie, t0
  csrsi mstatus, 8
  li s5, 0
  ecall
  EXPECT(s5, 100)
  .word 0
  EXPECT(s5, 100)

  li s6, 16
1:
  li s5, 0
  li t0, 1
  sll t0, t0, s6
  sw t0, BOARD_LEVELS(gp)
  EXPECT_SAME(s5, s6)
  addi s6, s6, 1
  li t0, 32
  bne s6, t0, 1b

  li s5, 0
  li t0, 1 << 11
  sw t0, BOARD_LEVELS(gp)
  EXPECT(s5, 11)
  li t0, 1 << 3
  sw t0, BOARD_LEVELS(gp)
  EXPECT(s5, 3)
  sw x0, BOARD_TIMECMP(gp)
  EXPECT(s5, 7)
  PASS

  .balign 256
table:
  j exception
  .set number, 1
  .rept 31
  j entry + 8 * number
  .set number, number + 1
  .endr

exception:
  li s5, 100
  csrr t0, mepc
  addi t0, t0, 4
  csrw mepc, t0
  mret

entry: /* 8 bytes for each number */
  .set number, 0
  .rept 32
  li s5, number
  j leave
  .set number, number + 1
  .endr

leave:
  sw x0, BOARD_LEVELS(gp)
  li t0, -1
  sw t0, BOARD_TIMECMP(gp)
  mret
