/* SPDX-License-Identifier: Apache-2.0
 * WFI: wakes on an enabled line whatever mstatus.MIE says; mcycle goes on. Cycle counts are those of ibex-small: WFI 3,
 * wake-up 2, interrupt entry behind it 2, MRET 3.
 */
#include "tests/cpu/programs/check.h"

main:
  /* MIE = 0: execution goes on behind WFI, no trap. */
  li t0, 1 << 7
  csrw mie, t0
  csrr a0, mcycle
  addi t0, a0, 1000
  sw t0, BOARD_TIMECMP(gp)
  csrr s5, minstret
  wfi
  csrr a1, mcycle
  csrr s6, minstret
  EXPECT(s3, 0)
  sub a1, a1, a0
  EXPECT(a1, 1000 + 2)
  sub s6, s6, s5
  EXPECT(s6, 3) /* csrr, wfi, csrr */

  /* Pending already: no sleep, only the wake-up. */
  csrr a0, mcycle
  wfi
  csrr a1, mcycle
  sub a1, a1, a0
  EXPECT(a1, 1 + 3 + 2)
  li t0, -1
  sw t0, BOARD_TIMECMP(gp)

  /* MIE = 1: the trap comes behind WFI, mepc is the next instruction. */
  csrsi mstatus, 8
  csrr a0, mcycle
  addi t0, a0, 500
  sw t0, BOARD_TIMECMP(gp)
  wfi
after0:
  EXPECT(s3, 1)
  EXPECT(s0, 0x80000007)
  EXPECT_SYMBOL(s1, after0)
  csrci mstatus, 8

  /* A line that is high but not enabled in mie does not wake; the later, enabled one does. */
  li t0, 1 << 11
  csrw mie, t0
  csrr a0, mcycle
  addi t0, a0, 100
  sw t0, BOARD_TIMECMP(gp)
  li t0, 300
  sw t0, BOARD_DELAY(gp)
  li t0, 2
  sw t0, BOARD_LENGTH(gp)
  li t0, 1 << 11
  csrr a0, mcycle
  sw t0, BOARD_PULSE(gp) /* starts at a0 + 1 */
  wfi
  csrr a1, mcycle
  csrr a2, mip /* the pulse of 2 cycles is over before the wake-up is */
  sub a1, a1, a0
  EXPECT(a1, 1 + 300 + 2)
  EXPECT(a2, 1 << 7)

  /* The same pulse with MIE = 1 wakes but traps nowhere: the level is gone. */
  csrsi mstatus, 8
  li t0, 1 << 11
  sw t0, BOARD_PULSE(gp)
  wfi
  EXPECT(s3, 1)

  /* A longer one is taken. */
  li t0, 50
  sw t0, BOARD_LENGTH(gp)
  la t0, once
  csrw mtvec, t0
  li a3, 0
  li t0, 1 << 11
  sw t0, BOARD_PULSE(gp)
  wfi
  EXPECT(a3, 1)
  PASS

  .balign 4
once:
  addi a3, a3, 1
  csrw mie, x0
  mret
