/* SPDX-License-Identifier: Apache-2.0
 * Every exception: cause, mepc, mtval, no effect of the trapped instruction, and no retirement.
 */
#include "tests/cpu/programs/check.h"

#define EXPECT_TRAP(cause, pc, value) \
  EXPECT(s0, cause);                  \
  EXPECT_SYMBOL(s1, pc);              \
  EXPECT(s2, value)

main:
  /* Illegal instruction words: all zeros, all ones, compressed, unused funct bits, floating point, SRET. */
illegal0:
  .word 0x00000000
  EXPECT_TRAP(2, illegal0, 0)
illegal1:
  .word 0xffffffff
  EXPECT_TRAP(2, illegal1, 0xffffffff)
illegal2:
  .word 0x00010001 /* c.nop, c.nop */
  EXPECT_TRAP(2, illegal2, 0x00010001)
illegal3:
  .word 0x40001013 /* slli with funct7 0x20 */
  EXPECT_TRAP(2, illegal3, 0x40001013)
illegal4:
  .word 0x02001033 | 0x80000000 /* OP with funct7 0x41 */
  EXPECT_TRAP(2, illegal4, 0x82001033)
illegal5:
  .word 0x0000b003 | (3 << 12) /* load, funct3 3 (ld) */
  EXPECT_TRAP(2, illegal5, 0x0000b003)
illegal6:
  .word 0x00003023 /* store, funct3 3 (sd) */
  EXPECT_TRAP(2, illegal6, 0x00003023)
illegal7:
  .word 0x00002063 /* branch, funct3 2 */
  EXPECT_TRAP(2, illegal7, 0x00002063)
illegal8:
  .word 0x00001067 /* jalr, funct3 1 */
  EXPECT_TRAP(2, illegal8, 0x00001067)
illegal9:
  .word 0x00002007 /* flw */
  EXPECT_TRAP(2, illegal9, 0x00002007)
illegal10:
  .word 0x10200073 /* sret: there is no supervisor mode */
  EXPECT_TRAP(2, illegal10, 0x10200073)
illegal11:
  .word 0x0000200f /* MISC-MEM, funct3 2 */
  EXPECT_TRAP(2, illegal11, 0x0000200f)
illegal12:
  .word 0x00004073 /* SYSTEM, funct3 4 */
  EXPECT_TRAP(2, illegal12, 0x00004073)
illegal13:
  .word 0x1000202f /* lr.w */
  EXPECT_TRAP(2, illegal13, 0x1000202f)

  /* CSRs: writing a read-only one, touching one that does not exist. The destination keeps its value. */
  li a0, 77
csr0:
  .word 0xf1429573 /* csrrw a0, mhartid, t0 */
  EXPECT_TRAP(2, csr0, 0xf1429573)
  EXPECT(a0, 77)
csr1:
  .word 0xc0006573 /* csrrsi a0, cycle, 0: only reads */
  EXPECT(s3, 15)
  li a0, 77
csr2:
  .word 0xc000e573 /* csrrsi a0, cycle, 1 */
  EXPECT_TRAP(2, csr2, 0xc000e573)
  EXPECT(a0, 77)
  li t1, 0
csr3:
  .word 0xf1432573 /* csrrs a0, mhartid, t1: t1 is zero, but it is not x0 */
  EXPECT_TRAP(2, csr3, 0xf1432573)
  EXPECT(a0, 77)
csr4:
  .word 0x10002573 /* csrr a0, sstatus */
  EXPECT_TRAP(2, csr4, 0x10002573)
  EXPECT(a0, 77)
csr5:
  .word 0x7b101073 /* csrw dpc, x0 */
  EXPECT_TRAP(2, csr5, 0x7b101073)
csr6:
  .word 0x7c04d573 /* csrrwi a0, activity, 9: no such activity */
  EXPECT_TRAP(2, csr6, 0x7c04d573)
  EXPECT(a0, 77)

  /* ECALL, EBREAK. */
call:
  ecall
  EXPECT_TRAP(11, call, 0)
break:
  ebreak
  EXPECT_TRAP(3, break, 0)

  /* Misaligned jumps: pc is that of the jump, mtval the target, no link. */
  li a0, 77
jump0:
  .word 0x0060056f /* jal a0, . + 6 */
  EXPECT(s0, 0)
  EXPECT_SYMBOL(s1, jump0)
  la t0, jump0 + 6
  EXPECT_SAME(s2, t0)
  EXPECT(a0, 77)
  la t0, jump1
jump1:
  jalr a0, 10(t0)
  EXPECT(s0, 0)
  EXPECT_SYMBOL(s1, jump1)
  la t0, jump1 + 10
  EXPECT_SAME(s2, t0)
  EXPECT(a0, 77)
