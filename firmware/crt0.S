/* SPDX-License-Identifier: Apache-2.0
 * Reset entry. The image lies in RAM as linked, so nothing is copied; .bss and the stack need no prior contents.
 */
  .section .text.start, "ax"
  .globl _start
  .type _start, @function /* profiles and fault reports name functions */
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, dtrmc_stack_top
#if !defined(DTRMC_FIRMWARE_BATCH) /* may run on a core without CSRs */
  la t0, trap
  csrw mtvec, t0
  csrw mie, zero
#endif
  la t0, dtrmc_bss_begin
  la t1, dtrmc_bss_end
1:
  bgeu t0, t1, 2f
  sw zero, 0(t0)
  addi t0, t0, 4
  j 1b
2:
  call fw_controller

#if !defined(DTRMC_FIRMWARE_BATCH)
/* No interrupt is ever taken (mstatus.MIE stays 0), so a trap is a fault of the firmware or of its hardware. It is
 * not survivable: sleep with every line disabled, which the platform sees. mcause, mepc and mtval tell the rest. */
  .balign 256 /* Ibex ignores the low bits of mtvec */
  .type trap, @function
trap:
  csrw mie, zero
  wfi
  j trap
  .size trap, . - trap
#endif
