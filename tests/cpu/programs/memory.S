/* SPDX-License-Identifier: Apache-2.0
 * Misaligned accesses in RAM, narrow accesses to devices, code that writes code.
 */
#include "tests/cpu/programs/check.h"

main:
  la s5, data
  lw a0, 1(s5)
  EXPECT(a0, 0x85848382)
  lw a0, 2(s5)
  EXPECT(a0, 0x86858483)
  lw a0, 3(s5)
  EXPECT(a0, 0x87868584)
  lh a0, 1(s5)
  EXPECT(a0, 0xffff8382)
  lh a0, 3(s5)
  EXPECT(a0, 0xffff8584)
  lhu a0, 3(s5)
  EXPECT(a0, 0x8584)
  lb a0, 3(s5)
  EXPECT(a0, 0xffffff84)
  lbu a0, 3(s5)
  EXPECT(a0, 0x84)
  li t0, 0x11223344
  sw t0, 3(s5)
  lw a0, 0(s5)
  EXPECT(a0, 0x44838281)
  lw a0, 4(s5)
  EXPECT(a0, 0x88112233)
  sh t0, 7(s5)
  lw a0, 4(s5)
  EXPECT(a0, 0x44112233)
  lw a0, 8(s5)
  EXPECT(a0, 0x8c8b8a33)

  /* Devices: bytes and halves, sign extension, wait states. */
  li t0, 0x8090a0b0
  sw t0, BOARD_SCRATCH(gp)
  lb a0, BOARD_SCRATCH(gp)
  EXPECT(a0, 0xffffffb0)
  lbu a0, BOARD_SCRATCH + 1(gp)
  EXPECT(a0, 0xa0)
  lh a0, BOARD_SCRATCH + 2(gp)
  EXPECT(a0, 0xffff8090)
  lhu a0, BOARD_SCRATCH + 2(gp)
  EXPECT(a0, 0x8090)
  li t0, 0x7755
  sb t0, BOARD_SCRATCH + 3(gp)
  sh t0, BOARD_SCRATCH(gp)
  lw a0, BOARD_SCRATCH(gp)
  EXPECT(a0, 0x55907755)
  lw x0, BOARD_SCRATCH(gp)
  EXPECT(x0, 0)
  lw a0, BOARD_SLOW(gp)
  EXPECT(a0, BOARD_BASE + BOARD_SLOW)

  /* Code that is overwritten after it ran: a word, then one byte of it. */
  call patched
  EXPECT(a0, 1)
  la t0, patched
  li t1, 0x00200513 /* li a0, 2 */
  sw t1, 0(t0)
  fence.i
  call patched
  EXPECT(a0, 2)
  li t1, 0x30
  sb t1, 2(t0) /* li a0, 3 */
  fence.i
  call patched
  EXPECT(a0, 3)
  /* A misaligned store over two instructions. */
  lw t1, 2(t0)
  li t2, 0x80670040 /* upper half of li a0, 4; lower half of ret */
  sw t2, 2(t0)
  fence.i
  call patched
  EXPECT(a0, 4)
  /* The instruction right behind the store. */
  la t0, behind
  li t1, 0x00500513 /* li a0, 5 */
  sw t1, 0(t0)
  fence.i
behind:
  li a0, 9
  EXPECT(a0, 5)
  PASS

patched:
  li a0, 1
  ret

  .data
  .balign 4
data:
  .byte 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c
