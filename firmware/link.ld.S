/* SPDX-License-Identifier: Apache-2.0
 * Memory map of the image (firmware/README.md has the picture); run through the C preprocessor.
 */
#include "firmware/config.h"

OUTPUT_ARCH(riscv)
ENTRY(_start)

SECTIONS {
  . = 0x80000000; /* DTRMC_RAM_BASE; shared.c asserts it */
  .text : { *(.text.start) *(.text .text.*) }
#if defined(DTRMC_FIRMWARE_BATCH)
  . = ALIGN(4096); /* emulators that translate pages of code are slow where data are written in the same page */
#endif
  .rodata : ALIGN(8) { *(.rodata .rodata.* .srodata .srodata.*) }
  .data : ALIGN(8) {
    *(.data .data.*)
    __global_pointer$ = . + 0x400;
    *(.sdata .sdata.*)
  }
  .bss (NOLOAD) : ALIGN(8) {
    dtrmc_bss_begin = .;
    *(.sbss .sbss.* .bss .bss.* COMMON)
    . = ALIGN(8);
    dtrmc_bss_end = .;
  }
  .dtrmc_stack (NOLOAD) : ALIGN(16) {
    dtrmc_stack_bottom = .; /* the platform stops a program that moves sp below it */
    . += DTRMC_CONFIG_STACK_BYTES;
    dtrmc_stack_top = .;
  }
  .dtrmc_shared : ALIGN(8) { KEEP(*(.dtrmc_shared)) }
  /* The ring follows, as long as the block says, then the arena. */
  /DISCARD/ : { *(.comment) *(.riscv.attributes) *(.eh_frame) *(.note.*) }
}
