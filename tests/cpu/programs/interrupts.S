/* SPDX-License-Identifier: Apache-2.0
 * Interrupts in direct mode: sources, priorities, when an enabled one is taken, nesting.
 */
#include "tests/cpu/programs/check.h"

#define RAISE(reg, lines) \
  li reg, lines;          \
  sw reg, BOARD_LEVELS(gp)

main:
  li t0, -1
  csrw mie, t0

  /* Pending but not enabled: nothing happens, mip shows it. */
  RAISE(t0, 1 << 11)
  csrr a0, mip
  EXPECT(a0, 1 << 11)
  EXPECT(s3, 0)

  /* Taken right behind the instruction that sets mstatus.MIE: mepc is the next one. */
  csrsi mstatus, 8
after0:
  EXPECT(s3, 1)
  EXPECT(s0, 0x8000000b)
  EXPECT_SYMBOL(s1, after0)
  EXPECT(s2, 0)
  csrr a0, mip
  EXPECT(a0, 0)

  /* Right behind the store that raises the line. */
  RAISE(t0, 1 << 3)
after1:
  EXPECT(s3, 2)
  EXPECT(s0, 0x80000003)
  EXPECT_SYMBOL(s1, after1)

  /* Right behind the write of mie that enables it. */
  csrw mie, x0
  RAISE(t0, 1 << 16)
  EXPECT(s3, 2)
  li t0, 1 << 16
  csrs mie, t0
after2:
  EXPECT(s3, 3)
  EXPECT(s0, 0x80000010)
  EXPECT_SYMBOL(s1, after2)

  /* Right behind MRET: mepc of the interrupt is the target. */
  csrci mstatus, 8
  RAISE(t0, 1 << 31)
  li t0, -1
  csrw mie, t0
  li t0, 0x80 /* MPIE */
  csrs mstatus, t0
  la t0, after3
  csrw mepc, t0
  EXPECT(s3, 3)
  mret
  j fail
after3:
  EXPECT(s3, 4)
  EXPECT(s0, 0x8000001f)
  EXPECT_SYMBOL(s1, after3)

  /* The timer: high from its cycle on, taken within a loop of one-cycle instructions. */
  csrr t0, time
  addi t0, t0, 200
  sw t0, BOARD_TIMECMP(gp)
  li a0, 0
1:
  addi a0, a0, 1
  li t1, 4
  bne s3, t1, 2f
  j 1b
2:
  EXPECT(s3, 5)
  EXPECT(s0, 0x80000007)
  lw a1, BOARD_TIMECMP(gp)
  EXPECT(a1, -1)
  addi a0, a0, -35 /* not quite 200 / 5 rounds */
  sltiu a0, a0, 6
  EXPECT(a0, 1)

  /* A pulse: a line that rises and falls by itself, during ordinary code. */
  li t0, 100
  sw t0, BOARD_DELAY(gp)
  li t0, 60
  sw t0, BOARD_LENGTH(gp)
  la t0, counting
  csrw mtvec, t0
  li a1, 0
  li t0, 1 << 20
  sw t0, BOARD_PULSE(gp)
  li t0, 400
1:
  addi t0, t0, -1
  bnez t0, 1b
  la t0, handler
  csrw mtvec, t0
  EXPECT(a2, 0x80000014)
  /* The handler takes 7 cycles with entry and MRET, so it comes several times while the line is high. */
  sltiu a0, a1, 3
  EXPECT(a0, 0)
  sltiu a0, a1, 12
  EXPECT(a0, 1)

  /* Priorities: all lines at once, taken one by one: 16 .. 31, 11, 3, 7. */
  la t0, listing
  csrw mtvec, t0
  la a5, list
  csrci mstatus, 8
  RAISE(t0, 0xffff0808)
  sw x0, BOARD_TIMECMP(gp)
  csrsi mstatus, 8
  la t0, list
  sub t1, a5, t0
  EXPECT(t1, 19)
  li t2, 16
1:
  lbu a0, 0(t0)
  EXPECT_SAME(a0, t2)
  addi t0, t0, 1
  addi t2, t2, 1
  li t3, 32
  bne t2, t3, 1b
  lbu a0, 0(t0)
  EXPECT(a0, 11)
  lbu a0, 1(t0)
  EXPECT(a0, 3)
  lbu a0, 2(t0)
  EXPECT(a0, 7)

  /* Nesting: the first handler saves its state and enables interrupts; the second comes inside it. */
  la t0, outer
  csrw mtvec, t0
  li a6, 0
  RAISE(t0, 1 << 11)
after4:
  EXPECT(a6, 2)
  EXPECT(a7, 0x80000010)
  csrr a0, mstatus
  EXPECT(a0, 0x1888)
  csrr a0, mie
  EXPECT(a0, 0xffff0888)

  /* mie decides which of two pending ones is taken. */
  la t0, handler
  csrw mtvec, t0
  csrci mstatus, 8
  li t0, 1 << 7
  csrw mie, t0
  RAISE(t0, 1 << 17)
  sw x0, BOARD_TIMECMP(gp)
  csrr a0, mip
  EXPECT(a0, (1 << 17) | (1 << 7))
  csrsi mstatus, 8
  EXPECT(s0, 0x80000007)
  csrr a0, mip
  EXPECT(a0, 1 << 17)
  PASS

  .balign 4
counting:
  addi a1, a1, 1
  csrr a2, mcause
  mret

  .balign 4
listing: /* notes the number and drops the line */
  csrr t3, mcause
  sb t3, 0(a5)
  addi a5, a5, 1
  andi t3, t3, 31
  li t4, 7
  beq t3, t4, 1f
  li t4, 1
  sll t4, t4, t3
  not t4, t4
  lw t3, BOARD_LEVELS(gp)
  and t3, t3, t4
  sw t3, BOARD_LEVELS(gp)
  mret
1:
  li t4, -1
  sw t4, BOARD_TIMECMP(gp)
  mret

  .balign 4
outer:
  csrr s5, mepc
  csrr s6, mstatus
  csrr s7, mcause
  EXPECT(s7, 0x8000000b)
  EXPECT_SYMBOL(s5, after4)
  addi a6, a6, 1
  la t0, inner
  csrw mtvec, t0
  RAISE(t0, (1 << 11) | (1 << 16))
  EXPECT(a6, 1) /* still off inside a handler */
  csrsi mstatus, 8
  EXPECT(a6, 2)
  csrci mstatus, 8
  csrw mepc, s5
  csrw mstatus, s6
  mret

  .balign 4
inner:
  csrr a7, mcause
  addi a6, a6, 1
  sw x0, BOARD_LEVELS(gp)
  mret

  .bss
list:
  .space 32
