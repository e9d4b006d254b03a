/* SPDX-License-Identifier: Apache-2.0
 * Control and status registers: identification, writable bits, set and clear, counters.
 */
#include "tests/cpu/programs/check.h"

#define WRITABLE(csr, mask)  \
  csrr a5, csr;              \
  li t0, -1;                 \
  csrw csr, t0;              \
  csrr a0, csr;              \
  csrw csr, x0;              \
  csrr a1, csr;              \
  csrw csr, a5;              \
  xor a0, a0, a1;            \
  EXPECT(a0, mask)

main:
  csrr a0, misa
  EXPECT(a0, 0x40001100) /* RV32IM */
  csrr a0, mvendorid
  EXPECT(a0, 0)
  csrr a0, marchid
  EXPECT(a0, 0)
  csrr a0, mimpid
  EXPECT(a0, 0)
  csrr a0, mhartid
  EXPECT(a0, 0)
  csrr a0, mstatus
  EXPECT(a0, 0x1800) /* after reset: interrupts off, MPP is machine mode for ever */

  WRITABLE(mscratch, 0xffffffff)
  WRITABLE(mepc, 0xfffffffc)
  WRITABLE(mcause, 0xffffffff)
  WRITABLE(mtval, 0xffffffff)
  WRITABLE(mtvec, 0xfffffffd)
  WRITABLE(mie, 0xffff0888)
  WRITABLE(mip, 0)
  WRITABLE(misa, 0)
  WRITABLE(mhpmcounter3, 0)
  WRITABLE(mhpmcounter31h, 0)
  WRITABLE(mhpmevent3, 0)
  csrw mie, x0
  WRITABLE(mstatus, 0x88)
  EXPECT(s3, 0) /* no trap so far */

  /* The six forms: old value to rd, then write, set, clear. */
  li t0, 0xf0f0
  csrw mscratch, t0
  li t1, 0x0ff0
  csrrs a0, mscratch, t1
  EXPECT(a0, 0xf0f0)
  csrrc a0, mscratch, t1
  EXPECT(a0, 0xfff0)
  csrrw a0, mscratch, t1
  EXPECT(a0, 0xf000)
  csrrsi a0, mscratch, 31
  EXPECT(a0, 0x0ff0)
  csrrci a0, mscratch, 17
  EXPECT(a0, 0x0fff)
  csrrwi a0, mscratch, 21
  EXPECT(a0, 0x0fee)
  csrrw t1, mscratch, t1 /* the same register twice */
  EXPECT(t1, 21)
  csrr a0, mscratch
  EXPECT(a0, 0x0ff0)

  /* minstret: the difference of two reads is what retired between them; a write is read back by the next. */
  csrr a0, minstret
  nop
  nop
  csrr a1, minstret
  sub a1, a1, a0
  EXPECT(a1, 3)
  li t0, 1000
  csrw minstret, t0
  csrr a0, minstret
  EXPECT(a0, 1000)
  csrw minstret, t0
  nop
  csrr a0, instret
  EXPECT(a0, 1001)
  li t0, 7
  csrw minstreth, t0
  csrr a0, minstreth
  EXPECT(a0, 7)
  csrr a0, instreth
  EXPECT(a0, 7)

  /* mcycle likewise, with the carry into the upper half; time is not affected. */
  csrr a3, time
  li t0, -3
  csrw mcycleh, x0
  csrw mcycle, t0
  csrr a0, mcycle  /* -3 */
  csrr a1, mcycleh
  nop
  csrr a2, mcycleh /* -3 + 3 cycles: the carry has arrived */
  EXPECT(a0, -3)
  EXPECT(a1, 0)
  EXPECT(a2, 1)
  csrr a2, cycleh
  EXPECT(a2, 1)
  csrr a0, mcycle
  csrr a1, cycle
  sub a1, a1, a0
  EXPECT(a1, 1)
  csrr a4, time
  sub a4, a4, a3
  sltiu a4, a4, 100
  EXPECT(a4, 1)
  csrr a4, timeh
  EXPECT(a4, 0)
  lw a0, BOARD_CYCLE(gp) /* the cycle the access starts in, ... */
  csrr a1, time          /* 2 cycles later on ibex-small */
  sub a1, a1, a0
  EXPECT(a1, 2)
  PASS
