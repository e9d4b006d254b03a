/* SPDX-License-Identifier: Apache-2.0
 * The ELF file as it was linked, byte for byte.
 */
  .section .rodata
  .balign 16
  .globl dtrmc_firmware_image_begin
dtrmc_firmware_image_begin:
  .incbin DTRMC_IMAGE_FILE
  .globl dtrmc_firmware_image_end
dtrmc_firmware_image_end:
  .section .note.GNU-stack, "", %progbits