jump2:
  .word 0x00000563 /* beq x0, x0, . + 10 */
  EXPECT(s0, 0)
  EXPECT_SYMBOL(s1, jump2)
  la t0, jump2 + 10
  EXPECT_SAME(s2, t0)
  li a1, 25
  EXPECT_SAME(s3, a1)
  .word 0x00001563 /* bne x0, x0, . + 10: not taken, no trap */
  EXPECT_SAME(s3, a1)
  /* JALR ignores bit 0 of the target. */
  la t0, jump3 + 1
  jalr a0, 0(t0)
  j fail
jump3:
  EXPECT_SAME(s3, a1)

  /* Fetch outside RAM: the jump retires and links; pc and mtval are the target. */
  la s4, fetch1
  li t0, 0x20000000
fetch0:
  jalr a0, 0(t0)
fetch1:
  EXPECT(s0, 1)
  EXPECT(s1, 0x20000000)
  EXPECT(s2, 0x20000000)
  EXPECT_SYMBOL(a0, fetch1)
  la s4, fetch2
  jr gp /* devices are not executable */
fetch2:
  EXPECT(s0, 1)
  EXPECT(s1, BOARD_BASE)
  EXPECT(s2, BOARD_BASE)
  la s4, fetch3
  la t0, _start
  .word 0xff8280e7 /* jalr ra, -8(t0): just below RAM */
  j fail
fetch3:
  EXPECT(s0, 1)
  EXPECT(s1, BOARD_RAM_BASE - 8)

  /* Load and store access faults: bus error, unmapped, misaligned outside RAM, across the end of RAM. */
  li a0, 77
load0:
  lw a0, BOARD_ERROR(gp)
  EXPECT_TRAP(5, load0, BOARD_BASE + BOARD_ERROR)
  EXPECT(a0, 77)
load1:
  lb a0, 0(x0)
  EXPECT_TRAP(5, load1, 0)
  EXPECT(a0, 77)
load2:
  lw a0, BOARD_SCRATCH + 2(gp)
  EXPECT_TRAP(5, load2, BOARD_BASE + BOARD_SCRATCH + 2)
  EXPECT(a0, 77)
load3:
  lhu a0, BOARD_SCRATCH + 1(gp)
  EXPECT_TRAP(5, load3, BOARD_BASE + BOARD_SCRATCH + 1)
  li t0, BOARD_RAM_BASE + BOARD_RAM_BYTES
load4:
  lw a0, -2(t0)
  EXPECT_TRAP(5, load4, BOARD_RAM_BASE + BOARD_RAM_BYTES - 2)
load5:
  lh a0, -1(t0)
  EXPECT_TRAP(5, load5, BOARD_RAM_BASE + BOARD_RAM_BYTES - 1)
load6:
  lbu a0, 0(t0)
  EXPECT_TRAP(5, load6, BOARD_RAM_BASE + BOARD_RAM_BYTES)
  EXPECT(a0, 77)
  lw a0, -4(t0) /* the last word is RAM */
  lb a0, -1(t0)
store0:
  sw a0, BOARD_ERROR(gp)
  EXPECT_TRAP(7, store0, BOARD_BASE + BOARD_ERROR)
store1:
  sh a0, BOARD_SCRATCH + 3(gp)
  EXPECT_TRAP(7, store1, BOARD_BASE + BOARD_SCRATCH + 3)
  li t0, BOARD_RAM_BASE
store2:
  sw a0, -2(t0) /* across the start of RAM */
  EXPECT_TRAP(7, store2, BOARD_RAM_BASE - 2)
store3:
  sb a0, -1(t0)
  EXPECT_TRAP(7, store3, BOARD_RAM_BASE - 1)

  /* Traps do not retire: from read to read there are csrr, ecall (not), 15 handler instructions, csrr. */
  csrr a0, minstret
  ecall
  csrr a1, minstret
  sub a1, a1, a0
  EXPECT(a1, 11)

  /* In a handler MIE is 0 and MPIE holds it; MRET brings it back. */
  la t0, look
  csrw mtvec, t0
  csrsi mstatus, 8
  ecall
  csrr a0, mstatus
  EXPECT(a0, 0x1888)
  csrci mstatus, 8
  ecall
  csrr a0, mstatus
  EXPECT(a0, 0x1880)
  PASS

look:
  csrr a1, mstatus
  andi a1, a1, 8
  EXPECT(a1, 0)
  csrr s1, mepc
  addi s1, s1, 4
  csrw mepc, s1
  mret
